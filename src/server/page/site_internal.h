/* Types and functions shared by the files that implement site.h. */
#pragma once

#include "server/page/hosted.h"
#include "server/page/site.h"

enum { SITE_MAX_PARTS = 3 };

struct Site {
    SiteOptions options;
    Store *store;
    SearchSlots *slots;
    Limits *limits;
    Looks *looks;
    Library *library;
    pthread_t tidier;
    bool has_tidier;
    MatchRegistry *registry;
    TournamentHost *hosted;
    bool stopped;      /* atomic: true when the site is stopping */
    unsigned thinkers; /* atomic: searches that people watch think */
};

/* A request with its handler's arguments. */
typedef struct {
    Site *site;
    const HttpRequest *request;
    const char *client;                /* whom limits are counted for */
    const char *parts[SITE_MAX_PARTS]; /* segments of the path that match {} in the pattern */
    json_t *body;                      /* JSON object of a POST; else NULL */
    /* The request has the token, or the site is local and has none. */
    bool is_trusted;
    LiveMatch *match; /* the match that the path names; NULL for routes that need none */
    uint32_t role;    /* role of the client's key in the match; LIVE_NOBODY without a right key */
    Report report;
} Visit;

/* Writes the answer, which may be a refusal. Returns false if the report says what went wrong. */
typedef bool SiteHandler(Visit *visit, HttpAnswer *answer);

typedef enum { NEEDS_NOTHING, NEEDS_MATCH, NEEDS_SEAT } RouteNeed;

typedef struct {
    const char *method, *pattern; /* {} in a pattern matches one segment of a path */
    SiteHandler *handler;
    RouteNeed need; /* the first segment names a match; the client must have a seat in it */
} Route;

/* The routes of each file; the last entry has no method. */
extern const Route game_routes[], match_routes[], tournament_routes[];

/* Replaces the body by a compressed one if the client takes that and it is worth it. */
void site_compress(const HttpRequest *request, HttpAnswer *answer);
/* Names the content, so that a browser need not load it twice. The body is dropped if the client
 * has it. */
void site_tag(const HttpRequest *request, HttpAnswer *answer);

/* Answers with the object and releases it. */
void site_write(HttpAnswer *answer, json_t *object);
/* Answers with an error. Returns true: the request is answered. */
bool site_refuse(HttpAnswer *answer, unsigned status, const char *code, const char *message);
/* Returns a text of the body; NULL if there is none. */
const char *site_text(const Visit *visit, const char *key);
/* True if the client may start searches. Else the answer says why not. */
bool site_may_think(const Visit *visit, HttpAnswer *answer);
