/* The threads sleep on one condition until there is a loop to join.
 *
 * One mutex protects everything except the job counter of a loop, which the threads increment
 * atomically. A loop lives on the stack of its caller, who returns only after the last helper has
 * left it. */
#define _GNU_SOURCE 1
#include "base/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

enum { WORK_RESERVE = 64 << 20 /* bytes of address space left to work in (untuned) */ };

typedef struct Loop {
    void (*job)(void *context, size_t job, unsigned worker);
    void *context;
    size_t jobs;
    atomic_size_t next; /* next job to take; in the end each thread has incremented it once more */
    unsigned helpers;   /* threads inside the loop, the caller not counted */
} Loop;

typedef struct Worker {
    Pool *pool;
    pthread_t thread;
    unsigned number; /* from 1: 0 is the thread that calls pool_run */
} Worker;

struct Pool {
    pthread_mutex_t mutex;
    pthread_cond_t work;     /* wakes workers: there is a loop, or the pool ends */
    pthread_cond_t finished; /* wakes the caller: the helpers have left the loop */
    Loop *loop;              /* the current loop, or NULL */
    bool stopping;
    unsigned threads; /* workers + 1 */
    Worker workers[];
};

static void draw_jobs(Loop *loop, unsigned worker) {
    size_t job;
    while ((job = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed)) < loop->jobs)
        loop->job(loop->context, job, worker);
}

static bool has_jobs_left(Loop *loop) {
    return loop && atomic_load_explicit(&loop->next, memory_order_relaxed) < loop->jobs;
}

/* Called with the mutex locked. Unlocks it while the jobs run. */
static void help_loop(Pool *pool, unsigned worker) {
    Loop *loop = pool->loop;
    loop->helpers++;
    pthread_mutex_unlock(&pool->mutex);
    draw_jobs(loop, worker);
    pthread_mutex_lock(&pool->mutex);
    if (--loop->helpers == 0)
        pthread_cond_broadcast(&pool->finished);
}

static void *worker_main(void *argument) {
    Worker *worker = argument;
    Pool *pool = worker->pool;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        if (has_jobs_left(pool->loop))
            help_loop(pool, worker->number);
        else if (pool->stopping)
            break;
        else
            pthread_cond_wait(&pool->work, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

unsigned pool_processors(void) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return (unsigned)CPU_COUNT(&allowed);
    /* This machine has more CPUs than a cpu_set_t has room for. */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

static bool start_worker(Pool *pool) {
    Worker *worker = &pool->workers[pool->threads - 1];
    worker->pool = pool;
    worker->number = pool->threads;
    if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
        return false;
    pool->threads++;
    return true;
}

/* As many of these threads as the address space has room for, with some left to work in. */
static unsigned threads_with_room(unsigned threads) {
    size_t stack = 0, room = memory_free_addresses();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_destroy(&attributes);
    size_t most = room > WORK_RESERVE ? 1 + (room - WORK_RESERVE) / stack : 1;
    return threads < most ? threads : (unsigned)most;
}

/* The workers inherit the blocked signals, so that an interrupt reaches the thread that reads
 * input. */
static void start_workers(Pool *pool, unsigned threads) {
    sigset_t interrupts, before;
    threads = threads_with_room(threads);
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    pthread_mutex_lock(&pool->mutex);
    while (pool->threads < threads && start_worker(pool))
        continue;
    pthread_mutex_unlock(&pool->mutex);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

Pool *pool_create(unsigned threads) {
    if (threads == 0)
        threads = pool_processors();
    Pool *pool = memory_zalloc(sizeof *pool + (threads - 1) * sizeof(Worker));
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->finished, NULL);
    pool->threads = 1;
    start_workers(pool, threads);
    return pool;
}

void pool_free(Pool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    assert(!pool->loop);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i + 1 < pool->threads; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

unsigned pool_threads(const Pool *pool) {
    assert(pool);
    return pool->threads;
}

static unsigned number_of_this_thread(const Pool *pool) {
    pthread_t self = pthread_self();
    for (unsigned i = 0; i + 1 < pool->threads; i++)
        if (pthread_equal(self, pool->workers[i].thread))
            return pool->workers[i].number;
    return 0;
}

/* Offers the loop to the workers. False if another loop is running. */
static bool publish_loop(Pool *pool, Loop *loop) {
    pthread_mutex_lock(&pool->mutex);
    bool vacant = !pool->loop;
    if (vacant)
        pool->loop = loop;
    for (size_t i = 1; vacant && i < pool->threads && i < loop->jobs; i++)
        pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    return vacant;
}

static void close_loop(Pool *pool, Loop *loop) {
    pthread_mutex_lock(&pool->mutex);
    while (loop->helpers > 0)
        pthread_cond_wait(&pool->finished, &pool->mutex);
    pool->loop = NULL;
    pthread_mutex_unlock(&pool->mutex);
}

void pool_run(Pool *pool, size_t jobs, void (*job)(void *context, size_t job, unsigned worker),
              void *context) {
    assert(pool && job && jobs <= SIZE_MAX / 2);
    Loop loop = {.job = job, .context = context, .jobs = jobs};
    bool shared = pool->threads > 1 && publish_loop(pool, &loop);
    draw_jobs(&loop, number_of_this_thread(pool));
    if (shared)
        close_loop(pool, &loop);
}
