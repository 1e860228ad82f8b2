/* Tests clocks. Only properties that hold on a busy machine are tested, so that no test depends on
 * luck. */
#define _GNU_SOURCE 1
#include "base/clock.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void sleep_milliseconds(long milliseconds) {
    nanosleep(&(struct timespec){0, milliseconds * 1000000}, NULL);
}

static void burn_cpu(double seconds) {
    double start = clock_thread_cpu_seconds();
    while (clock_thread_cpu_seconds() - start < seconds)
        continue;
}

Test(clock, wall_time_counts_sleep) {
    double before = clock_wall_seconds();
    sleep_milliseconds(30);
    cr_assert_geq(clock_wall_seconds() - before, 0.029);
}

Test(clock, wall_time_never_runs_backwards) {
    double last = clock_wall_seconds();
    for (int i = 0; i < 100000; i++) {
        double now = clock_wall_seconds();
        cr_assert_geq(now, last);
        last = now;
    }
}

Test(clock, cpu_time_does_not_count_sleep) {
    double cpu = clock_thread_cpu_seconds();
    sleep_milliseconds(200);
    cr_assert_lt(clock_thread_cpu_seconds() - cpu, 0.1);
}

static void *burn_in_thread(void *unused) {
    (void)unused;
    burn_cpu(0.05);
    return NULL;
}

Test(clock, process_time_counts_all_threads_and_thread_time_only_its_own) {
    double process = clock_cpu_seconds(), thread = clock_thread_cpu_seconds();
    pthread_t other;
    cr_assert_eq(pthread_create(&other, NULL, burn_in_thread, NULL), 0);
    pthread_join(other, NULL);
    cr_assert_geq(clock_cpu_seconds() - process, 0.049);
    cr_assert_lt(clock_thread_cpu_seconds() - thread, 0.04);
}

Test(clock, peak_memory_remembers_what_was_freed) {
    enum { MEGABYTES = 64 };
    double before = clock_peak_memory_mb();
    cr_assert_gt(before, 0.1);
    volatile char *block = malloc(MEGABYTES << 20);
    cr_assert_not_null((void *)block);
    for (size_t i = 0; i < MEGABYTES << 20; i += 1024)
        block[i] = 1;
    free((void *)block);
    cr_assert_gt(clock_peak_memory_mb(), before + MEGABYTES / 2);
}

Test(clock, deadline_passes_when_its_time_has_come) {
    Deadline deadline = deadline_in(0.03);
    cr_assert_leq(deadline_left(deadline), 0.03);
    sleep_milliseconds(40);
    cr_assert(deadline_passed(deadline));
    cr_assert_eq(deadline_left(deadline), 0);
}

Test(clock, deadline_of_no_time_has_passed) {
    cr_assert(deadline_passed(deadline_in(0)));
    cr_assert(deadline_passed(deadline_in(-1)));
    cr_assert_eq(deadline_left(deadline_in(-1)), 0);
}

Test(clock, deadline_far_away_has_not_passed) {
    Deadline deadline = deadline_in(1000);
    cr_assert_not(deadline_passed(deadline));
    cr_assert_gt(deadline_left(deadline), 900);
}

Test(clock, deadline_never_passes) {
    cr_assert_not(deadline_passed(deadline_never()));
    cr_assert_eq(deadline_left(deadline_never()), INFINITY);
    cr_assert_not(deadline_passed(deadline_in(INFINITY)));
    cr_assert_eq(deadline_left(deadline_in(INFINITY)), INFINITY);
}

Test(clock, cpu_time_passes_while_the_thread_works_alone) {
    Deadline deadline = deadline_with_cpu(deadline_never(), 0.02);
    cr_assert(!deadline_passed(deadline));
    cr_assert_leq(deadline_left(deadline), 0.02);
    double until = clock_thread_cpu_seconds() + 0.02;
    while (clock_thread_cpu_seconds() < until)
        ;
    cr_assert(deadline_passed(deadline));
    cr_assert_eq(deadline_left(deadline), 0);
    Deadline both = deadline_min(deadline_in(1000), deadline);
    cr_assert(deadline_passed(both));
    cr_assert(!deadline_passed(deadline_with_cpu(deadline_in(1000), 1000)));
    cr_assert(deadline_passed(deadline_with_cpu(deadline_in(0), 1000)));
}
