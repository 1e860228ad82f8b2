/* The handler stores the reason. The kernel removes the handler when it calls it (SA_RESETHAND), so
 * that a second signal has the default action and kills the program. The time of a command is a
 * timer of the kernel with a signal of its own, so that even a blocking read ends. */
#define _GNU_SOURCE 1
#include "base/interrupt.h"

#include <math.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

enum { REASON_SIGNAL = 1, REASON_TIME = 2, REASON_MEMORY = 4 };

/* Atomic rather than volatile sig_atomic_t, because threads other than the interrupted one read it.
 */
static atomic_int last_signal, reasons;
static bool was_raised; /* there is a reason */
static sem_t raised;    /* posted by the handler: the one way to wake a thread from there */

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may only touch lock-free atomics");

static void add_reason(int reason) {
    atomic_fetch_or_explicit(&reasons, reason, memory_order_relaxed);
    __atomic_store_n(&was_raised, true, __ATOMIC_RELAXED);
}

static bool has_reason(int reason) {
    return atomic_load_explicit(&reasons, memory_order_relaxed) & reason;
}

static void remember_signal(int signal) {
    if (signal == SIGALRM) {
        add_reason(REASON_TIME);
        return;
    }
    atomic_store_explicit(&last_signal, signal, memory_order_relaxed);
    add_reason(REASON_SIGNAL);
    sem_post(&raised);
}

static void catch_once(int signal) {
    struct sigaction action;
    if (sigaction(signal, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    action.sa_handler = remember_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

void interrupt_install(void) {
    atomic_store_explicit(&last_signal, 0, memory_order_relaxed);
    atomic_store_explicit(&reasons, 0, memory_order_relaxed);
    __atomic_store_n(&was_raised, false, __ATOMIC_RELAXED);
    sem_init(&raised, 0, 0);
    catch_once(SIGINT);
    catch_once(SIGTERM);
}

bool interrupt_requested(void) {
    return interrupt_signal() != 0;
}

int interrupt_signal(void) {
    return atomic_load_explicit(&last_signal, memory_order_relaxed);
}

bool interrupt_wait(double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until); /* the clock of sem_timedwait */
    double whole = floor(seconds), nanoseconds = (double)until.tv_nsec + 1e9 * (seconds - whole);
    until.tv_sec += (time_t)whole + (nanoseconds >= 1e9);
    until.tv_nsec = (long)(nanoseconds >= 1e9 ? nanoseconds - 1e9 : nanoseconds);
    if (!interrupt_requested())
        sem_timedwait(&raised, &until);
    return interrupt_requested();
}

void interrupt_in(double seconds) {
    enum { MOST = 1000000000 }; /* seconds: more than the life of a program */
    double whole = floor(fmin(fmax(seconds, 1e-6), MOST));
    struct itimerval timer = {.it_value = {(time_t)whole, (suseconds_t)(1e6 * (seconds - whole))}};
    struct sigaction action = {.sa_handler = remember_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    if (seconds < MOST)
        setitimer(ITIMER_REAL, &timer, NULL);
}

bool interrupt_is_late(void) {
    return has_reason(REASON_TIME);
}

static _Thread_local double thread_end = INFINITY;

void interrupt_thread_at(double end) {
    thread_end = end;
}

double interrupt_thread_end(void) {
    return thread_end;
}

static _Thread_local const bool *thread_flag;

const bool *interrupt_thread_by(const bool *flag) {
    const bool *before = thread_flag;
    thread_flag = flag;
    return before;
}

bool interrupt_thread_stopped(void) {
    return thread_flag && __atomic_load_n(thread_flag, __ATOMIC_RELAXED);
}

void interrupt_for_memory(bool is_short) {
    if (is_short)
        add_reason(REASON_MEMORY);
    else
        __atomic_store_n(&was_raised,
                         (atomic_fetch_and(&reasons, ~REASON_MEMORY) & ~REASON_MEMORY) != 0,
                         __ATOMIC_RELAXED);
}

bool interrupt_lacks_memory(void) {
    return has_reason(REASON_MEMORY);
}

const bool *interrupt_flag(void) {
    return &was_raised;
}
