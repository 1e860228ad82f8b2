/* A small HTTP server for POST bodies: each request goes to one function, which may take its time.
 * Bounded in all directions: connections, bytes of a body, seconds of silence. */
#ifndef MARELLE_PLAYER_HTTP_H
#define MARELLE_PLAYER_HTTP_H

#include <stddef.h>

#include "base/report.h"
#include "base/text.h"

/* Appends the answer; false makes it "400 Bad Request". Called by many threads at once. */
typedef bool HttpHandler(void *context, const char *body, size_t length, Text *answer);

typedef struct {
    const char *address; /* to listen on; NULL: 127.0.0.1 */
    uint16_t port;       /* 0: any free one */
    size_t body_largest; /* longer ones are answered "413" */
    unsigned connections;
    unsigned idle_seconds; /* of silence, after which a connection is closed */
    const char *content_type;
    HttpHandler *handler;
    void *context;
} HttpOptions;

typedef struct HttpServer HttpServer;

/* NULL with the reason in the report. */
HttpServer *http_start(const HttpOptions *options, Report *report);
uint16_t http_port(const HttpServer *server);
/* Waits for the handlers under way. */
void http_stop(HttpServer *server);

#endif
