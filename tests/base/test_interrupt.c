/* Tests interrupts: the first one asks the program to end, the second one kills it. Each test has a
 * process of its own. */
#define _GNU_SOURCE 1
#include "base/interrupt.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <unistd.h>

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
    interrupt_wait();
    cr_assert(interrupt_requested());
}
