/* A lock together with one condition to sleep on (a monitor, Hoare 1974). Threads wait for changes
 * of what the lock guards, never by polling. Deadlines are those of clock.h, on the monotonic
 * clock, so that setting the machine's date neither wakes nor delays anybody. */
#pragma once

#include <pthread.h>

#include "base/clock.h"

typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} Monitor;

void monitor_init(Monitor *monitor);
void monitor_destroy(Monitor *monitor);

void monitor_enter(Monitor *monitor);
void monitor_leave(Monitor *monitor);

/* Inside the monitor: leaves it, sleeps until somebody announces a change, and enters again. False
 * once the deadline has passed. A thread may wake for no reason: test the condition in a loop. */
bool monitor_wait(Monitor *monitor, Deadline deadline);
/* Inside the monitor: wakes all who wait. */
void monitor_announce(Monitor *monitor);
/* Outside the monitor, after a change of an atomic flag that others wait for: wakes them all. */
void monitor_wake(Monitor *monitor);
