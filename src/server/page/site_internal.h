/* What the files of site.h share. */
#pragma once

#include "server/page/hosted.h"
#include "server/page/site.h"

enum { SITE_MOST_PARTS = 3 };

struct Site {
    SiteOptions options;
    Store *store;
    Gate *gate;
    Limits *limits;
    Library *library;
    Hall *hall;
    Hosted *hosted;
    bool stopped; /* atomic */
};

/* A request that found its handler. */
typedef struct {
    Site *site;
    const HttpRequest *request;
    const char *parts[SITE_MOST_PARTS]; /* what stands for each {} of the pattern */
    json_t *body;                       /* of a POST: an object */
    bool is_trusted;
} Visit;

typedef void SiteHandler(Visit *visit, HttpAnswer *answer);

typedef struct {
    const char *method, *pattern; /* {} is one part of a path */
    SiteHandler *handler;
} Route;

/* The routes of each file; the last has no method. */
extern const Route game_routes[], match_routes[], tournament_routes[];

/* Writes the object and lets it go. */
void site_write(HttpAnswer *answer, json_t *object);
/* The first error of the report, with its diagnostics, and a status that fits its code. */
void site_complain(HttpAnswer *answer, const Report *report);
void site_refuse(HttpAnswer *answer, unsigned status, const char *code, const char *message);
/* A text of the body; NULL if there is none. */
const char *site_text(const Visit *visit, const char *key);
