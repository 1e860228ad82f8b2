/* Lets long jobs end cleanly: when the user interrupts them (SIGINT, SIGTERM), when the time of the
 * whole command is up, and when memory runs short. Each of these raises one flag, which every job
 * looks at together with its own deadline (work_must_end in base/clock.h).
 *
 * The first signal only raises the flag; the second one kills the program. Besides the
 * limit of base/memory.h this is the only global state. Without a call of this file or of
 * memory_guard the flag is never raised. */
#pragma once

#include <stdbool.h>

/* Starts to catch the signals, except those that the program was started to ignore (nohup, `&`).
 * Calling it again clears the flag. A blocking read ends with EINTR. */
void interrupt_install(void);

/* True once a signal has arrived. Cheap, and safe from any thread. */
bool interrupt_requested(void);

/* The signal that arrived last, or 0. A program that ends because of it exits with 128 + signal. */
int interrupt_signal(void);

/* Sleeps until a signal comes, for at most so many seconds; true if one has come. For one thread of
 * a program that called interrupt_install. */
bool interrupt_wait(double seconds);

/* Raises the flag after so many seconds by the wall clock. Blocking reads end then, too. */
void interrupt_in(double seconds);
/* True once that time is over. */
bool interrupt_is_late(void);

/* All jobs that the calling thread runs have to end by that time of clock_wall_seconds; INFINITY
 * lifts it. For a thread that answers strangers, whose texts may take any time to read. */
void interrupt_thread_at(double end);
double interrupt_thread_end(void);

/* All jobs that the calling thread runs have to end once this flag is set, by whichever thread;
 * NULL lifts that. Returns the flag that counted before. For a call that was given a flag and
 * passes through code which knows none. */
const bool *interrupt_thread_by(const bool *flag);
bool interrupt_thread_stopped(void);

/* Raises the flag because memory is short, or withdraws that; for base/memory.c. */
void interrupt_for_memory(bool is_short);
/* True while memory is short. */
bool interrupt_lacks_memory(void);

/* A flag that is true while jobs have to end, for jobs that poll one. Read it atomically. */
const bool *interrupt_flag(void);
