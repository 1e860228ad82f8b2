/* Tests interrupts: the first one asks the program to end, the second one kills it. Each test has a
 * process of its own. */
#define _GNU_SOURCE 1
#include "base/interrupt.h"

#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"

/* A signal ends the sleep early. */
static void pause_a_moment(void) {
    usleep(1000);
}

Test(interrupt, is_not_requested_at_first) {
    interrupt_install();
    cr_assert_not(interrupt_requested());
    cr_assert_eq(interrupt_signal(), 0);
}

Test(interrupt, first_sigint_only_asks) {
    interrupt_install();
    raise(SIGINT);
    cr_assert(interrupt_requested());
    cr_assert_eq(interrupt_signal(), SIGINT);
}

Test(interrupt, first_sigterm_only_asks) {
    interrupt_install();
    raise(SIGTERM);
    cr_assert(interrupt_requested());
    cr_assert_eq(interrupt_signal(), SIGTERM);
}

Test(interrupt, second_sigint_kills, .signal = SIGINT) {
    interrupt_install();
    raise(SIGINT);
    raise(SIGINT);
}

Test(interrupt, second_sigterm_kills, .signal = SIGTERM) {
    interrupt_install();
    raise(SIGTERM);
    raise(SIGTERM);
}

Test(interrupt, installing_again_forgets) {
    interrupt_install();
    for (int i = 0; i < 3; i++) {
        raise(SIGINT);
        cr_assert(interrupt_requested());
        interrupt_install();
        cr_assert_not(interrupt_requested());
    }
}

Test(interrupt, ignored_signals_stay_ignored) {
    signal(SIGINT, SIG_IGN);
    interrupt_install();
    raise(SIGINT);
    raise(SIGINT);
    cr_assert_not(interrupt_requested());
}

Test(interrupt, ends_a_blocking_read) {
    interrupt_install();
    struct sigaction action;
    sigaction(SIGINT, NULL, &action);
    cr_assert_eq(action.sa_flags & SA_RESTART, 0);
}

Test(interrupt, waiting_ends_with_a_signal, .timeout = 600) {
    interrupt_install();
    kill(getpid(), SIGTERM);
    while (!interrupt_wait(100))
        continue;
    cr_assert(interrupt_requested());
}

Test(interrupt, the_flag_rises_with_a_signal) {
    interrupt_install();
    cr_assert_not(*interrupt_flag());
    raise(SIGINT);
    cr_assert(*interrupt_flag());
}

Test(interrupt, time_raises_the_flag_and_is_no_signal, .timeout = 600) {
    interrupt_install();
    interrupt_in(0.01);
    while (!__atomic_load_n(interrupt_flag(), __ATOMIC_RELAXED))
        pause_a_moment();
    cr_assert(interrupt_is_late());
    cr_assert_not(interrupt_requested());
}

Test(interrupt, a_shortage_of_memory_can_be_withdrawn_but_not_a_signal) {
    interrupt_install();
    interrupt_for_memory(true);
    cr_assert(*interrupt_flag());
    cr_assert(interrupt_lacks_memory());
    interrupt_for_memory(false);
    cr_assert_not(*interrupt_flag());
    interrupt_for_memory(true);
    raise(SIGTERM);
    interrupt_for_memory(false);
    cr_assert(*interrupt_flag());
}

Test(interrupt, all_work_ends_whatever_its_own_deadline) {
    bool stopped = false;
    interrupt_install();
    cr_assert_not(work_must_end((Deadline){0}, NULL));
    cr_assert_not(work_must_end(deadline_never(), &stopped));
    cr_assert(work_must_end(deadline_in(0), NULL));
    stopped = true;
    cr_assert(work_must_end(deadline_never(), &stopped));
    raise(SIGINT);
    cr_assert(work_must_end((Deadline){0}, NULL));
    cr_assert(deadline_passed(deadline_never()));
}

Test(interrupt, a_thread_may_have_a_time_of_its_own) {
    interrupt_install();
    interrupt_thread_at(clock_wall_seconds() - 1);
    cr_assert(work_must_end(deadline_never(), NULL));
    interrupt_thread_at(INFINITY);
    cr_assert_not(work_must_end(deadline_never(), NULL));
}
