/* The games on offer: files and rules that people brought, each under an id for addresses. What a
 * page shows of a game without playing it is worked out once and kept in the store; games that are
 * played are built when first asked for, one at a time, and kept while there is room. */
#pragma once

#include "analysis/board/board.h"
#include "server/json/json.h"
#include "server/page/store.h"

typedef struct Library Library;

/* A game that is ready. All of it is immutable and shared. */
typedef struct {
    const char *id, *name;
    Game *game;
    Board *board;
    char *board_json;   /* of json_board, as text */
    char *initial;      /* the first state, as facts */
    char *initial_view; /* of json_board_view, as text */
} OpenGame;

/* At most so many games are kept that nobody plays, and so many brought by people. */
Library *library_create(Store *store, size_t most_open, size_t most_uploads, Report *report);
/* Nobody may use it any longer; a survey under way ends soon. */
void library_free(Library *library);

/* Adds a file under its name, unless it cannot be read or the name is taken. */
void library_add_file(Library *library, const char *name, const char *path);
/* Adds rules and writes their id, which is the same for the same name and text. False with the
 * diagnostics if they cannot be played, or if there is no room for more. */
bool library_upload(Library *library, const char *name, const char *text, size_t length, Text *id,
                    Report *report);

/* Begins to work out, in the background, what is not yet known about the games. */
void library_start_survey(Library *library);

/* A JSON array of all games with what is known about them. */
void library_list(Library *library, Text *json);
/* One of them as a JSON object; false if there is no such game. */
bool library_describe(Library *library, const char *id, Text *json);
/* What people call it; false if there is none. */
bool library_name(Library *library, const char *id, Text *name);
/* Its rules as they were written. */
bool library_rules(Library *library, const char *id, Text *rules);
/* Counts up whenever the answer of library_list changes. */
uint64_t library_version(Library *library);

/* What a look inside finds, as JSON; from the store if somebody looked before. Waits at the gate.
 */
bool library_inside(Library *library, const char *id, const char *look, Gate *gate, Text *json,
                    Report *report);

/* The game, built if need be; NULL with the reason. Close it after use. */
const OpenGame *library_open(Library *library, const char *id, Report *report);
void library_close(Library *library, const OpenGame *game);
