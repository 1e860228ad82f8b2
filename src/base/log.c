/* A message is formatted on the stack of its thread, then written under the lock of the log. A slow
 * file delays only other messages, and nothing is allocated. */
#include "base/log.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/clock.h"

void log_to_file(Log *log, LogLevel level, FILE *file) {
    assert(file);
    log->level = level;
    log->opened = clock_wall_seconds();
    log->file = file;
    pthread_mutex_init(&log->mutex, NULL);
}

void log_close(Log *log) {
    pthread_mutex_destroy(&log->mutex);
}

void log_write(Log *log, LogLevel level, const char *format, ...) {
    if (!log_enabled(log, level))
        return;
    char message[LOG_MAX_MESSAGE + 1];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length < 0)
        strcpy(message, "(message that cannot be formatted)");
    else if (length > LOG_MAX_MESSAGE)
        strcpy(message + LOG_MAX_MESSAGE - 3, "...");
    static const char *const names[] = {"error", "warn", "info", "debug"};
    pthread_mutex_lock(&log->mutex);
    fprintf(log->file, "%9.3f %-5s %s\n", clock_wall_seconds() - log->opened, names[level],
            message);
    fflush(log->file);
    pthread_mutex_unlock(&log->mutex);
}
