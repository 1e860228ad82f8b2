/* Where descriptions come from: a file, standard input, or a built-in game by its name. Built-in
 * games are the rule files in $MARELLE_GAMES, in games/ beside the program's folder, and in the
 * installed data folder; the first of a name counts. */
#pragma once

#include "base/vector.h"
#include "gdl/rules.h"

typedef struct {
    char *name; /* the file's name without its ending */
    char *path;
} BuiltinGame;

typedef VECTOR(BuiltinGame) BuiltinGames;

/* All of them, sorted by name. */
void games_list(BuiltinGames *games);
/* Adds those of a folder whose names are not in the list. */
void games_list_folder(BuiltinGames *games, const char *folder);
void games_free(BuiltinGames *games);

/* The path to read for a GAME argument; free it. NULL and an error in the report, with near names,
 * if it is neither a file nor a built-in game. */
char *game_path(const char *game, Report *report);

/* The description, through game_path. */
Syntax *game_read_syntax(const char *game, Report *report);
Rules *game_read(const char *game, Report *report);
