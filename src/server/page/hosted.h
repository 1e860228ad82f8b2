/* Tournaments that the page plays, one after the other in a thread of its own. Their searches use
 * the same slots as other matches. A tournament that is not over is resumed after a restart. */
#pragma once

#include "server/page/match_registry.h"

typedef struct TournamentHost TournamentHost;

/* Resumes the tournaments of the store. Matches are listed in the registry, which must outlive it.
 * NULL with the reason. */
TournamentHost *hosted_create(const LiveServices *tools, MatchRegistry *registry, Report *report);
void hosted_free(TournamentHost *hosted);

/* Adds a tournament and writes its name and the key of its owner. The text is as in
 * docs/reference/tournaments.md, with ids of the library as games. Only trusted clients may name
 * players on the network. The time of searches is charged to the client, until the server restarts.
 */
bool hosted_add(TournamentHost *hosted, const char *text, const char *client, bool is_trusted,
                Text *name, Text *owner, Report *report);
/* Ends a tournament for good; the match being played is broken off. False with the reason if it is
 * over, or the key is not its owner's. */
bool hosted_cancel(TournamentHost *hosted, const char *name, const char *owner, bool is_trusted,
                   Report *report);

/* A JSON array of all tournaments: name, state (queued, playing, over, failed, cancelled), results
 * so far. */
void hosted_list(TournamentHost *hosted, Text *json);
/* One tournament with its matches; false if there is none of that name. */
bool hosted_describe(TournamentHost *hosted, const char *name, Text *json);
/* A number that grows whenever a tournament changes. */
uint64_t hosted_version(TournamentHost *hosted);
