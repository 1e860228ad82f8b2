/* All matches of the page: those in memory, those in the store that are resumed when somebody
 * visits them, and those that are over. */
#pragma once

#include "server/page/live.h"

typedef struct Hall Hall;

typedef struct {
    LiveTools tools;
    size_t most_running;  /* matches in memory, at most */
    size_t most_a_client; /* matches that are not over, at most, per client */
} HallOptions;

/* Opens the hall and resumes the stored matches that only searches play. NULL with the reason. */
Hall *hall_create(const HallOptions *options, Report *report);
/* Frees the hall, which nobody may use any longer. Matches that are not over stay in the store. */
void hall_free(Hall *hall);

/* Begins a match and writes its id. Returns the setup with its keys, or NULL with the reason.
 * `wanted` is as for live_check_setup. It may have `from`, an object with `match` and `turn`: the
 * match then continues another match of the same game, from the position after `turn` turns. */
json_t *hall_start(Hall *hall, const json_t *wanted, const char *client, bool is_trusted, Text *id,
                   Report *report);
/* Shows a match that somebody else referees, while it lasts; see live_attend. NULL if there is no
 * room. Call hall_dismiss when the match is over and stored; its record is NULL if the match was
 * broken off. */
LiveMatch *hall_attend(Hall *hall, const MatchSetup *played, const char *client, Report *report);
void hall_dismiss(Hall *hall, LiveMatch *match, const MatchRecord *record);
/* The match with this id, resumed from the store if necessary; NULL with the reason. To be left
 * with hall_leave after use. */
LiveMatch *hall_visit(Hall *hall, const char *id, Report *report);
void hall_leave(Hall *hall, LiveMatch *match);

/* Lists the matches that are not over, newest first, and then the newest of the others with numbers
 * below `before` (0: all). Returns a JSON object. */
json_t *hall_list(Hall *hall, int64_t before, Report *report);
/* Appends an entry of such a list to a JSON array; a MatchVisitor of the store. hall_name_games
 * adds the names of the games afterwards, because a visitor of matches may not call the library. */
void hall_add_stored(void *array, const StoredMatch *match);
void hall_name_games(Hall *hall, json_t *matches);
/* A number that grows when matches begin or end. */
uint64_t hall_version(Hall *hall);
/* Wakes all streams, so that they notice that the site is stopping. */
void hall_wake(Hall *hall);
