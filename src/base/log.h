/* Messages for the user of the program, by level, to a file.
 *
 * A Log is passed to each function that may have messages. There is no global log, and code that
 * receives NULL stays silent. Messages of several threads are never mixed. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

/* From the most severe to the most detailed. */
typedef enum LogLevel { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG } LogLevel;

typedef struct Log {
    LogLevel level; /* least severe level that is written */
    double opened;  /* time of opening, in clock_wall_seconds */
    FILE *file;
    pthread_mutex_t mutex; /* locked while a line is written */
} Log;

/* Opens a log that writes lines such as "   12.345 warn  message" to a file, which the caller still
 * owns. */
void log_to_file(Log *log, LogLevel level, FILE *file);

/* Closes the log, but not the file it wrote to. */
void log_close(Log *log);

/* True if messages of that level are written. Check it before doing work only for a message. */
static inline bool log_enabled(const Log *log, LogLevel level) {
    return log && level <= log->level;
}

/* Longer messages are truncated and end in "...". */
enum { LOG_MAX_MESSAGE = 4095 };

/* Writes one message. The four macros below are the usual callers. */
__attribute__((format(printf, 3, 4))) void log_write(Log *log, LogLevel level, const char *format,
                                                     ...);

#define log_error(log, ...) log_write(log, LOG_ERROR, __VA_ARGS__)
#define log_warn(log, ...) log_write(log, LOG_WARN, __VA_ARGS__)
#define log_info(log, ...) log_write(log, LOG_INFO, __VA_ARGS__)
#define log_debug(log, ...) log_write(log, LOG_DEBUG, __VA_ARGS__)
