/* The page and its API: games, matches and tournaments behind one function that answers requests,
 * as docs/reference/api.md describes them. */
#pragma once

#include "base/log.h"
#include "player/http.h"
#include "server/page/match_registry.h"

typedef struct {
    const char *database;
    /* Path of marelle, which looks inside games in processes of their own; NULL: no looks. */
    const char *program;
    /* Required for every request that changes something; NULL: none is required. */
    const char *token;
    bool is_local; /* listens on loopback only, and refuses other host names */
    /* Header in which a proxy on this machine names the client; NULL: nobody is believed. */
    const char *client_header;
    size_t searches; /* searches that may run at the same time, at most */
    size_t bytes;    /* memory of the server with all its processes */
    size_t max_uploads, max_matches_per_client;
    /* A match that nobody has looked at for so long may make room for another, in seconds. */
    double abandoned_seconds;
    double requests_per_second,
        thinking_per_hour; /* limits per client; seconds of search per hour */
} SiteOptions;

typedef struct Site Site;

/* NULL with the reason. */
Site *site_create(const SiteOptions *options, Report *report);
/* Makes requests and streams end soon; to be called before the HTTP server is stopped. */
void site_stop(Site *site);
void site_free(Site *site);

Library *site_library(Site *site);
/* Resumes matches and tournaments; to be called once all games are in the library. */
bool site_open(Site *site, Report *report);

/* Answers one request. Any thread may call it. */
void site_answer(Site *site, const HttpRequest *request, HttpAnswer *answer);

/* The headers of every answer; the last has no name. */
extern const HttpPair site_headers[];
