/* Draws the progress line.
 *
 * A thread that finds another one drawing continues with its work, because the next update will
 * show the progress anyway. */
#define _GNU_SOURCE 1
#include "base/progress.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/monitor.h"

enum { BAR_WIDTH = 20, LABEL_WIDTH = 24 }; /* columns; the line fits PROGRESS_LINE_SIZE */

static const double seconds_between_drawings = 0.1;
static const double seconds_before_ticking = 1;

/* Standard error may be a stream that escapes control characters and has no number of its own. */
static int file_of(FILE *out) {
    return out == stderr ? STDERR_FILENO : fileno(out);
}

void progress_start(Progress *progress, FILE *out, const char *label, uint64_t total) {
    assert(label);
    progress->file = out ? file_of(out) : -1;
    if (progress->file >= 0 && !isatty(progress->file))
        progress->file = -1;
    progress->label = label;
    progress->total = total;
    progress->started = clock_wall_seconds();
    progress->redraw = progress->started + seconds_between_drawings;
    pthread_mutex_init(&progress->mutex, NULL);
}

void progress_update(Progress *progress, uint64_t done) {
    if (progress->file < 0 || pthread_mutex_trylock(&progress->mutex) != 0)
        return;
    double now = clock_wall_seconds();
    if (now >= progress->redraw) {
        char line[PROGRESS_LINE_SIZE];
        progress_format(line, progress->label, done, progress->total, now - progress->started);
        dprintf(progress->file, "\r%s\033[K", line);
        progress->redraw = now + seconds_between_drawings;
    }
    pthread_mutex_unlock(&progress->mutex);
}

void progress_finish(Progress *progress) {
    if (progress->file >= 0)
        dprintf(progress->file, "\r\033[K");
    progress->file = -1;
    pthread_mutex_destroy(&progress->mutex);
}

static void format_quantity(char text[16], double value) {
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    const char *const *unit = units;
    for (; value >= 999.5 && unit[0][0] != 'E'; unit++)
        value /= 1000;
    if (value >= 999.5)
        snprintf(text, 16, "?");
    else if (unit > units && value < 99.95)
        snprintf(text, 16, "%.1f%s", value, *unit);
    else
        snprintf(text, 16, "%.0f%s", value, *unit);
}

static void format_duration(char text[16], double seconds) {
    if (seconds >= 360000) {
        snprintf(text, 16, "days");
        return;
    }
    unsigned s = (unsigned)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, 16, "%u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, 16, "%u:%02u", s / 60, s % 60);
}

static int format_without_total(char line[PROGRESS_LINE_SIZE], const char *label, uint64_t done,
                                double seconds) {
    char count[16], rate[16], spent[16];
    format_quantity(count, (double)done);
    format_quantity(rate, seconds > 0 ? (double)done / seconds : 0);
    format_duration(spent, seconds);
    return snprintf(line, PROGRESS_LINE_SIZE, "%.*s %s, %s/s, %s", LABEL_WIDTH, label, count, rate,
                    spent);
}

int progress_format(char line[PROGRESS_LINE_SIZE], const char *label, uint64_t done, uint64_t total,
                    double seconds) {
    if (total == 0)
        return format_without_total(line, label, done, seconds);
    if (done > total)
        done = total;
    double share = (double)done / (double)total;
    char bar[BAR_WIDTH + 1] = {0};
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)(share * BAR_WIDTH));
    char rate[16], left[16] = "?";
    format_quantity(rate, seconds > 0 ? (double)done / seconds : 0);
    if (done > 0)
        format_duration(left, seconds * (double)(total - done) / (double)done);
    return snprintf(line, PROGRESS_LINE_SIZE, "%.*s [%s] %5.1f%%, %s/s, %s left", LABEL_WIDTH,
                    label, bar, 100 * share, rate, left);
}

struct Ticker {
    Monitor monitor;
    pthread_t thread;
    const char *label;
    double started; /* in clock_wall_seconds */
    Deadline end;
    bool is_stopped;
};

/* A step that takes longer than its budget does not make it look exceeded. */
int ticker_format(char line[PROGRESS_LINE_SIZE], const char *label, double seconds, double budget) {
    char spent[16], whole[16];
    format_duration(spent, fmin(seconds, budget));
    format_duration(whole, budget);
    if (isinf(budget))
        return snprintf(line, PROGRESS_LINE_SIZE, "%.*s, %s", LABEL_WIDTH, label, spent);
    return snprintf(line, PROGRESS_LINE_SIZE, "%.*s, %s of %s%s", LABEL_WIDTH, label, spent, whole,
                    seconds > budget ? ", about to end" : "");
}

static void draw_tick(const Ticker *ticker) {
    char line[PROGRESS_LINE_SIZE];
    ticker_format(line, ticker->label, clock_wall_seconds() - ticker->started,
                  ticker->end.at - ticker->started);
    dprintf(STDERR_FILENO, "\r%s\033[K", line);
}

static void *tick(void *context) {
    Ticker *ticker = context;
    double wait = seconds_before_ticking;
    bool has_drawn = false;
    monitor_enter(&ticker->monitor);
    while (!ticker->is_stopped) {
        if (!monitor_wait(&ticker->monitor, deadline_in(wait)) && !ticker->is_stopped) {
            draw_tick(ticker);
            has_drawn = true;
            wait = 0.5;
        }
    }
    monitor_leave(&ticker->monitor);
    if (has_drawn)
        dprintf(STDERR_FILENO, "\r\033[K");
    return NULL;
}

Ticker *ticker_start(bool wanted, const char *label, Deadline end) {
    if (!wanted || !isatty(STDERR_FILENO))
        return NULL;
    Ticker *ticker = memory_zalloc(sizeof *ticker);
    *ticker = (Ticker){.label = label, .started = clock_wall_seconds(), .end = end};
    monitor_init(&ticker->monitor);
    if (pthread_create(&ticker->thread, NULL, tick, ticker) == 0)
        return ticker;
    monitor_free(&ticker->monitor);
    free(ticker);
    return NULL;
}

void ticker_stop(Ticker *ticker) {
    if (!ticker)
        return;
    monitor_enter(&ticker->monitor);
    ticker->is_stopped = true;
    monitor_announce(&ticker->monitor);
    monitor_leave(&ticker->monitor);
    pthread_join(ticker->thread, NULL);
    monitor_free(&ticker->monitor);
    free(ticker);
}
