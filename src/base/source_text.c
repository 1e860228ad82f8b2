/* Lines end with LF, CR LF or a single CR, because game files come from many systems. */
#include "base/source_text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"

static Source *source_new(const char *name) {
    Source *source = memory_zalloc(sizeof *source);
    source->name = memory_strdup(name);
    return source;
}

static bool read_all(int file, Source *source, Report *report) {
    size_t capacity = 0;
    for (;;) {
        source->text = vector_grown(source->text, &capacity, source->length + (1 << 16) + 1, 1);
        ssize_t got = read(file, source->text + source->length, capacity - source->length - 1);
        if (got < 0) {
            report_error(report, "unreadable", "cannot read '%s': %s", source->name,
                         strerror(errno));
            return false;
        }
        if (got == 0)
            break;
        source->length += (size_t)got;
        if (source->length > SOURCE_MAX_SIZE) {
            report_error(report, "too-large", "'%s' is larger than %d MiB", source->name,
                         SOURCE_MAX_SIZE >> 20);
            return false;
        }
    }
    source->text = memory_realloc(source->text, source->length + 1);
    source->text[source->length] = '\0';
    return true;
}

Source *source_read(const char *path, Report *report) {
    assert(path && report);
    bool standard_input = strcmp(path, "-") == 0;
    int file = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        report_error(report, "unreadable", "cannot open '%s': %s", path, strerror(errno));
        return NULL;
    }
    Source *source = source_new(standard_input ? "<stdin>" : path);
    struct stat status;
    bool ok = true;
    if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
        report_error(report, "unreadable", "'%s' is a directory, not a file of rules", path);
        ok = false;
    }
    ok = ok && read_all(file, source, report);
    if (!standard_input)
        close(file);
    if (ok)
        return source;
    source_free(source);
    return NULL;
}

Source *source_from_text(const char *name, const char *text, size_t length, Report *report) {
    assert(name && (text || length == 0));
    if (length > SOURCE_MAX_SIZE) {
        report_error(report, "too-large", "'%s' is larger than %d MiB", name,
                     SOURCE_MAX_SIZE >> 20);
        return NULL;
    }
    Source *source = source_new(name);
    source->text = memory_alloc(length + 1);
    memcpy(source->text, text, length);
    source->text[length] = '\0';
    source->length = length;
    return source;
}

static void find_lines(Source *source) {
    vector_push(&source->line_starts, 0);
    for (size_t i = 0; i < source->length; i++) {
        bool lone_cr = source->text[i] == '\r' && source->text[i + 1] != '\n';
        if (source->text[i] == '\n' || lone_cr)
            vector_push(&source->line_starts, (uint32_t)i + 1);
    }
}

static size_t line_index(Source *source, uint32_t offset) {
    if (!source->line_starts.count)
        find_lines(source);
    size_t low = 0, high = source->line_starts.count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (source->line_starts.items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

Place source_place(Source *source, uint32_t offset) {
    if (offset > source->length)
        offset = (uint32_t)source->length;
    size_t line = line_index(source, offset);
    uint32_t start = source->line_starts.items[line], column = 1;
    bool goes_on =
        source->last_column && source->last_offset >= start && source->last_offset <= offset;
    if (goes_on) {
        start = source->last_offset;
        column = source->last_column;
    }
    for (uint32_t i = start; i < offset; i++)
        column += ((unsigned char)source->text[i] & 0xc0) != 0x80;
    source->last_offset = offset;
    source->last_column = column;
    return (Place){(uint32_t)line + 1, column};
}

uint32_t source_line_number(Source *source, uint32_t offset) {
    return (uint32_t)line_index(source, offset) + 1;
}

const char *source_line(Source *source, uint32_t line, size_t *length) {
    if (!source->line_starts.count)
        find_lines(source);
    assert(line >= 1 && line <= source->line_starts.count);
    size_t start = source->line_starts.items[line - 1];
    bool is_last = line == source->line_starts.count;
    size_t end = is_last ? source->length : source->line_starts.items[line];
    while (end > start && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
        end--;
    *length = end - start;
    return source->text + start;
}

void source_free(Source *source) {
    if (!source)
        return;
    vector_free(&source->line_starts);
    memory_free(source->name, source->text, source);
}
