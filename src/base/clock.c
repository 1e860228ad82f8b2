/* The clocks of POSIX, and the peak memory that Linux reports for a process. */
#define _GNU_SOURCE 1
#include "base/clock.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"

static double seconds_of(clockid_t clock) {
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_wall_seconds(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double clock_cpu_seconds(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_thread_cpu_seconds(void) {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* Preferred to getrusage, whose peak survives exec: if a large Python script starts a small
 * program, getrusage reports the memory of the script. */
static bool read_peak_kilobytes(unsigned long *kilobytes) {
    FILE *status = fopen("/proc/self/status", "r");
    if (!status)
        return false;
    char line[256];
    bool found = false;
    while (!found && fgets(line, sizeof line, status))
        found = sscanf(line, "VmHWM: %lu kB", kilobytes) == 1;
    fclose(status);
    return found;
}

double clock_memory_mb(void) {
    unsigned long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu %lu", &all, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

double clock_peak_memory_mb(void) {
    unsigned long kilobytes = 0;
    if (read_peak_kilobytes(&kilobytes))
        return (double)kilobytes / 1024;
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

Deadline deadline_in(double seconds) {
    assert(!isnan(seconds));
    return (Deadline){.at = clock_wall_seconds() + seconds};
}

Deadline deadline_with_cpu(Deadline deadline, double seconds) {
    clockid_t clock;
    if (pthread_getcpuclockid(pthread_self(), &clock) != 0)
        clock = CLOCK_PROCESS_CPUTIME_ID;
    deadline.cpu_clock = clock;
    deadline.cpu_at = seconds_of(clock) + seconds;
    deadline.cpu_not_before = clock_wall_seconds() + seconds;
    return deadline;
}

Deadline deadline_never(void) {
    return (Deadline){.at = INFINITY};
}

/* CPU seconds left; INFINITY without a limit. */
static double cpu_left(Deadline deadline) {
    return deadline.cpu_at > 0 ? deadline.cpu_at - seconds_of(deadline.cpu_clock) : INFINITY;
}

/* A thread spends no more than passes on the wall, so that its clock, which costs a system call, is
 * asked late. */
bool deadline_passed(Deadline deadline) {
    if (__atomic_load_n(interrupt_flag(), __ATOMIC_RELAXED) || interrupt_thread_stopped())
        return true;
    double end = fmin(deadline.at, interrupt_thread_end());
    if (end == INFINITY && deadline.cpu_at <= 0)
        return false;
    double now = clock_wall_seconds();
    return now >= end ||
           (deadline.cpu_at > 0 && now >= deadline.cpu_not_before && cpu_left(deadline) <= 0);
}

double deadline_left(Deadline deadline) {
    double wall = deadline.at < INFINITY ? deadline.at - clock_wall_seconds() : INFINITY;
    return fmax(0, fmin(wall, cpu_left(deadline)));
}

Deadline deadline_min(Deadline a, Deadline b) {
    Deadline first = a.at < b.at ? a : b, *cpu = a.cpu_at > 0 ? &a : &b;
    first.cpu_at = cpu->cpu_at;
    first.cpu_not_before = cpu->cpu_not_before;
    first.cpu_clock = cpu->cpu_clock;
    return first;
}
