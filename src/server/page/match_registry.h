/* All matches of the page: those in memory, those in the store that are resumed when somebody
 * visits them, and those that are over. */
#pragma once

#include "server/page/live.h"

typedef struct MatchRegistry MatchRegistry;

typedef struct {
    LiveServices tools;
    size_t max_running;    /* matches in memory, at most */
    size_t max_per_client; /* matches that are not over, at most, per client */
    /* A match in which people play and that nobody has visited for so long, in seconds, is ended
     * when its client begins another one and has too many. */
    double abandoned_seconds;
} MatchRegistryOptions;

/* Opens the registry and resumes the stored matches that only searches play. NULL with the reason.
 */
MatchRegistry *match_registry_create(const MatchRegistryOptions *options, Report *report);
/* Frees the registry, which nobody may use any longer. Matches that are not over stay in the store.
 */
void match_registry_free(MatchRegistry *registry);

/* Begins a match and writes its id. Returns the setup with its keys, or NULL with the reason.
 * `wanted` is as for live_check_setup. It may have `from`, an object with `match` and `turn`: the
 * match then continues another match of the same game, from the position after `turn` turns. */
json_t *match_registry_start(MatchRegistry *registry, const json_t *wanted, const char *client,
                             bool is_trusted, Text *id, Report *report);
/* Shows a match that somebody else referees, while it lasts; see live_attend. NULL if there is no
 * room. Call match_registry_dismiss when the match is over and stored; its record is NULL if the
 * match was broken off. */
LiveMatch *match_registry_attend(MatchRegistry *registry, const MatchSetup *played,
                                 const char *client, Report *report);
void match_registry_dismiss(MatchRegistry *registry, LiveMatch *match, const MatchRecord *record);
/* The match with this id, resumed from the store if necessary; NULL with the reason. To be left
 * with match_registry_leave after use. */
LiveMatch *match_registry_visit(MatchRegistry *registry, const char *id, Report *report);
void match_registry_leave(MatchRegistry *registry, LiveMatch *match);

/* Ends matches that nobody has visited for weeks, and frees memory. */
void match_registry_tidy(MatchRegistry *registry);

/* Called when the server has too little memory: frees what nobody uses, and breaks off one match
 * that is being played, of a game that is interpreted if there is one, since only terms can grow
 * without a bound. */
void match_registry_relieve(MatchRegistry *registry);

/* The matches with these ids, separated by commas, as a JSON array: those that exist. */
json_t *match_registry_find(MatchRegistry *registry, const char *ids, Report *report);

/* Lists the matches that are not over, newest first, and then the newest of the others with numbers
 * below `before` (0: all). Returns a JSON object. */
json_t *match_registry_list(MatchRegistry *registry, int64_t before, Report *report);
/* Appends an entry of such a list to a JSON array; a MatchVisitor of the store.
 * match_registry_name_games adds the names of the games afterwards, because a visitor of matches
 * may not call the library. */
void match_registry_add_stored(void *array, const StoredMatch *match);
void match_registry_name_games(MatchRegistry *registry, json_t *matches);
/* A number that grows when matches begin or end. */
uint64_t match_registry_version(MatchRegistry *registry);
/* Wakes all streams, so that they notice that the site is stopping. */
void match_registry_wake(MatchRegistry *registry);
