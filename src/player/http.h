/* An HTTP server with limits. Each request is read completely and passed to one function, which may
 * take its time; the answer is a text, static bytes or a stream. There are limits on the number of
 * connections, the bytes of a body, the seconds of silence and the seconds until a request is
 * complete. */
#pragma once

#include <stddef.h>

#include "base/report.h"
#include "base/text.h"

typedef struct {
    const char *name, *value;
} HttpPair;

typedef VECTOR(HttpPair) HttpPairs;

/* The texts are valid during the call of the handler. */
typedef struct {
    const char *method, *path; /* the path is percent-decoded and has no query */
    HttpPairs query, headers;
    const char *body;
    size_t length;
    double delay;       /* seconds that request and answer lose on their way, as far as known */
    const char *client; /* numeric address of the client */
} HttpRequest;

enum { HTTP_EXTRA = 3 };

/* An answer in pieces: `next` waits for the next piece and appends it to the empty text; false ends
 * the stream. One thread calls it. */
typedef struct {
    bool (*next)(void *context, Text *piece);
    void (*free)(void *context);
    void *context;
} HttpStream;

typedef struct {
    unsigned status;          /* HTTP status; 200 unless the handler changes it */
    const char *content_type; /* NULL: the content type of the server */
    Text body;
    const void *static_body;      /* static bytes, sent instead of the body if not NULL */
    size_t static_length;         /* bytes */
    HttpStream stream;            /* sent instead of both if `next` is not NULL */
    HttpPair headers[HTTP_EXTRA]; /* more headers; those without a name are not sent */
} HttpAnswer;

/* Several threads call it at the same time. */
typedef void HttpHandler(void *context, const HttpRequest *request, HttpAnswer *answer);

typedef struct {
    const char *address;      /* to listen on; NULL: 127.0.0.1 */
    uint16_t port;            /* 0: any free port */
    size_t max_body_size;     /* bytes; longer bodies are refused with status 413 */
    unsigned max_connections; /* open connections, at most */
    unsigned idle_seconds;    /* seconds of silence after which a connection is closed */
    unsigned request_seconds; /* from the first byte or the last answer to a complete request */
    const char *content_type; /* content type of answers that set none */
    const HttpPair *headers;  /* headers of every answer; the last entry has no name */
    HttpHandler *handler;
    void *context;
} HttpOptions;

typedef struct HttpServer HttpServer;

/* Raises the process's limit of open files, of which every connection needs one, to 4096 if it can.
 */
void http_allow_many_connections(void);
/* Starts to listen and to answer. NULL with the reason in the report. */
HttpServer *http_start(const HttpOptions *options, Report *report);
uint16_t http_port(const HttpServer *server);
/* Waits for running handlers and streams to end, and frees the server. */
void http_stop(HttpServer *server);

/* Returns the value of a parameter or header, ignoring case; NULL if there is none. */
const char *http_find(const HttpPairs *pairs, const char *name);
