/* A lock with one condition variable (a monitor, Hoare 1974). Threads wait for changes of the data
 * that the lock protects, without polling. Deadlines are those of clock.h, on the monotonic clock,
 * so that changing the date of the machine neither wakes nor delays a thread. */
#pragma once

#include <pthread.h>

#include "base/clock.h"

typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} Monitor;

void monitor_init(Monitor *monitor);
void monitor_free(Monitor *monitor);

void monitor_enter(Monitor *monitor);
void monitor_leave(Monitor *monitor);

/* Called inside the monitor: leaves it, sleeps until a change is announced, and enters it again.
 * False once the deadline has passed. A thread may wake up for no reason, so test the condition in
 * a loop. */
bool monitor_wait(Monitor *monitor, Deadline deadline);
/* Called inside the monitor: wakes all waiting threads. */
void monitor_announce(Monitor *monitor);
/* Called outside the monitor after a change of an atomic flag that threads wait for: wakes them
 * all. */
void monitor_wake(Monitor *monitor);
