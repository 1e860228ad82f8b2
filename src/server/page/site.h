/* The page and its API: games, matches, tournaments behind one function that answers requests.
 * docs/reference/api.md says what can be asked. */
#pragma once

#include "base/log.h"
#include "player/http.h"
#include "server/page/hall.h"

typedef struct {
    const char *database;
    const char *token; /* needed for everything that changes something; NULL: none */
    bool is_local;     /* only this machine can ask: other names for it are refused */
    size_t searches;   /* that think at a time */
    size_t most_uploads, most_matches_a_client;
    double requests_a_second, thinking_an_hour; /* of a client */
} SiteOptions;

typedef struct Site Site;

/* NULL with the reason. */
Site *site_create(const SiteOptions *options, Report *report);
/* Makes requests and streams under way end soon; before the HTTP server is stopped. */
void site_stop(Site *site);
void site_free(Site *site);

Library *site_library(Site *site);
/* Once all games are in the library: goes on with what was under way. */
bool site_open(Site *site, Report *report);

/* Answers one request; any thread. */
void site_answer(Site *site, const HttpRequest *request, HttpAnswer *answer);

/* Headers of every answer. */
extern const HttpPair site_headers[];
