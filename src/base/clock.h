/* Time and memory spent, and deadlines.
 *
 * All times are seconds as doubles: a double keeps a microsecond apart for centuries of uptime. */
#pragma once

#include <stdbool.h>

/* Seconds since some fixed moment in the past; never runs backwards. */
double clock_wall_seconds(void);

/* Processor seconds spent by all threads of the process together. */
double clock_cpu_seconds(void);

/* Processor seconds spent by the calling thread. */
double clock_thread_cpu_seconds(void);

/* Peak of the physical memory of the program, in mebibytes. */
double clock_peak_memory_mb(void);

/* A moment by which something has to be done. Plain data: copy it freely. */
typedef struct Deadline {
    double at; /* in clock_wall_seconds, INFINITY for never */
} Deadline;

/* The deadline that many seconds from now: INFINITY never passes, zero or less has passed already.
 */
Deadline deadline_in(double seconds);

/* The deadline that never passes. */
Deadline deadline_never(void);

bool deadline_passed(Deadline deadline);

/* Seconds left, zero once it has passed, INFINITY if it never will. */
double deadline_left(Deadline deadline);

/* True if work has to end: the deadline has passed, where there is one (`at` is above 0), or
 * another thread has set the stop flag (NULL: there is none). */
static inline bool work_must_end(Deadline deadline, const bool *stopped) {
    return (deadline.at > 0 && deadline_passed(deadline)) ||
           (stopped && __atomic_load_n(stopped, __ATOMIC_RELAXED));
}
