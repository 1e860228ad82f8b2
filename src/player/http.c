/* An HTTP server on libmicrohttpd with one thread per connection: a PLAY takes seconds, and INFO
 * and ABORT must be answered meanwhile. A body is gathered piece by piece and dropped once it is
 * too large. One more thread closes connections that send a request too slowly, such as one byte
 * now and then, which a limit on silence would not stop. */
#include "player/http.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/monitor.h"

/* An open connection. */
typedef struct Link {
    int handle;        /* file descriptor of the socket */
    double since;      /* wall-clock time when it began to wait for a request */
    bool is_answering; /* a request is complete and being handled */
    struct Link *next, *previous;
} Link;

struct HttpServer {
    HttpOptions options;
    struct MHD_Daemon *daemon;
    uint16_t port;
    size_t held; /* bytes of all bodies in memory; atomic */
    Monitor monitor;
    Link links; /* head of a ring; guarded by the monitor */
    pthread_t link_watcher;
    bool is_stopping; /* guarded by the monitor */
};

typedef struct {
    Text body;
    size_t held;
    unsigned refusal; /* HTTP status if the body was dropped; 0: it was not */
    double came;      /* wall-clock time of its first line */
} Request;

enum {
    BODIES_AT_ONCE = 8, /* memory of all bodies, in multiples of the largest allowed (untuned) */
    STREAM_PIECE = 1 << 14, /* bytes of the buffer of a stream (untuned) */
    STACK_BYTES = 8 << 20   /* stack of a connection's thread: searches recurse (untuned) */
};
static const double watch_seconds = 1; /* seconds between checks for slow connections (untuned) */

const char *http_find(const HttpPairs *pairs, const char *name) {
    for (size_t i = 0; i < pairs->count; i++)
        if (strcasecmp(pairs->items[i].name, name) == 0)
            return pairs->items[i].value;
    return NULL;
}

/* ---- answers ---- */

typedef struct {
    HttpStream stream;
    Text piece;
    size_t sent;
} Streaming;

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t most) {
    Streaming *s = context;
    (void)position;
    while (s->sent == s->piece.count) {
        s->sent = 0;
        text_clear(&s->piece);
        if (!s->stream.next(s->stream.context, &s->piece))
            return MHD_CONTENT_READER_END_OF_STREAM;
    }
    size_t count = s->piece.count - s->sent;
    count = count < most ? count : most;
    memcpy(buffer, s->piece.items + s->sent, count);
    s->sent += count;
    return (ssize_t)count;
}

static void free_stream(void *context) {
    Streaming *s = context;
    s->stream.free(s->stream.context);
    vector_free(&s->piece);
    free(s);
}

/* Makes the response, which takes ownership of the stream. */
static struct MHD_Response *make_response(HttpAnswer *answer) {
    if (answer->stream.next) {
        Streaming *s = memory_zalloc(sizeof *s);
        s->stream = answer->stream;
        struct MHD_Response *response = MHD_create_response_from_callback(
            MHD_SIZE_UNKNOWN, STREAM_PIECE, read_stream, s, free_stream);
        if (!response)
            free_stream(s);
        return response;
    }
    if (answer->static_body)
        return MHD_create_response_from_buffer(answer->static_length, (void *)answer->static_body,
                                               MHD_RESPMEM_PERSISTENT);
    return MHD_create_response_from_buffer(answer->body.count, (void *)text_string(&answer->body),
                                           MHD_RESPMEM_MUST_COPY);
}

static enum MHD_Result reply(HttpServer *server, struct MHD_Connection *connection,
                             HttpAnswer *answer) {
    struct MHD_Response *response = make_response(answer);
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, "Content-Type",
                            answer->content_type ? answer->content_type
                                                 : server->options.content_type);
    for (const HttpPair *header = server->options.headers; header && header->name; header++)
        MHD_add_response_header(response, header->name, header->value);
    for (size_t i = 0; i < HTTP_EXTRA; i++)
        if (answer->headers[i].name)
            MHD_add_response_header(response, answer->headers[i].name, answer->headers[i].value);
    enum MHD_Result result = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(HttpServer *server, struct MHD_Connection *connection,
                              unsigned status) {
    HttpAnswer answer = {.status = status, .content_type = "text/plain"};
    text_add(&answer.body, "too much at once");
    enum MHD_Result result = reply(server, connection, &answer);
    vector_free(&answer.body);
    return result;
}

/* ---- requests ---- */

static void release(HttpServer *server, Request *request) {
    vector_free(&request->body);
    __atomic_sub_fetch(&server->held, request->held, __ATOMIC_RELAXED);
    request->held = 0;
}

static void gather(HttpServer *server, Request *request, const char *data, size_t size) {
    size_t largest = server->options.max_body_size;
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

static Link *link_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void set_answering(HttpServer *server, struct MHD_Connection *connection,
                          bool is_answering) {
    Link *link = link_of(connection);
    if (!link)
        return;
    monitor_enter(&server->monitor);
    link->is_answering = is_answering;
    link->since = clock_wall_seconds();
    monitor_leave(&server->monitor);
}

static enum MHD_Result add_pair(void *context, enum MHD_ValueKind kind, const char *name,
                                const char *value) {
    HttpPair pair = {name, value ? value : ""};
    (void)kind;
    vector_push((HttpPairs *)context, pair);
    return MHD_YES;
}

static void write_client(struct MHD_Connection *connection, char *client, size_t size) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    socklen_t length = address && address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                                 : sizeof(struct sockaddr_in);
    if (!address ||
        getnameinfo(address, length, client, (socklen_t)size, NULL, 0, NI_NUMERICHOST) != 0)
        snprintf(client, size, "unknown");
}

