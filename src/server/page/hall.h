/* All matches of the page: those in memory, those in the store that are resumed when somebody
 * visits them, and those that are over. */
#pragma once

#include "server/page/live.h"

typedef struct Hall Hall;

typedef struct {
    LiveTools tools;
    size_t most_running;  /* matches in memory */
    size_t most_a_client; /* matches that are not over, per client */
} HallOptions;

/* Opens the hall and resumes the stored matches among searches. NULL with the reason. */
Hall *hall_create(const HallOptions *options, Report *report);
/* Matches that are not over stay in the store. Nobody may use the hall any longer. */
void hall_free(Hall *hall);

/* Begins a match and writes its id. The setup with its keys, or NULL with the reason. `wanted` is
 * as for live_check_setup, and may have `from`, an object with `match` and `turn`: the match then
 * continues from the position after so many turns of another match of the same game. */
json_t *hall_start(Hall *hall, const json_t *wanted, const char *client, bool is_trusted, Text *id,
                   Report *report);
/* Shows a match that somebody else referees, while it lasts; see live_attend. NULL if there is no
 * room. Dismiss it when it is over and stored; the record is NULL if it was broken off. */
LiveMatch *hall_attend(Hall *hall, const MatchSetup *played, const char *client, Report *report);
void hall_dismiss(Hall *hall, LiveMatch *match, const MatchRecord *record);
/* The match with this id, resumed from the store if necessary; NULL with the reason. To be left
 * with hall_leave after use. */
LiveMatch *hall_visit(Hall *hall, const char *id, Report *report);
void hall_leave(Hall *hall, LiveMatch *match);

/* Matches that are not over, newest first, and then the newest of the others with numbers below
 * `before` (0: all), as a JSON object. */
json_t *hall_list(Hall *hall, int64_t before, Report *report);
/* Appends an entry of such a list to a JSON array; a MatchVisitor of the store. The names of the
 * games are added afterwards by hall_name_games, because a visitor of matches may not call the
 * library. */
void hall_add_stored(void *array, const StoredMatch *match);
void hall_name_games(Hall *hall, json_t *matches);
/* A number that grows when matches begin or end. */
uint64_t hall_version(Hall *hall);
/* Wakes all streams, so that they notice that the site stops. */
void hall_wake(Hall *hall);
