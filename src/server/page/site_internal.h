/* What the files of site.h share. */
#pragma once

#include "server/page/hosted.h"
#include "server/page/site.h"

enum { SITE_MOST_PARTS = 3 };

struct Site {
    SiteOptions options;
    Store *store;
    SearchSlots *gate;
    Limits *limits;
    Library *library;
    Hall *hall;
    Hosted *hosted;
    bool stopped; /* atomic */
};

/* A request with its handler's arguments. */
typedef struct {
    Site *site;
    const HttpRequest *request;
    const char *parts[SITE_MOST_PARTS]; /* the parts of the path that match {} in the pattern */
    json_t *body;                       /* an object; NULL unless it is a POST */
    bool is_trusted;                    /* has the token, or there is none and the site is local */
} Visit;

typedef void SiteHandler(Visit *visit, HttpAnswer *answer);

typedef struct {
    const char *method, *pattern; /* {} is one part of a path */
    SiteHandler *handler;
} Route;

/* The routes of each file; the last has no method. */
extern const Route game_routes[], match_routes[], tournament_routes[];

/* Answers the object and releases it. */
void site_write(HttpAnswer *answer, json_t *object);
/* Answers the first error of the report, all diagnostics, and the HTTP status for its code. */
void site_complain(HttpAnswer *answer, const Report *report);
void site_refuse(HttpAnswer *answer, unsigned status, const char *code, const char *message);
/* A text of the body; NULL if there is none. */
const char *site_text(const Visit *visit, const char *key);
/* True if the client may start searches; else answers why not. */
bool site_may_think(const Visit *visit, HttpAnswer *answer);
