/* All matches of the page: those in memory, those in the store that go on when somebody looks, and
 * those that are over. */
#pragma once

#include "server/page/live.h"

typedef struct Hall Hall;

typedef struct {
    LiveTools tools;
    size_t most_running; /* matches with a thread */
    size_t most_a_client;
} HallOptions;

/* Goes on with stored matches that need no human. NULL with the reason. */
Hall *hall_create(const HallOptions *options, Report *report);
/* Nobody may use it any longer. Matches that are not over stay in the store. */
void hall_free(Hall *hall);

/* Begins a match and fills its id; the answer is the setup with its keys. NULL with the reason.
 * What is wanted is as live_check_setup takes it, and `from`, an object with `match` and `turn`:
 * the position after so many turns of another match of this game is where this one begins. */
json_t *hall_start(Hall *hall, const json_t *wanted, const char *client, bool is_trusted, Text *id,
                   Report *report);
/* Shows a match that somebody else referees, while it lasts: see live_attend. NULL if there is no
 * room. Dismiss it when it is over and stored, with NULL for a record if it was broken off. */
LiveMatch *hall_attend(Hall *hall, const MatchSetup *played, const char *client, Report *report);
void hall_dismiss(Hall *hall, LiveMatch *match, const MatchRecord *record);
/* The match with this id, brought back from the store if need be; NULL with the reason. Leave it
 * after use. */
LiveMatch *hall_visit(Hall *hall, const char *id, Report *report);
void hall_leave(Hall *hall, LiveMatch *match);

/* Matches that are not over, newest first, and then the newest of the others with numbers below
 * `before` (0: all), as a JSON object. */
json_t *hall_list(Hall *hall, int64_t before, Report *report);
/* Appends one line of such a list to a JSON array, as a visitor of the store; the games get the
 * names that people know them by afterwards, as the library may not be asked while the store is. */
void hall_add_stored(void *array, const StoredMatch *match);
void hall_name_games(Hall *hall, json_t *matches);
/* Counts up when matches begin or end. */
uint64_t hall_version(Hall *hall);
/* Wakes all who wait for something. */
void hall_wake(Hall *hall);
