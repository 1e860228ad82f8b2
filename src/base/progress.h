/* One line on the terminal that shows the progress of a long job.
 *
 * It is drawn only if the output is a terminal, at most ten times a second, and removed when the
 * job ends. */
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/clock.h"

typedef struct Progress {
    int file; /* a terminal; -1 if nothing is to be drawn */
    const char *label;
    uint64_t total; /* 0 if unknown */
    double started; /* in clock_wall_seconds */
    double redraw;  /* earliest time of the next drawing, in clock_wall_seconds */
    pthread_mutex_t mutex;
} Progress;

/* Begins a job of `total` steps, 0 if unknown. Draws on `out` if that is a terminal; NULL draws
 * nothing. The label must outlive the job. */
void progress_start(Progress *progress, FILE *out, const char *label, uint64_t total);

/* Sets the number of steps done. Any thread may call it, as often as it likes. */
void progress_update(Progress *progress, uint64_t done);

/* Removes the line. */
void progress_finish(Progress *progress);

/* A line that shows how long a job without steps has been going on. It appears after a second. */
typedef struct Ticker Ticker;
/* Begins a job that ends at the deadline, or nobody knows when. NULL, which the other functions
 * take, if nothing is to be drawn: not `wanted`, or standard error is no terminal. */
Ticker *ticker_start(bool wanted, const char *label, Deadline end);
/* Removes the line. */
void ticker_stop(Ticker *ticker);

/* Size of the line with its final NUL; fits an ordinary terminal. */
enum { PROGRESS_LINE_SIZE = 80 };

/* Writes the line for `done` of `total` steps after so many seconds. Returns its length. */
int progress_format(char line[PROGRESS_LINE_SIZE], const char *label, uint64_t done, uint64_t total,
                    double seconds);

/* Writes the line of a ticker after so many seconds of its budget, which may be INFINITY. Returns
 * its length. */
int ticker_format(char line[PROGRESS_LINE_SIZE], const char *label, double seconds, double budget);
