/* Lets a long job end cleanly when the user interrupts it (SIGINT, SIGTERM).
 *
 * The first signal only sets a flag, which the job polls; the second one kills the program. This is
 * the only global state in the tree, and only the command line uses it. */
#pragma once

#include <stdbool.h>

/* Starts to catch the signals, except those that the program was started to ignore (nohup, `&`).
 * Calling it again clears the flag. A blocking read ends with EINTR. */
void interrupt_install(void);

/* True once a signal has arrived. Cheap, and safe from any thread. */
bool interrupt_requested(void);

/* The signal that arrived last, or 0. A program that ends because of it exits with 128 + signal. */
int interrupt_signal(void);

/* Sleeps until a signal comes; for one thread of a program that called interrupt_install. */
void interrupt_wait(void);

/* A flag that becomes true with the first signal, for jobs that poll one. Read it atomically. */
const bool *interrupt_flag(void);
