/* One line on the terminal that shows the progress of a long job.
 *
 * It is drawn only on a terminal, at most ten times a second, and wiped when the job ends: files
 * and pipes never see it. */
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Progress {
    FILE *out; /* NULL if nothing is to be drawn */
    const char *label;
    uint64_t total; /* 0 if unknown */
    double started; /* in clock_wall_seconds */
    double redraw;  /* likewise, the earliest moment to draw again */
    pthread_mutex_t mutex;
} Progress;

/* Begins a job of `total` steps, 0 if unknown. Draws on `out` if that is a terminal; NULL keeps
 * quiet. The label is kept, not copied. */
void progress_start(Progress *progress, FILE *out, const char *label, uint64_t total);

/* Sets the number of steps done. Any thread may call it at any rate. */
void progress_update(Progress *progress, uint64_t done);

/* Wipes the line. */
void progress_finish(Progress *progress);

/* Longest line that is drawn, with the zero at its end: fits the narrowest terminal in use. */
enum { PROGRESS_LINE_SIZE = 80 };

/* Writes the line for `done` of `total` steps after so many seconds, and returns its length. */
int progress_format(char line[PROGRESS_LINE_SIZE], const char *label, uint64_t done, uint64_t total,
                    double seconds);
