/* Tests logs: which messages are written, and that lines of several threads are not mixed. */
#define _GNU_SOURCE 1
#include "base/log.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Heard {
    int messages;
    LogLevel level;
    double seconds;
    char message[LOG_MESSAGE_MAX + 1];
} Heard;

static void listen(void *context, LogLevel level, double seconds, const char *message) {
    Heard *heard = context;
    heard->messages++;
    heard->level = level;
    heard->seconds = seconds;
    strcpy(heard->message, message);
}

Test(log, no_log_is_silent) {
    log_error(NULL, "nobody hears %d", 1);
    cr_assert_not(log_enabled(NULL, LOG_ERROR));
}

Test(log, sink_gets_message_and_level) {
    Heard heard = {0};
    Log log;
    log_to_sink(&log, LOG_INFO, listen, &heard);
    log_warn(&log, "%s has %d rules", "nim", 42);
    cr_assert_eq(heard.messages, 1);
    cr_assert_eq(heard.level, LOG_WARN);
    cr_assert_str_eq(heard.message, "nim has 42 rules");
    cr_assert(heard.seconds >= 0 && heard.seconds < 60);
    log_close(&log);
}

Test(log, drops_what_is_past_its_level) {
    for (int level = LOG_ERROR; level <= LOG_DEBUG; level++) {
        Heard heard = {0};
        Log log;
        log_to_sink(&log, (LogLevel)level, listen, &heard);
        log_error(&log, "1");
        log_warn(&log, "2");
        log_info(&log, "3");
        log_debug(&log, "4");
        cr_assert_eq(heard.messages, level + 1);
        cr_assert_eq(log_enabled(&log, LOG_DEBUG), level == LOG_DEBUG);
        log_close(&log);
    }
}

Test(log, cuts_long_messages_visibly) {
    static char text[2 * LOG_MESSAGE_MAX];
    memset(text, 'x', sizeof text - 1);
    Heard heard = {0};
    Log log;
    log_to_sink(&log, LOG_INFO, listen, &heard);
    log_info(&log, "%.*s", LOG_MESSAGE_MAX, text);
    cr_assert_eq(strspn(heard.message, "x"), LOG_MESSAGE_MAX, "the longest message is whole");
    log_info(&log, "%s", text);
    cr_assert_eq(strspn(heard.message, "x"), LOG_MESSAGE_MAX - 3);
    cr_assert_str_eq(heard.message + LOG_MESSAGE_MAX - 3, "...");
    log_close(&log);
}

Test(log, file_gets_a_line_with_time_and_level) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    Log log;
    log_to_file(&log, LOG_INFO, file);
    log_warn(&log, "careful");
    log_debug(&log, "not this");
    log_close(&log);
    fclose(file);
    double seconds;
    int length = 0;
    cr_assert_eq(sscanf(text, "%lf warn  careful%n", &seconds, &length), 1);
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
