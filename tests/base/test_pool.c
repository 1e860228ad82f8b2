/* Tests thread pools: every job runs once, no thread waits forever, and one thread gives the same
 * results. Criterion's asserts work only in its own thread, so jobs count mistakes instead. */
#define _GNU_SOURCE 1
#include "base/pool.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "../support.h"

enum { JOBS = 1000, THREADS = 4 };

typedef struct Tally {
    Pool *pool;
    atomic_int runs[JOBS];
    atomic_int total;
    atomic_int busy[THREADS];
    atomic_int mistakes;
    size_t order[JOBS];
} Tally;

static void tally_job(void *context, size_t job, unsigned worker) {
    Tally *tally = context;
    if (worker >= pool_threads(tally->pool) || atomic_fetch_add(&tally->busy[worker], 1) != 0)
        tally->mistakes++;
    atomic_fetch_add(&tally->runs[job], 1);
    tally->order[atomic_fetch_add(&tally->total, 1)] = job;
    atomic_fetch_sub(&tally->busy[worker], 1);
}

Test(pool, runs_every_job_exactly_once) {
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        static Tally tally;
        memset(&tally, 0, sizeof tally);
        tally.pool = pool_create(threads);
        cr_assert_not_null(tally.pool);
        cr_assert_eq(pool_threads(tally.pool), threads);
        pool_run(tally.pool, JOBS, tally_job, &tally);
        for (int i = 0; i < JOBS; i++)
            cr_assert_eq(tally.runs[i], 1);
        cr_assert_eq(tally.mistakes, 0, "two threads with one number");
        pool_free(tally.pool);
    }
}

Test(pool, of_one_runs_jobs_in_order_in_the_calling_thread) {
    static Tally tally;
    tally.pool = pool_create(1);
    pool_run(tally.pool, JOBS, tally_job, &tally);
    for (size_t i = 0; i < JOBS; i++)
        cr_assert_eq(tally.order[i], i);
    pool_free(tally.pool);
}

static void count_job(void *context, size_t job, unsigned worker) {
    (void)job, (void)worker;
    atomic_fetch_add((atomic_int *)context, 1);
}

Test(pool, short_loops_follow_each_other_without_loss) {
    Pool *pool = pool_create(THREADS);
    atomic_int count = 0;
    int expected = 0;
    for (int loop = 0; loop < 3000; loop++) {
        size_t jobs = (size_t)loop % 7;
        pool_run(pool, jobs, count_job, &count);
        expected += (int)jobs;
        cr_assert_eq(count, expected, "all jobs are done when pool_run returns");
    }
    pool_free(pool);
}

/* Passes only if all threads are inside at the same time. */
static void meet_job(void *context, size_t job, unsigned worker) {
    (void)job, (void)worker;
    pthread_barrier_wait(context);
}

Test(pool, jobs_run_at_the_same_time, .timeout = 600) {
    Pool *pool = pool_create(THREADS);
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < 100; i++)
        pool_run(pool, THREADS, meet_job, &barrier);
    pthread_barrier_destroy(&barrier);
    pool_free(pool);
}

static void rest_a_little(void) {
    nanosleep(&(struct timespec){0, 200000}, NULL);
}

typedef struct Slow {
    pthread_barrier_t all_inside;
    atomic_int finished;
} Slow;

static void slow_unless_caller(void *context, size_t job, unsigned worker) {
    (void)job;
    Slow *slow = context;
    pthread_barrier_wait(&slow->all_inside);
    if (worker > 0)
        rest_a_little();
    slow->finished++;
}

Test(pool, caller_waits_for_the_slowest_helper, .timeout = 600) {
    Pool *pool = pool_create(THREADS);
    Slow slow = {.finished = 0};
    pthread_barrier_init(&slow.all_inside, NULL, THREADS);
    for (int i = 1; i <= 20; i++) {
        pool_run(pool, THREADS, slow_unless_caller, &slow);
        cr_assert_eq(slow.finished, i * THREADS);
    }
    pool_free(pool);
    pthread_barrier_destroy(&slow.all_inside);
}

typedef struct Nest {
    Pool *pool;
    atomic_int inner_jobs;
    atomic_int mistakes;
} Nest;

typedef struct Inner {
    pthread_t thread;
    unsigned worker;
    size_t next;
    Nest *nest;
} Inner;

