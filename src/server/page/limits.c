/* Token buckets: they fill with time and are emptied by use. A bucket is brought up to date when it
 * is used. */
#include "server/page/limits.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/vector.h"

enum {
    BURST_SECONDS = 4, /* requests that may come at once, in seconds' worth (untuned) */
    SECONDS_PER_HOUR = 3600,
    MAX_CLIENTS = 4096 /* clients that are remembered, at most (untuned) */
};

typedef struct {
    char *name;
    double requests, thinking; /* requests and seconds of search left at that time */
    double at;                 /* wall-clock time of the last update */
} Client;

struct Limits {
    pthread_mutex_t mutex;
    double requests_per_second, thinking_per_hour;
    VECTOR(Client) clients;
};

Limits *limits_create(double requests_per_second, double thinking_per_hour) {
    Limits *limits = memory_zalloc(sizeof *limits);
    limits->requests_per_second = requests_per_second;
    limits->thinking_per_hour = thinking_per_hour;
    pthread_mutex_init(&limits->mutex, NULL);
    return limits;
}

void limits_free(Limits *limits) {
    if (!limits)
        return;
    for (size_t i = 0; i < limits->clients.count; i++)
        free(limits->clients.items[i].name);
    vector_free(&limits->clients);
    pthread_mutex_destroy(&limits->mutex);
    free(limits);
}

static void fill(const Limits *limits, Client *client, double now) {
    double passed = now > client->at ? now - client->at : 0;
    client->requests = fmin(client->requests + passed * limits->requests_per_second,
                            limits->requests_per_second * BURST_SECONDS);
    client->thinking =
        fmin(client->thinking + passed * limits->thinking_per_hour / SECONDS_PER_HOUR,
             limits->thinking_per_hour);
    client->at = now;
}

/* Adds a client. If there are too many, it replaces the one that has been silent for longest. */
static Client *new_client(Limits *limits, const char *name, double now) {
    Client *client = NULL;
    if (limits->clients.count < MAX_CLIENTS) {
        client = vector_extend(&limits->clients, 1);
    } else {
        client = &limits->clients.items[0];
        for (size_t i = 1; i < limits->clients.count; i++)
            if (limits->clients.items[i].at < client->at)
                client = &limits->clients.items[i];
        free(client->name);
    }
    *client = (Client){.name = memory_strdup(name),
                       .requests = limits->requests_per_second * BURST_SECONDS,
                       .thinking = limits->thinking_per_hour,
                       .at = now};
    return client;
}

/* Call with the mutex locked. */
static Client *find(Limits *limits, const char *name, double now) {
    for (size_t i = 0; i < limits->clients.count; i++)
        if (strcmp(limits->clients.items[i].name, name) == 0) {
            fill(limits, &limits->clients.items[i], now);
            return &limits->clients.items[i];
        }
    return new_client(limits, name, now);
}

bool limits_request(Limits *limits, const char *client, double now) {
    pthread_mutex_lock(&limits->mutex);
    Client *c = find(limits, client, now);
    bool ok = c->requests >= 1;
    c->requests -= ok;
    pthread_mutex_unlock(&limits->mutex);
    return ok;
}

bool limits_may_think(Limits *limits, const char *client, double now) {
    pthread_mutex_lock(&limits->mutex);
    bool ok = find(limits, client, now)->thinking > 0;
    pthread_mutex_unlock(&limits->mutex);
    return ok;
}

void limits_spend(Limits *limits, const char *client, double seconds, double now) {
    assert(seconds >= 0);
    pthread_mutex_lock(&limits->mutex);
    find(limits, client, now)->thinking -= seconds;
    pthread_mutex_unlock(&limits->mutex);
}
