/* The games of the page: files and uploaded rules, each with an id for URLs. Data that the page
 * shows about a game without playing it are computed once and stored. A game that is played is
 * built when it is first opened, one game at a time, and kept in memory while there is room. */
#pragma once

#include "analysis/board/board.h"
#include "server/json/json.h"
#include "server/store/store.h"

typedef struct Library Library;

/* A game in memory; immutable and shared. */
typedef struct {
    const char *id, *name;
    Game *game;
    Board *board;
    char *board_json;   /* text of boards_json */
    char *initial;      /* the initial state, as facts */
    char *initial_view; /* text of board_view_json of the initial state */
} OpenGame;

/* Keeps at most `max_open` games in memory that nobody uses, and accepts `max_uploads`
 * uploads. */
Library *library_create(Store *store, size_t max_open, size_t max_uploads, Report *report);
/* Ends a running survey and frees the library, which nobody may use any longer. */
void library_free(Library *library);

/* Adds a file under that name, unless it cannot be read or the name is taken. */
void library_add_file(Library *library, const char *name, const char *path);
/* Adds uploaded rules and writes their id, a hash of name and text. False with the diagnostics if
 * they cannot be played or there is no room for more. */
bool library_upload(Library *library, const char *name, const char *text, size_t length, Text *id,
                    Report *report);

/* Starts to survey the games in the background; see survey.h. */
void library_start_survey(Library *library);

/* A JSON array of all games with the facts and survey of each. */
void library_list(Library *library, Text *json);
/* One game as a JSON object; false if there is no such game. */
bool library_describe(Library *library, const char *id, Text *json);
/* The name of a game; false if there is no such game. */
bool library_name(Library *library, const char *id, Text *name);
/* The rules as they were written; false if there is no such game. */
bool library_rules(Library *library, const char *id, Text *rules);
/* A number that grows whenever the answer of library_list changes. */
uint64_t library_version(Library *library);

/* Writes the findings of a look (inside.h) as JSON, from the store if somebody looked before. Waits
 * for a slot. */
bool library_inside(Library *library, const char *id, const char *look, SearchSlots *slots,
                    Text *json, Report *report);

/* Returns the game, built if necessary; NULL with the reason. Call library_release_game after use.
 */
const OpenGame *library_acquire_game(Library *library, const char *id, Report *report);
void library_release_game(Library *library, const OpenGame *game);
