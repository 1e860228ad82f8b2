/* libmicrohttpd with a thread for each connection: a PLAY thinks for seconds, and INFO and ABORT
 * must get through meanwhile. A body is gathered piece by piece and dropped once it is too large.
 */
#include "player/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct HttpServer {
    HttpOptions options;
    struct MHD_Daemon *daemon;
    uint16_t port;
    size_t held; /* bytes of bodies being gathered or answered; atomic */
};

typedef struct {
    Text body;
    size_t held;
    unsigned refusal; /* status of the answer if the body was not kept */
} Request;

/* Bodies of that many times the largest size may be held at once. */
enum { BODIES_AT_ONCE = 8 };

static enum MHD_Result reply(HttpServer *server, struct MHD_Connection *connection, unsigned status,
                             const Text *text) {
    struct MHD_Response *response = MHD_create_response_from_buffer(
        text->count, (void *)text_string(text), MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, "Content-Type", server->options.content_type);
    MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    MHD_add_response_header(response, "Access-Control-Allow-Methods", "POST, GET, OPTIONS");
    MHD_add_response_header(response, "Access-Control-Allow-Headers",
                            "Content-Type, Sender, Receiver");
    MHD_add_response_header(response, "Access-Control-Max-Age", "86400");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result reply_plain(HttpServer *server, struct MHD_Connection *connection,
                                   unsigned status, const char *words) {
    Text text = {0};
    text_add(&text, words);
    enum MHD_Result result = reply(server, connection, status, &text);
    vector_free(&text);
    return result;
}

static void release(HttpServer *server, Request *request) {
    vector_free(&request->body);
    __atomic_sub_fetch(&server->held, request->held, __ATOMIC_RELAXED);
    request->held = 0;
}

static void gather(HttpServer *server, Request *request, const char *data, size_t size) {
    size_t largest = server->options.body_largest;
    if (request->refusal)
        return;
    request->held += size;
    size_t all = __atomic_add_fetch(&server->held, size, __ATOMIC_RELAXED);
    if (request->held > largest)
        request->refusal = MHD_HTTP_CONTENT_TOO_LARGE;
    else if (all > largest * BODIES_AT_ONCE)
        request->refusal = MHD_HTTP_SERVICE_UNAVAILABLE;
    if (request->refusal)
        release(server, request);
    else
        text_add_bytes(&request->body, data, size);
}

static void set_idle_limit(struct MHD_Connection *connection, unsigned seconds) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/* Time spent in the handler is no silence of the other side. */
static enum MHD_Result answer_body(HttpServer *server, struct MHD_Connection *connection,
                                   Request *request) {
    if (request->refusal)
        return reply_plain(server, connection, request->refusal, "too much at once");
    Text answer = {0};
    set_idle_limit(connection, 0);
    bool well = server->options.handler(server->options.context, text_string(&request->body),
                                        request->body.count, &answer);
    set_idle_limit(connection, server->options.idle_seconds);
    enum MHD_Result result =
        reply(server, connection, well ? MHD_HTTP_OK : MHD_HTTP_BAD_REQUEST, &answer);
    vector_free(&answer);
    return result;
}

/* Called once for the headers, for each piece of the body, and once at its end. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state) {
    HttpServer *server = context;
    (void)url;
    (void)version;
    if (!*state) {
        *state = memory_zalloc(sizeof(Request));
        return MHD_YES;
    }
    if (*size) {
        gather(server, *state, data, *size);
        *size = 0;
        return MHD_YES;
    }
    if (strcmp(method, "POST") == 0)
        return answer_body(server, connection, *state);
    if (strcmp(method, "OPTIONS") == 0)
        return reply_plain(server, connection, MHD_HTTP_OK, "");
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
        return reply_plain(server, connection, MHD_HTTP_OK,
                           "A Marelle player; messages of the game protocol come as POST.\n");
    return reply_plain(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "POST it");
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode why) {
    Request *request = *state;
    (void)connection;
    (void)why;
    if (!request)
        return;
    release(context, request);
    free(request);
    *state = NULL;
}

static int open_socket(const HttpOptions *options, Report *report) {
    const char *address = options->address ? options->address : "127.0.0.1";
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
    char port[8];
    snprintf(port, sizeof port, "%u", options->port);
    int error = getaddrinfo(address, port, &wanted, &found);
    if (error) {
        report_error(report, "no-address", "cannot listen on `%s`: %s", address,
                     gai_strerror(error));
        return -1;
    }
    int one = 1;
    int handle = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool well = handle >= 0 &&
                setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
                bind(handle, found->ai_addr, found->ai_addrlen) == 0 && listen(handle, 1024) == 0;
    if (!well) {
        report_error(report, "no-address", "cannot listen on %s port %s: %s", address, port,
                     strerror(errno));
        if (handle >= 0)
            close(handle);
        handle = -1;
    }
    freeaddrinfo(found);
    return handle;
}

static uint16_t port_of(int handle) {
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    if (getsockname(handle, (struct sockaddr *)&bound, &size) != 0)
        return 0;
    return ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                             : ((struct sockaddr_in *)&bound)->sin_port);
}

HttpServer *http_start(const HttpOptions *options, Report *report) {
    int handle = open_socket(options, report);
    if (handle < 0)
        return NULL;
    HttpServer *server = memory_zalloc(sizeof *server);
    server->options = *options;
    server->port = port_of(handle);
    server->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
            MHD_USE_ITC,
        0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, handle,
        MHD_OPTION_CONNECTION_LIMIT, options->connections, MHD_OPTION_CONNECTION_TIMEOUT,
        options->idle_seconds, MHD_OPTION_NOTIFY_COMPLETED, on_completed, server,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)8 << 20, MHD_OPTION_END);
    if (server->daemon)
        return server;
    report_error(report, "no-server", "cannot start the HTTP server: %s", strerror(errno));
    close(handle);
    free(server);
    return NULL;
}

uint16_t http_port(const HttpServer *server) {
    return server->port;
}

void http_stop(HttpServer *server) {
    if (!server)
        return;
    MHD_stop_daemon(server->daemon);
    free(server);
}
