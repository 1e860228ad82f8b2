/* A pool of threads for parallel loops. The caller of a loop takes its share of the jobs, so
 * nothing deadlocks for lack of a free thread, and a pool of one thread, which creates none,
 * behaves like plain calls. */
#pragma once

#include <stddef.h>

typedef struct Pool Pool;

/* A pool of so many threads, the caller included, or of fewer if threads run out; 0 means one per
 * CPU that the process may use. Its threads block SIGINT and SIGTERM. */
Pool *pool_create(unsigned threads);

/* Joins the threads and frees the pool. NULL is allowed. No pool_run may be in progress. */
void pool_free(Pool *pool);

/* The number of threads, the caller included. Worker numbers are below it. */
unsigned pool_threads(const Pool *pool);
/* The number of processors that this process may use. */
unsigned pool_processors(void);

/* Runs job(context, 0, ..) to job(context, jobs - 1, ..) and returns when all are done. Each thread
 * takes the next job when it is free; a pool of one runs them in order. `worker` identifies the
 * thread, for scratch memory: 0 is the caller, or any thread outside the pool. If another pool_run
 * is in progress, as when a job calls it, all jobs run in the calling thread. */
void pool_run(Pool *pool, size_t jobs, void (*job)(void *context, size_t job, unsigned worker),
              void *context);
