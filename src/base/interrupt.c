/* The handler stores the signal. The kernel removes the handler when it calls it (SA_RESETHAND), so
 * that a second signal has the default action and kills the program. */
#define _GNU_SOURCE 1
#include "base/interrupt.h"

#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Atomic rather than volatile sig_atomic_t, because threads other than the interrupted one read it.
 */
static atomic_int last_signal;
static bool was_raised;
static sem_t raised; /* posted by the handler: the one way to wake a thread from there */

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may only touch lock-free atomics");

static void remember_signal(int signal) {
    atomic_store_explicit(&last_signal, signal, memory_order_relaxed);
    __atomic_store_n(&was_raised, true, __ATOMIC_RELAXED);
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

void interrupt_wait(void) {
    while (!interrupt_requested())
        sem_wait(&raised);
}

const bool *interrupt_flag(void) {
    return &was_raised;
}
