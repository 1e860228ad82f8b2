/* Finds descriptions of games: in a file, on standard input, or a built-in game by its name.
 * Built-in games are the rule files in $MARELLE_GAMES, in games/ beside the program's folder, and
 * in the installed data folder; the first of a name counts. */
#pragma once

#include "base/text.h"
#include "base/vector.h"
#include "gdl/rules.h"

typedef struct {
    char *name; /* the file's name without its ending */
    char *path;
} BuiltinGame;

typedef VECTOR(BuiltinGame) BuiltinGames;

/* Lists all built-in games, sorted by name. */
void games_list(BuiltinGames *games);
/* Adds the games of a folder whose names are not in the list yet. */
void games_list_folder(BuiltinGames *games, const char *folder);
void games_free(BuiltinGames *games);

/* Finds what lies beside the folder games/ of the source tree, or else of the installed data. False
 * if it is in neither place. */
bool games_find_beside(Text *path, const char *name);

/* Returns the path to read for a GAME argument; free it. Returns NULL, with an error in the report
 * that suggests similar names, if the argument is neither a file nor a built-in game. */
char *game_path(const char *game, Report *report);

/* Reads the description found by game_path. */
Syntax *game_read_syntax(const char *game, Report *report);
Rules *game_read(const char *game, Report *report);
