/* Tests the progress line: its text, and on a pseudo-terminal that it is drawn, not too often, and
 * erased. */
#define _GNU_SOURCE 1
#include "base/progress.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void assert_line(const char *expected, uint64_t done, uint64_t total, double seconds) {
    char line[PROGRESS_LINE_SIZE];
    int length = progress_format(line, "nim", done, total, seconds);
    cr_assert_str_eq(line, expected);
    cr_assert_eq(length, (int)strlen(line));
}

Test(progress, shows_bar_percent_rate_and_time_left) {
    assert_line("nim [##########..........]  50.0%, 50/s, 0:10 left", 500, 1000, 10);
    assert_line("nim [##..................]  12.5%, 1.2k/s, 1:10:00 left", 750000, 6000000, 600);
    assert_line("nim [####################] 100.0%, 100/s, 0:00 left", 1000, 1000, 10);
}

Test(progress, shows_count_and_time_spent_if_the_total_is_unknown) {
    assert_line("nim 12.3M, 205k/s, 1:00", 12300000, 0, 60);
    assert_line("nim 0, 0/s, 0:00", 0, 0, 0);
}

Test(progress, makes_sense_at_the_ends) {
    assert_line("nim [....................]   0.0%, 0/s, ? left", 0, 1000, 0);
    assert_line("nim [....................]   0.0%, 0/s, ? left", 0, 1000, 5);
    assert_line("nim [####################] 100.0%, 100/s, 0:00 left", 2000, 1000, 10);
    assert_line("nim [....................]   0.0%, 1/s, days left", 1, UINT64_MAX, 1);
}

Test(progress, rounds_rates_to_three_figures) {
    assert_line("nim 999, 999/s, 0:01", 999, 0, 1);
    assert_line("nim 1.0k, 1.0k/s, 0:01", 1000, 0, 1);
    assert_line("nim 99.9k, 99.9k/s, 0:01", 99900, 0, 1);
    assert_line("nim 100k, 100k/s, 0:01", 99990, 0, 1);
    assert_line("nim 1.0M, 1.0M/s, 0:01", 999600, 0, 1);
    assert_line("nim 18.4E, 18.4E/s, 0:01", UINT64_MAX, 0, 1);
}

Test(progress, fits_the_line_whatever_happens) {
    static const uint64_t numbers[] = {0, 1, 999, 123456, UINT64_MAX / 3, UINT64_MAX};
    static const double times[] = {0, 1e-12, 1, 359999, 1e12, 1e300};
    char label[200], line[PROGRESS_LINE_SIZE];
    memset(label, 'x', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    for (int done = 0; done < 6; done++)
        for (int total = 0; total < 6; total++)
            for (int time = 0; time < 6; time++)
                cr_assert_lt(
                    progress_format(line, label, numbers[done], numbers[total], times[time]),
                    PROGRESS_LINE_SIZE);
}

Test(progress, files_never_see_it) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size), *file = tmpfile();
    FILE *outs[] = {memory, file, NULL};
    for (int i = 0; i < 3; i++) {
        Progress progress;
        progress_start(&progress, outs[i], "job", 10);
        progress.redraw = 0;
        progress_update(&progress, 5);
        progress_finish(&progress);
    }
    cr_assert_eq(ftell(file), 0);
    fclose(file);
    fclose(memory);
    cr_assert_eq(size, 0);
    free(text);
}

typedef struct Terminal {
    int master;
    FILE *out;
    char seen[1 << 16];
    size_t length;
} Terminal;

static void open_terminal(Terminal *terminal) {
    terminal->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal->master < 0 || grantpt(terminal->master) != 0 || unlockpt(terminal->master) != 0)
        cr_skip_test("no pseudo-terminals here");
    terminal->out = fopen(ptsname(terminal->master), "w");
    cr_assert_not_null(terminal->out);
    cr_assert_eq(fcntl(terminal->master, F_SETFL, O_NONBLOCK), 0);
}

/* A terminal delivers written text some time after the write, so this waits for the expected
 * end. */
static void read_until(Terminal *terminal, const char *end) {
    size_t room = sizeof terminal->seen - 1;
    for (int tries = 0; tries < 10000; tries++) {
        ssize_t got =
            read(terminal->master, terminal->seen + terminal->length, room - terminal->length);
        if (got > 0)
            terminal->length += (size_t)got;
        size_t tail = strlen(end);
        if (terminal->length >= tail &&
            memcmp(terminal->seen + terminal->length - tail, end, tail) == 0)
            return;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    cr_assert_fail("the terminal saw %s", terminal->seen);
}

Test(progress, draws_on_a_terminal_and_wipes) {
    static Terminal terminal;
    open_terminal(&terminal);
    Progress progress;
    progress_start(&progress, terminal.out, "job", 100);
    progress_update(&progress, 10);
    progress.redraw = 0;
    progress_update(&progress, 50);
    progress_update(&progress, 60);
    progress_finish(&progress);
    read_until(&terminal, "left\033[K\r\033[K");
    cr_assert_eq(strncmp(terminal.seen, "\rjob [##########..........]  50.0%, ", 36), 0);
    cr_assert_null(strstr(terminal.seen, "10.0%"), "too early");
    cr_assert_null(strstr(terminal.seen, "60.0%"), "too soon after the last drawing");
}

Test(progress, a_ticker_never_shows_more_than_its_budget) {
    char line[PROGRESS_LINE_SIZE];
    ticker_format(line, "training", 0.9, 1.2);
    cr_assert_str_eq(line, "training, 0:01 of 0:01");
    ticker_format(line, "training", 1.9, 1.2);
    cr_assert_str_eq(line, "training, 0:01 of 0:01, about to end");
    ticker_format(line, "building", 61, INFINITY);
    cr_assert_str_eq(line, "building, 1:01");
    cr_assert_lt(ticker_format(line, "a label that is far too long for one line of a terminal",
                               359999, 359999),
                 PROGRESS_LINE_SIZE);
}

static void *update_for_a_while(void *progress) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        for (uint64_t i = 0; i < 1000; i++)
            progress_update(progress, i);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec) <
             0.35);
    return NULL;
}

Test(progress, many_threads_draw_ten_times_a_second_together) {
    static Terminal terminal;
    open_terminal(&terminal);
    Progress progress;
    progress_start(&progress, terminal.out, "job", 1000);
    double started = progress.started;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, update_for_a_while, &progress), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    double spent = progress.redraw - started;
    progress_finish(&progress);
    read_until(&terminal, "left\033[K\r\033[K");
    int drawn = 0;
    for (const char *line = terminal.seen; (line = strstr(line, "\rjob [")); line++)
        drawn++;
    cr_assert(drawn >= 1 && drawn <= spent / 0.1, "%d times in %g seconds", drawn, spent);
}
