/* Tests the HTTP server: requests arrive complete, and connections that are too slow are closed. */
#include "player/http.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void answer(void *context, const HttpRequest *request, HttpAnswer *answer) {
    const char *name = http_find(&request->query, "name");
    (void)context;
    answer->headers[0] = (HttpPair){"X-Seen", request->client};
    text_printf(&answer->body, "%s %s %s %zu", request->method, request->path, name ? name : "-",
                request->length);
}

static HttpServer *start(void) {
    Report report = {0};
    static const HttpPair headers[] = {{"X-All", "yes"}, {NULL, NULL}};
    HttpServer *server = http_start(&(HttpOptions){.max_body_size = 1000,
                                                   .max_connections = 50,
                                                   .idle_seconds = 30,
                                                   .request_seconds = 1,
                                                   .content_type = "text/plain",
                                                   .headers = headers,
                                                   .handler = answer},
                                    &report);
    cr_assert(server);
    return server;
}

static int call(const HttpServer *server) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(http_port(server)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int handle = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(connect(handle, (struct sockaddr *)&address, sizeof address) == 0);
    return handle;
}

/* Reads from the server until it closes the connection or stops sending. */
static void read_all(int handle, char *text, size_t size) {
    size_t count = 0;
    struct pollfd ready = {.fd = handle, .events = POLLIN};
    while (count + 1 < size && poll(&ready, 1, 500) > 0) {
        ssize_t got = read(handle, text + count, size - count - 1);
        if (got <= 0)
            break;
        count += (size_t)got;
    }
    text[count] = '\0';
}

Test(http, requests_arrive_whole) {
    HttpServer *server = start();
    char text[2000];
    const char *request =
        "POST /a/b?name=x%20y HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nhello";
    int handle = call(server);
    cr_assert(write(handle, request, strlen(request)) > 0);
    read_all(handle, text, sizeof text);
    cr_assert(strstr(text, "POST /a/b x y 5"), "%s", text);
    cr_assert(strstr(text, "X-All: yes") && strstr(text, "X-Seen: 127.0.0.1"), "%s", text);
    close(handle);
    http_stop(server);
}

Test(http, whoever_dawdles_is_hung_up_on) {
    HttpServer *server = start();
    const char *request = "GET / HTTP/1.1\r\nHost: here\r\nX-Slow: ";
    int handle = call(server);
    bool is_open = write(handle, request, strlen(request)) > 0;
    cr_assert(is_open);
    while (is_open) { /* if the server waits for ever, the test hangs */
        usleep(100000);
        is_open = send(handle, "a", 1, MSG_NOSIGNAL) == 1;
    }
    close(handle);
    http_stop(server);
}
