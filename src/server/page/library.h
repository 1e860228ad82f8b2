/* The games of the page: files and uploaded rules, each with an id for URLs. What the page shows
 * about a game without playing it is found by looks (looks.h) in processes of their own, once. A
 * game that is played is built in this process when it is first opened, one game at a time, after
 * such a look has shown what it costs. It is put away when nobody has used it for a while, or when
 * others need the memory. */
#pragma once

#include "analysis/board/board.h"
#include "server/json/json.h"
#include "server/page/looks.h"

typedef struct Library Library;

/* A game in memory; immutable and shared. */
typedef struct {
    const char *id, *name;
    Game *game;
    Board *board;
    char *initial; /* the initial state, as facts */
} OpenGame;

typedef struct {
    Store *store;
    /* Looks inside games; NULL: nothing is known about games before they are opened. */
    Looks *looks;
    size_t max_bytes;    /* memory of open games, at most */
    double idle_seconds; /* after which an open game is put away */
    size_t max_uploads;
} LibraryOptions;

Library *library_create(const LibraryOptions *options, Report *report);
/* Ends a running survey and frees the library, which nobody may use any longer. */
void library_free(Library *library);

/* Adds a file under that name, unless it cannot be read or the name is taken. */
void library_add_file(Library *library, const char *name, const char *path);
/* Adds uploaded rules and writes their id, a hash of name and text, and the key of whoever added
 * them first, which is empty for all others. False with the diagnostics if they cannot be played or
 * there is no room for more. */
bool library_upload(Library *library, const char *name, const char *text, size_t length, Text *id,
                    Text *owner, Report *report);
/* Deletes an upload. False with the reason if it is played, or the key is not the owner's. */
bool library_delete(Library *library, const char *id, const char *owner, bool is_trusted,
                    Report *report);

/* Starts to survey the games in the background. */
void library_start_survey(Library *library);

/* A JSON array of all games with the facts and survey of each. */
void library_list(Library *library, Text *json);
/* One game as a JSON object with its board and first position; false if there is no such game. It
 * builds nothing. */
bool library_describe(Library *library, const char *id, Text *json);
/* The name of a game; false if there is no such game. */
bool library_name(Library *library, const char *id, Text *name);
/* The rules as they were written; false if there is no such game. */
bool library_rules(Library *library, const char *id, Text *rules);
/* A number that grows whenever the answer of library_list changes. */
uint64_t library_version(Library *library);

/* How it stands with a look inside a game; see looks_ask. */
bool library_look(Library *library, const char *id, const char *look, LookWish wish, Text *json,
                  Report *report);

/* Looks at the opening of rules that somebody is still writing, as above. */
bool library_preview(Library *library, const char *text, size_t length, Text *json, Report *report);

/* Returns the game, built if necessary; NULL with the reason. Call library_release_game after use.
 */
const OpenGame *library_acquire_game(Library *library, const char *id, Report *report);
void library_release_game(Library *library, const OpenGame *game);
/* Puts away open games that nobody uses; those that were used a moment ago only if `all`. */
void library_tidy(Library *library, bool all);
/* Memory of the open games, in bytes, as far as it is known. */
size_t library_bytes(Library *library);
