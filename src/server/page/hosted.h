/* Tournaments that the page plays, one after the other in a thread of its own, through the gate
 * that matches of people pass as well. What is not over goes on after a restart. */
#pragma once

#include "server/page/hall.h"

typedef struct Hosted Hosted;

/* Goes on with what the store has; matches are shown in the hall, which must outlive it. NULL with
 * the reason. */
Hosted *hosted_create(const LiveTools *tools, Hall *hall, Report *report);
void hosted_free(Hosted *hosted);

/* Adds a tournament as docs/reference/tournaments.md describes it, with ids of the library as
 * games; its name goes to `name`. Players on the network need trust. Until the next start, searches
 * think on the account of the client. */
bool hosted_add(Hosted *hosted, const char *text, const char *client, bool is_trusted, Text *name,
                Report *report);

/* A JSON array: name, state (queued, playing, over, failed), and results as far as they go. */
void hosted_list(Hosted *hosted, Text *json);
/* One of them, with its matches; false if there is none of that name. */
bool hosted_describe(Hosted *hosted, const char *name, Text *json);
/* Counts up whenever one of them changes. */
uint64_t hosted_version(Hosted *hosted);