static void inner_job(void *context, size_t job, unsigned worker) {
    Inner *inner = context;
    if (!pthread_equal(pthread_self(), inner->thread) || worker != inner->worker)
        inner->nest->mistakes++;
    else if (job != inner->next++)
        inner->nest->mistakes++;
    inner->nest->inner_jobs++;
    rest_a_little();
}

static void outer_job(void *context, size_t job, unsigned worker) {
    (void)job;
    Nest *nest = context;
    Inner inner = {pthread_self(), worker, 0, nest};
    pool_run(nest->pool, 10, inner_job, &inner);
}

/* There are fewer jobs than threads, so that idle threads could take the inner jobs. */
Test(pool, nested_loop_runs_inline_under_the_number_of_its_thread) {
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        Nest nest = {.pool = pool_create(threads)};
        for (int i = 0; i < 10; i++)
            pool_run(nest.pool, 2, outer_job, &nest);
        cr_assert_eq(nest.inner_jobs, 200);
        cr_assert_eq(nest.mistakes, 0);
        pool_free(nest.pool);
    }
}

static void *run_many_loops(void *context) {
    Nest *nest = context;
    for (int i = 0; i < 300; i++)
        pool_run(nest->pool, 10, count_job, &nest->inner_jobs);
    return NULL;
}

Test(pool, may_be_shared_by_outside_threads) {
    Nest nest = {.pool = pool_create(THREADS)};
    pthread_t others[3];
    for (int i = 0; i < 3; i++)
        cr_assert_eq(pthread_create(&others[i], NULL, run_many_loops, &nest), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(others[i], NULL);
    cr_assert_eq(nest.inner_jobs, 3 * 300 * 10);
    pool_free(nest.pool);
}

Test(pool, destroy_takes_null) {
    pool_free(NULL);
}

Test(pool, of_no_size_has_a_thread_for_each_cpu_allowed) {
    cpu_set_t allowed;
    cr_assert_eq(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    Pool *pool = pool_create(0);
    cr_assert_eq(pool_threads(pool), (unsigned)CPU_COUNT(&allowed));
    pool_free(pool);
    int first = 0;
    while (!CPU_ISSET(first, &allowed))
        first++;
    CPU_ZERO(&allowed);
    CPU_SET(first, &allowed);
    cr_assert_eq(sched_setaffinity(0, sizeof allowed, &allowed), 0);
    pool = pool_create(0);
    cr_assert_eq(pool_threads(pool), 1);
    pool_free(pool);
}

typedef struct Masks {
    pthread_barrier_t all_inside;
    sigset_t of_worker[THREADS];
} Masks;

static void note_mask(void *context, size_t job, unsigned worker) {
    (void)job;
    Masks *masks = context;
    pthread_sigmask(SIG_SETMASK, NULL, &masks->of_worker[worker]);
    pthread_barrier_wait(&masks->all_inside);
}

Test(pool, leaves_interrupts_to_the_threads_of_the_program, .timeout = 600) {
    Pool *pool = pool_create(THREADS);
    Masks masks;
    pthread_barrier_init(&masks.all_inside, NULL, THREADS);
    pool_run(pool, THREADS, note_mask, &masks);
    for (int worker = 0; worker < THREADS; worker++) {
        cr_assert_eq(sigismember(&masks.of_worker[worker], SIGINT), worker > 0);
        cr_assert_eq(sigismember(&masks.of_worker[worker], SIGTERM), worker > 0);
        cr_assert_eq(sigismember(&masks.of_worker[worker], SIGSEGV), 0);
    }
    pool_free(pool);
    pthread_barrier_destroy(&masks.all_inside);
}

#ifndef MEMORY_SANITIZED
/* Sanitizers reserve far more address space than the limit leaves. */
static void count_one(void *context, size_t job, unsigned worker) {
    (void)job, (void)worker;
    atomic_fetch_add((atomic_uint *)context, 1);
}

Test(pool, has_fewer_threads_when_they_run_out) {
    struct rlimit limit = {1 << 30, 1 << 30};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    if (mmap(NULL, limit.rlim_cur, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        cr_skip_test("the system ignores limits");
    Pool *pool = pool_create(10000);
    atomic_uint done = 0;
    cr_assert_not_null(pool);
    cr_expect_lt(pool_threads(pool), 10000);
    pool_run(pool, 500, count_one, &done);
    cr_expect_eq(done, 500);
    pool_free(pool);
}
#endif
