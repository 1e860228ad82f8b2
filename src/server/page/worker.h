/* Runs one look inside a game in a process of its own: `marelle look`, with limits on time and
 * memory. Whatever happens to it, running out of memory included, the caller goes on. */
#pragma once

#include "base/text.h"

typedef struct {
    const char *program; /* path of marelle */
    const char *look;    /* a look of inside.h */
    const char *rules;   /* text of the game */
    size_t length;       /* bytes of the rules */
    double seconds;      /* wall-clock time, after which the process is killed */
    size_t bytes;        /* address space */
    bool is_awaited;     /* nobody can play before it ends: it does not step back */
} WorkerTask;

typedef enum {
    WORKER_DONE,    /* it wrote its answer */
    WORKER_REFUSED, /* it says why it has none */
    WORKER_TIME,
    WORKER_MEMORY,
    WORKER_STOPPED, /* the caller wanted it to end */
    WORKER_FAILED   /* it could not be started, or it crashed */
} WorkerEnd;

/* Runs the task and appends its output, one JSON object; after WORKER_REFUSED the reason, a
 * sentence. `goes_on` is asked several times a second, and ends the process when it says no. */
WorkerEnd worker_run(const WorkerTask *task, bool (*goes_on)(void *context), void *context,
                     Text *answer);
