/* monitor_wake enters the monitor too. So a thread that tests its condition inside the monitor and
 * then waits cannot miss a wake-up. */
#include "base/monitor.h"

#include <assert.h>
#include <math.h>
#include <time.h>

void monitor_init(Monitor *monitor) {
    pthread_condattr_t attributes;
    pthread_mutex_init(&monitor->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&monitor->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void monitor_free(Monitor *monitor) {
    pthread_cond_destroy(&monitor->changed);
    pthread_mutex_destroy(&monitor->mutex);
}

void monitor_enter(Monitor *monitor) {
    int error = pthread_mutex_lock(&monitor->mutex);
    assert(error == 0);
    (void)error;
}

void monitor_leave(Monitor *monitor) {
    int error = pthread_mutex_unlock(&monitor->mutex);
    assert(error == 0);
    (void)error;
}

bool monitor_wait(Monitor *monitor, Deadline deadline) {
    assert(!isnan(deadline.at));
    if (deadline.at == INFINITY)
        return pthread_cond_wait(&monitor->changed, &monitor->mutex) == 0;
    if (clock_wall_seconds() >= deadline.at)
        return false;
    struct timespec until = {.tv_sec = (time_t)deadline.at};
    until.tv_nsec = (long)((deadline.at - (double)until.tv_sec) * 1e9);
    return pthread_cond_timedwait(&monitor->changed, &monitor->mutex, &until) == 0;
}

void monitor_announce(Monitor *monitor) {
    pthread_cond_broadcast(&monitor->changed);
}

void monitor_wake(Monitor *monitor) {
    monitor_enter(monitor);
    monitor_announce(monitor);
    monitor_leave(monitor);
}
