/* Draws the progress line.
 *
 * A thread that finds another one drawing continues with its work, because the next update will
 * show the progress anyway. */
#define _GNU_SOURCE 1
#include "base/progress.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

enum { BAR_WIDTH = 20, LABEL_WIDTH = 24 }; /* columns; the line fits PROGRESS_LINE_SIZE */

static const double seconds_between_drawings = 0.1;

void progress_start(Progress *progress, FILE *out, const char *label, uint64_t total) {
    assert(label);
    progress->out = out && isatty(fileno(out)) ? out : NULL;
    progress->label = label;
    progress->total = total;
    progress->started = clock_wall_seconds();
    progress->redraw = progress->started + seconds_between_drawings;
    pthread_mutex_init(&progress->mutex, NULL);
}

void progress_update(Progress *progress, uint64_t done) {
    if (!progress->out || pthread_mutex_trylock(&progress->mutex) != 0)
        return;
    double now = clock_wall_seconds();
    if (now >= progress->redraw) {
        char line[PROGRESS_LINE_SIZE];
        progress_format(line, progress->label, done, progress->total, now - progress->started);
        fprintf(progress->out, "\r%s\033[K", line);
        fflush(progress->out);
        progress->redraw = now + seconds_between_drawings;
    }
    pthread_mutex_unlock(&progress->mutex);
}

void progress_finish(Progress *progress) {
    if (progress->out) {
        fputs("\r\033[K", progress->out);
        fflush(progress->out);
    }
    progress->out = NULL;
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
