/* Lines end with LF, CR LF or a single CR, because game files come from many systems. */
#include "base/source_text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/clock.h"
#include "base/report.h"

enum { CHUNK = 1 << 22 }; /* bytes read between two looks at the interrupts */

static Source *source_new(const char *name) {
    Source *source = memory_zalloc(sizeof *source);
    source->name = memory_strdup(name);
    return source;
}

/* Ends the sentence "the file is ..." about a file that begins like this and is no text; NULL if it
 * may be text. */
static const char *kind_of_binary(const char *text, size_t length) {
    static const struct {
        const char *start, *kind;
    } kinds[] = {
        {"PK\3\4", "a zip archive, not a text"},
        {"\x7f"
         "ELF",
         "a program, not a text"},
        {"\xff\xfe", "encoded in UTF-16; save it as UTF-8"},
        {"\xfe\xff", "encoded in UTF-16; save it as UTF-8"},
        {"BZh", "a bzip2 file, not a text"},
        {"\xfd"
         "7zXZ",
         "an xz file, not a text"},
        {"\x28\xb5\x2f\xfd", "a zstd file, not a text"},
        {"%PDF", "a PDF file, not a text"},
        {"\x89PNG", "a picture, not a text"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (length >= strlen(kinds[i].start) &&
            memcmp(text, kinds[i].start, strlen(kinds[i].start)) == 0)
            return kinds[i].kind;
    enum {
        LOOKED_AT = 4096,
        MANY = 16
    }; /* bytes; one in so many, and so many at least (untuned) */
    size_t controls = 0, looked_at = length < LOOKED_AT ? length : LOOKED_AT;
    for (size_t i = 0; i < looked_at; i++)
        controls += (unsigned char)text[i] < 0x20 && !strchr("\t\n\v\f\r", text[i] ? text[i] : 1);
    return controls >= MANY && controls > looked_at / MANY ? "a binary file, not a text" : NULL;
}

/* Refuses what was read so far, or not. */
static bool may_go_on(const Source *source, Report *report) {
    if (source->length > SOURCE_MAX_SIZE)
        return report_error(report, "too-large", "'%s' is larger than %d MiB", source->name,
                            SOURCE_MAX_SIZE >> 20);
    if (work_must_end((Deadline){0}, NULL))
        return report_error(report, "cut-short", "reading '%s' was cut short", source->name);
    return true;
}

/* Refuses a file by what it begins with, or not. */
static bool may_begin(const Source *source, SourceIsWanted *is_wanted, Report *report) {
    const char *kind = kind_of_binary(source->text, source->length);
    if (is_wanted)
        return is_wanted(source->text, source->length) ||
               report_error(report, "not-wanted", "'%s' is another kind of file", source->name);
    return !kind || report_error(report, "not-text", "'%s' is %s", source->name, kind);
}

/* Reads a file, decompressed if it is a gzip file. */
static bool read_all(gzFile file, Source *source, SourceIsWanted *is_wanted, Report *report) {
    size_t capacity = 0;
    for (bool is_start = true;; is_start = false) {
        source->text = vector_grown(source->text, &capacity, source->length + (1 << 16) + 1, 1);
        size_t room = capacity - source->length - 1;
        int got = gzread(file, source->text + source->length,
                         room < CHUNK ? (unsigned)room : (unsigned)CHUNK);
        if (got < 0) {
            int code;
            const char *why = gzerror(file, &code);
            if (!may_go_on(source, report))
                return false;
            return report_error(report, "unreadable", "cannot read '%s': %s", source->name,
                                code == Z_ERRNO ? strerror(errno) : why);
        }
        if (got == 0)
            break;
        source->length += (size_t)got;
        if ((is_start && !may_begin(source, is_wanted, report)) || !may_go_on(source, report))
            return false;
    }
    source->text = memory_realloc(source->text, source->length + 1);
    source->text[source->length] = '\0';
    return true;
}

static Source *read_file(const char *path, SourceIsWanted *is_wanted, Report *report) {
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
    gzFile stream = gzdopen(standard_input ? dup(file) : file, "rb");
    ok = ok && stream && read_all(stream, source, is_wanted, report);
    if (stream)
        gzclose(stream);
    if (ok)
        return source;
    source_free(source);
    return NULL;
}

Source *source_read(const char *path, Report *report) {
    return read_file(path, NULL, report);
}

Source *source_read_if(const char *path, SourceIsWanted *is_wanted, Report *report) {
    assert(is_wanted);
    return read_file(path, is_wanted, report);
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

SourcePlace source_place(Source *source, uint32_t offset) {
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
    return (SourcePlace){(uint32_t)line + 1, column};
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
