/* A bounded HTTP server: each request, read in full, goes to one function, which may take its time;
 * an answer is a text, bytes that live for ever, or a stream. Bounded in all directions:
 * connections, bytes of a body, seconds of silence, seconds until a request is complete. */
#pragma once

#include <stddef.h>

#include "base/report.h"
#include "base/text.h"

typedef struct {
    const char *name, *value;
} HttpPair;

typedef VECTOR(HttpPair) HttpPairs;

/* Texts live as long as the call. */
typedef struct {
    const char *method, *path; /* the path is decoded and has no query */
    HttpPairs query, headers;
    const char *body;
    size_t length;
    const char *client; /* numeric address */
} HttpRequest;

/* An answer that goes on: `next` replaces the piece by what comes next and may wait for it; false
 * ends the stream. Called by one thread. */
typedef struct {
    bool (*next)(void *context, Text *piece);
    void (*free)(void *context);
    void *context;
} HttpStream;

typedef struct {
    unsigned status;          /* 200 at first */
    const char *content_type; /* that of the server at first */
    Text body;
    const void *fixed; /* sent instead of the body if not NULL; never freed */
    size_t fixed_length;
    HttpStream stream;              /* sent instead if it has a function */
    const char *extra, *extra_text; /* one more header, if not NULL */
} HttpAnswer;

/* Called by many threads at once. */
typedef void HttpHandler(void *context, const HttpRequest *request, HttpAnswer *answer);

typedef struct {
    const char *address; /* to listen on; NULL: 127.0.0.1 */
    uint16_t port;       /* 0: any free one */
    size_t body_largest; /* longer ones are answered "413" */
    unsigned connections;
    unsigned idle_seconds;    /* of silence, after which a connection is closed */
    unsigned request_seconds; /* from the first byte, or the last answer, to a whole request */
    const char *content_type;
    const HttpPair *headers; /* of every answer; the last has no name */
    HttpHandler *handler;
    void *context;
} HttpOptions;

typedef struct HttpServer HttpServer;

/* NULL with the reason in the report. */
HttpServer *http_start(const HttpOptions *options, Report *report);
uint16_t http_port(const HttpServer *server);
/* Waits for the handlers under way and for streams to end. */
void http_stop(HttpServer *server);

/* The value of a parameter or header without regard to case; NULL if there is none. */
const char *http_find(const HttpPairs *pairs, const char *name);
