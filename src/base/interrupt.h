/* Lets a long job end in good order when the user interrupts it (SIGINT, SIGTERM).
 *
 * The first signal only raises a flag, which the job reads when convenient; the second one kills
 * at once. This is the one piece of global state in the tree, and only the command line uses it. */
#pragma once

#include <stdbool.h>

/* Starts to catch the signals, except those the program was started to ignore (nohup, `&`).
 * Calling it again forgets the interrupts there were. A blocking read ends with EINTR. */
void interrupt_install(void);

/* True once a signal has come. Cheap, and safe from any thread. */
bool interrupt_requested(void);

/* The signal that came last, or 0: a program that ends for it exits with 128 + signal. */
int interrupt_signal(void);

/* Sleeps until a signal comes; for one thread of a program that called interrupt_install. */
void interrupt_wait(void);

/* A flag that becomes true with the first signal, for jobs that poll one. Read it atomically. */
const bool *interrupt_flag(void);