/* Seconds of a round trip to the client, as the system measures it; 0 if that is not known. */
static double round_trip(const Link *link) {
    struct tcp_info tcp = {0};
    socklen_t size = sizeof tcp;
    if (link)
        getsockopt(link->handle, IPPROTO_TCP, TCP_INFO, &tcp, &size);
    return 1e-6 * tcp.tcpi_rtt;
}

/* The limit on silence does not apply while the handler runs. */
static enum MHD_Result answer_request(HttpServer *server, struct MHD_Connection *connection,
                                      const char *method, const char *path, Request *body) {
    if (body->refusal)
        return refuse(server, connection, body->refusal);
    char client[64];
    HttpRequest request = {.method = method,
                           .path = path,
                           .body = text_string(&body->body),
                           .length = body->body.count,
                           .delay = clock_wall_seconds() - body->came +
                                    2 * round_trip(link_of(connection)),
                           .client = client};
    HttpAnswer answer = {.status = MHD_HTTP_OK};
    write_client(connection, client, sizeof client);
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, add_pair, &request.query);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, add_pair, &request.headers);
    set_answering(server, connection, true);
    set_idle_limit(connection, 0);
    server->options.handler(server->options.context, &request, &answer);
    set_idle_limit(connection, server->options.idle_seconds);
    enum MHD_Result result = reply(server, connection, &answer);
    vectors_free(&answer.body, &request.query, &request.headers);
    return result;
}

/* libmicrohttpd calls it once for the headers, for each piece of the body, and once at its end. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state) {
    HttpServer *server = context;
    (void)version;
    if (!*state) {
        Request *request = *state = memory_zalloc(sizeof *request);
        request->came = clock_wall_seconds();
        return MHD_YES;
    }
    if (*size) {
        gather(server, *state, data, *size);
        *size = 0;
        return MHD_YES;
    }
    return answer_request(server, connection, method, url, *state);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode why) {
    Request *request = *state;
    (void)why;
    set_answering(context, connection, false);
    if (!request)
        return;
    release(context, request);
    free(request);
    *state = NULL;
}

/* ---- connections ---- */

static void on_connection(void *context, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode what) {
    HttpServer *server = context;
    monitor_enter(&server->monitor);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        Link *link = memory_zalloc(sizeof *link);
        link->handle =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        link->since = clock_wall_seconds();
        link->next = server->links.next;
        link->previous = &server->links;
        link->next->previous = link->previous->next = link;
        *state = link;
    } else if (*state) {
        Link *link = *state;
        link->next->previous = link->previous;
        link->previous->next = link->next;
        free(link);
        *state = NULL;
    }
    monitor_leave(&server->monitor);
}

/* Shuts down the sockets of slow connections. Their threads notice that. */
static void *watch_links(void *context) {
    HttpServer *server = context;
    monitor_enter(&server->monitor);
    while (!server->is_stopping) {
        double now = clock_wall_seconds();
        for (Link *link = server->links.next; link != &server->links; link = link->next)
            if (!link->is_answering && now - link->since > server->options.request_seconds)
                shutdown(link->handle, SHUT_RDWR);
        monitor_wait(&server->monitor, deadline_in(watch_seconds));
    }
    monitor_leave(&server->monitor);
    return NULL;
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
    bool ok = handle >= 0 && setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
              bind(handle, found->ai_addr, found->ai_addrlen) == 0 && listen(handle, 1024) == 0;
    if (!ok) {
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

static struct MHD_Daemon *start_daemon(HttpServer *server, int handle) {
    const HttpOptions *options = &server->options;
    return MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
                                MHD_USE_POLL | MHD_USE_ITC,
                            0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, handle,
                            MHD_OPTION_CONNECTION_LIMIT, options->max_connections,
                            MHD_OPTION_CONNECTION_TIMEOUT, options->idle_seconds,
                            MHD_OPTION_NOTIFY_COMPLETED, on_completed, server,
                            MHD_OPTION_NOTIFY_CONNECTION, on_connection, server,
                            MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_BYTES, MHD_OPTION_END);
}

static void free_server(HttpServer *server) {
    monitor_free(&server->monitor);
    free(server);
}

void http_allow_many_connections(void) {
    enum { OPEN_FILES = 4096 }; /* (untuned) */
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max < OPEN_FILES ? limit.rlim_max : OPEN_FILES;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

HttpServer *http_start(const HttpOptions *options, Report *report) {
    assert(options->handler && options->content_type && options->max_connections);
    int handle = open_socket(options, report);
    if (handle < 0)
        return NULL;
    HttpServer *server = memory_zalloc(sizeof *server);
    server->options = *options;
    server->port = port_of(handle);
    server->links.next = server->links.previous = &server->links;
    monitor_init(&server->monitor);
    if (pthread_create(&server->link_watcher, NULL, watch_links, server) != 0) {
        report_error(report, "no-server", "cannot start a thread");
        close(handle);
        free_server(server);
        return NULL;
    }
    server->daemon = start_daemon(server, handle);
    if (server->daemon)
        return server;
    report_error(report, "no-server", "cannot start the HTTP server: %s", strerror(errno));
    close(handle);
    http_stop(server);
    return NULL;
}

uint16_t http_port(const HttpServer *server) {
    return server->port;
}

void http_stop(HttpServer *server) {
    if (!server)
        return;
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    monitor_enter(&server->monitor);
    server->is_stopping = true;
    monitor_announce(&server->monitor);
    monitor_leave(&server->monitor);
    pthread_join(server->link_watcher, NULL);
    free_server(server);
}
