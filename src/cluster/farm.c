/* A worker's message is the result of its last job, or a greeting; the answer is a job, or the word
 * that there is none. */
#include "cluster/farm.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

typedef struct {
    uint64_t job;
    enum { GREETING, DONE, FAILED, JOB, NO_JOB } kind;
} Header;

typedef struct {
    Cluster *cluster;
    const Farm *farm;
    pthread_mutex_t lock; /* around `next` and `done` */
} Office;

static void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

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

static bool take_job(Office *office, uint64_t *job) {
    pthread_mutex_lock(&office->lock);
    bool found = office->farm->next(office->farm->context, job);
    pthread_mutex_unlock(&office->lock);
    return found;
}

static void hand_in(Office *office, uint64_t job, bool is_well, const Text *result) {
    pthread_mutex_lock(&office->lock);
    office->farm->done(office->farm->context, job, is_well, result);
    pthread_mutex_unlock(&office->lock);
}

/* Answers the others until each has been told that there is nothing left. */
static void *serve(void *context) {
    Office *office = context;
    Text message = {0}, body = {0};
    for (unsigned working = cluster_size(office->cluster) - 1; working;) {
        unsigned from;
        Header answer = {0, JOB};
        if (!cluster_receive(office->cluster, &from, &message)) {
            rest();
            continue;
        }
        Header header = read_message(&message, &body);
        if (header.kind != GREETING)
            hand_in(office, header.job, header.kind == DONE, &body);
        if (!take_job(office, &answer.job)) {
            answer.kind = NO_JOB;
            working--;
        }
        write_message(&message, answer, NULL);
        cluster_send(office->cluster, from, &message);
    }
    vector_free(&message);
    vector_free(&body);
    return NULL;
}

static void work_in_the_office(Office *office) {
    Text result = {0};
    for (uint64_t job; take_job(office, &job);) {
        text_clear(&result);
        bool is_well = office->farm->run(office->farm->context, job, &result);
        hand_in(office, job, is_well, &result);
    }
    vector_free(&result);
}

static void work_outside(Cluster *cluster, const Farm *farm) {
    Text message = {0}, result = {0};
    Header header = {0, GREETING};
    for (;;) {
        unsigned from;
        write_message(&message, header, &result);
        cluster_send(cluster, 0, &message);
        while (!cluster_receive(cluster, &from, &message))
            rest();
        header = read_message(&message, &result);
        if (header.kind != JOB)
            break;
        text_clear(&result);
        header.kind = farm->run(farm->context, header.job, &result) ? DONE : FAILED;
    }
    vector_free(&message);
    vector_free(&result);
}

void farm_run(Cluster *cluster, const Farm *farm) {
    Office office = {.cluster = cluster, .farm = farm};
    pthread_t server;
    if (cluster_rank(cluster) != 0) {
        work_outside(cluster, farm);
        return;
    }
    pthread_mutex_init(&office.lock, NULL);
    bool has_server =
        cluster_size(cluster) > 1 && pthread_create(&server, NULL, serve, &office) == 0;
    work_in_the_office(&office);
    if (has_server)
        pthread_join(server, NULL);
    else if (cluster_size(cluster) > 1)
        serve(&office);
    pthread_mutex_destroy(&office.lock);
}
