/* A worker sends the result of its last job, or a greeting at the start. The answer is a job, or
 * that there is none. The worker waits until the answer comes. */
#include "cluster/farm.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

typedef struct {
    uint64_t job;
    enum { GREETING, DONE, FAILED, JOB, NO_JOB } kind;
} Header;

typedef struct {
    Cluster *cluster;
    const Farm *farm;
    pthread_mutex_t lock; /* protects `next` and `done` */
} Dispatcher;

static void write_message(Text *message, Header header, const Text *body) {
    text_clear(message);
    text_add_bytes(message, (const char *)&header, sizeof header);
    if (body)
        text_add_bytes(message, text_string(body), body->count);
}

static Header read_message(const Text *message, Text *body) {
    Header header = {0, NO_JOB};
    text_clear(body);
    if (message->count >= sizeof header) {
        memcpy(&header, message->items, sizeof header);
        text_add_bytes(body, message->items + sizeof header, message->count - sizeof header);
    }
    return header;
}

static FarmNext take_job(Dispatcher *dispatcher, uint64_t *job, Text *order) {
    const Farm *farm = dispatcher->farm;
    text_clear(order);
    pthread_mutex_lock(&dispatcher->lock);
    FarmNext next = farm->next(farm->context, job);
    if (next == FARM_JOB && farm->describe)
        farm->describe(farm->context, *job, order);
    pthread_mutex_unlock(&dispatcher->lock);
    return next;
}

static void hand_in(Dispatcher *dispatcher, uint64_t job, bool is_ok, const Text *result) {
    pthread_mutex_lock(&dispatcher->lock);
    dispatcher->farm->done(dispatcher->farm->context, job, is_ok, result);
    pthread_mutex_unlock(&dispatcher->lock);
}

/* Gives jobs to the waiting workers. Returns how many were told that no job is left. */
static unsigned answer(Dispatcher *dispatcher, U32Vector *waiting) {
    unsigned gone = 0;
    Text order = {0}, message = {0};
    while (waiting->count) {
        Header answer = {0, JOB};
        FarmNext next = take_job(dispatcher, &answer.job, &order);
        if (next == FARM_LATER)
            break;
        if (next == FARM_NONE) {
            answer.kind = NO_JOB;
            gone++;
        }
        write_message(&message, answer, &order);
        cluster_send(dispatcher->cluster, vector_pop(waiting), &message);
    }
    vectors_free(&order, &message);
    return gone;
}

/* Answers workers until each of them has been told that no job is left. */
static void *serve(void *context) {
    Dispatcher *dispatcher = context;
    Text message = {0}, body = {0};
    U32Vector waiting = {0};
    for (unsigned working = cluster_size(dispatcher->cluster) - 1; working;) {
        unsigned from;
        if (cluster_receive(dispatcher->cluster, &from, &message)) {
            Header header = read_message(&message, &body);
            if (header.kind != GREETING)
                hand_in(dispatcher, header.job, header.kind == DONE, &body);
            vector_push(&waiting, from);
        } else {
            cluster_rest();
        }
        working -= answer(dispatcher, &waiting);
    }
    vectors_free(&message, &body, &waiting);
    return NULL;
}

static void run_dispatcher(Dispatcher *dispatcher) {
    Text order = {0}, result = {0};
    uint64_t job;
    for (FarmNext next; (next = take_job(dispatcher, &job, &order)) != FARM_NONE;) {
        if (next == FARM_LATER) {
            cluster_rest();
            continue;
        }
        text_clear(&result);
        bool is_ok = dispatcher->farm->run(dispatcher->farm->context, job, &order, &result);
        hand_in(dispatcher, job, is_ok, &result);
    }
    vectors_free(&order, &result);
}

static void work_outside(Cluster *cluster, const Farm *farm) {
    Text message = {0}, order = {0}, result = {0};
    Header header = {0, GREETING};
    for (;;) {
        unsigned from;
        write_message(&message, header, &result);
        cluster_send(cluster, 0, &message);
        while (!cluster_receive(cluster, &from, &message))
            cluster_rest();
        header = read_message(&message, &order);
        if (header.kind != JOB)
            break;
        text_clear(&result);
        header.kind = farm->run(farm->context, header.job, &order, &result) ? DONE : FAILED;
    }
    vectors_free(&message, &order, &result);
}

void farm_run(Cluster *cluster, const Farm *farm) {
    assert(farm->next && farm->run && farm->done);
    Dispatcher dispatcher = {.cluster = cluster, .farm = farm};
    pthread_t server;
    if (cluster_rank(cluster) != 0) {
        work_outside(cluster, farm);
        return;
    }
    pthread_mutex_init(&dispatcher.lock, NULL);
    bool has_server =
        cluster_size(cluster) > 1 && pthread_create(&server, NULL, serve, &dispatcher) == 0;
    run_dispatcher(&dispatcher);
    if (has_server)
        pthread_join(server, NULL);
    else if (cluster_size(cluster) > 1)
        serve(&dispatcher);
    pthread_mutex_destroy(&dispatcher.lock);
}
