/* Clocks, memory use, and deadlines.
 *
 * All times are seconds as doubles, which resolve a microsecond even after centuries of uptime. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Seconds since some fixed moment in the past. Never decreases. */
double clock_wall_seconds(void);

/* Processor seconds spent by all threads of the process together. */
double clock_cpu_seconds(void);

/* Processor seconds spent by the calling thread. */
double clock_thread_cpu_seconds(void);

/* Peak of the physical memory of the process, in mebibytes. */
double clock_peak_memory_mb(void);

/* Physical memory of the process now, in mebibytes; 0 where the system does not tell. */
double clock_memory_mb(void);

/* A time limit. A plain value that can be copied. */
typedef struct Deadline {
    double at; /* in clock_wall_seconds, INFINITY for never */
    /* A limit of one thread's CPU time besides: on the clock of that thread, and the wall-clock
     * time before which it cannot have passed. 0: none. */
    double cpu_at, cpu_not_before;
    int cpu_clock;
} Deadline;

/* The deadline in so many seconds. INFINITY never passes; zero or less has already passed. */
Deadline deadline_in(double seconds);

/* The same deadline, which passes as well once the calling thread has spent so many CPU seconds.
 * Any thread may ask for it while that thread lives. */
Deadline deadline_with_cpu(Deadline deadline, double seconds);

/* The deadline that never passes. */
Deadline deadline_never(void);

/* True once it has passed, or once all jobs of the program have to end (base/interrupt.h). */
bool deadline_passed(Deadline deadline);

/* Seconds left; 0 after the deadline, INFINITY if there is none. */
double deadline_left(Deadline deadline);

/* The deadline that passes first; at most one of the two may limit CPU time. */
Deadline deadline_min(Deadline a, Deadline b);

/* True if another thread has set the flag, which may be NULL. */
static inline bool flag_is_set(const bool *flag) {
    return flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED);
}

/* True if work must end: the deadline has passed (0 in `at` means none), another thread has set the
 * flag `stopped` (may be NULL), or all jobs of the program have to end. Every loop that input can
 * make long asks this, or deadline_passed, many times a second. */
static inline bool work_must_end(Deadline deadline, const bool *stopped) {
    return flag_is_set(stopped) || deadline_passed(deadline.at > 0 ? deadline : deadline_never());
}
