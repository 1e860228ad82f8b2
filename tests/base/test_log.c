/* Tests logs: which messages are written, and that lines of several threads are not mixed. */
#define _GNU_SOURCE 1
#include "base/log.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A log that writes into memory, and the text that it wrote. */
typedef struct Heard {
    Log log;
    FILE *file;
    char *text;
    size_t size;
} Heard;

static Heard *listen_to(LogLevel level) {
    static Heard heard;
    heard.file = open_memstream(&heard.text, &heard.size);
    log_to_file(&heard.log, level, heard.file);
    return &heard;
}

static void stop_listening(Heard *heard) {
    log_close(&heard->log);
    fclose(heard->file);
    free(heard->text);
}

Test(log, no_log_is_silent) {
    log_error(NULL, "nobody hears %d", 1);
    cr_assert_not(log_enabled(NULL, LOG_ERROR));
}

Test(log, drops_what_is_past_its_level) {
    for (int level = LOG_ERROR; level <= LOG_DEBUG; level++) {
        Heard *heard = listen_to((LogLevel)level);
        log_error(&heard->log, "1");
        log_warn(&heard->log, "2");
        log_info(&heard->log, "3");
        log_debug(&heard->log, "4");
        int messages = 0;
        for (const char *c = heard->text; *c; c++)
            messages += *c == '\n';
        cr_assert_eq(messages, level + 1);
        cr_assert_eq(log_enabled(&heard->log, LOG_DEBUG), level == LOG_DEBUG);
        stop_listening(heard);
    }
}

Test(log, cuts_long_messages_visibly) {
    static char text[2 * LOG_MAX_MESSAGE];
    memset(text, 'x', sizeof text - 1);
    Heard *heard = listen_to(LOG_INFO);
    log_info(&heard->log, "%.*s", LOG_MAX_MESSAGE, text);
    const char *message = strchr(heard->text, 'x');
    cr_assert_eq(strspn(message, "x"), LOG_MAX_MESSAGE, "the longest message is whole");
    log_info(&heard->log, "%s", text);
    message = strchr(strchr(heard->text, '\n'), 'x');
    cr_assert_eq(strspn(message, "x"), LOG_MAX_MESSAGE - 3);
    cr_assert_str_eq(message + LOG_MAX_MESSAGE - 3, "...\n");
    stop_listening(heard);
}

Test(log, file_gets_a_line_with_time_and_level) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    Log log;
    log_to_file(&log, LOG_INFO, file);
    log_warn(&log, "%s has %d rules", "nim", 42);
    log_debug(&log, "not this");
    log_close(&log);
    fclose(file);
    double seconds;
    int length = 0;
    cr_assert_eq(sscanf(text, "%lf warn  nim has 42 rules%n", &seconds, &length), 1);
    cr_assert(seconds >= 0 && seconds < 60);
    cr_assert_str_eq(text + length, "\n");
    free(text);
}

enum { WRITERS = 4, LINES = 500 };

static void *write_many(void *log) {
    for (int i = 0; i < LINES; i++)
        log_info(log, "%s-%s-%s", "begin", "middle", "end");
    return NULL;
}

Test(log, lines_of_several_threads_stay_whole) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    Log log;
    log_to_file(&log, LOG_INFO, file);
    pthread_t writers[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        cr_assert_eq(pthread_create(&writers[i], NULL, write_many, &log), 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    log_close(&log);
    fclose(file);
    int lines = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) && *line; lines++)
        cr_assert_str_eq(line + strlen("    0.000 "), "info  begin-middle-end");
    cr_assert_eq(lines, WRITERS * LINES);
    free(text);
}
