/* All results are written through these functions; finish_output checks once, at the end, that they
 * were. */
#define _GNU_SOURCE 1
#include "cli/output.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/options.h"

/* The number of bytes of a colour sequence (ESC [ digits m); 0 if it is another one, SIZE_MAX if it
 * may still become one. */
static size_t colour_length(const char *text, size_t length) {
    enum { LONGEST = 8 };
    for (size_t i = 1; i < length && i < LONGEST; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (i > 1 && text[i] == 'm')
            return i + 1;
        if (i == 1 ? text[i] != '[' : !is_digit)
            return 0;
    }
    return length < LONGEST ? SIZE_MAX : 0;
}

/* Decodes the character that starts with this byte above 127. Returns its length; 0 if the bytes
 * are no character, SIZE_MAX if some are missing. */
static size_t decode(const char *text, size_t length, uint32_t *character) {
    unsigned char first = (unsigned char)*text;
    size_t size = first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (!size || first >= 0xf8)
        return 0;
    *character = first & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if (i == length)
            return SIZE_MAX;
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return size;
}

/* Controls, and characters that change the direction of what follows. */
static bool is_deceptive(uint32_t c) {
    return (c >= 0x80 && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

size_t add_shown_text(Text *out, const char *text, size_t length) {
    for (size_t at = 0, size; at < length; at += size) {
        unsigned char byte = (unsigned char)text[at];
        uint32_t character = byte;
        size = 1;
        if (byte == 033)
            size = colour_length(text + at, length - at);
        else if (byte >= 0x80)
            size = decode(text + at, length - at, &character);
        if (size == SIZE_MAX)
            return length - at;
        bool is_control = byte == 0x7f || (byte < 0x20 && byte != '\n' && byte != '\t');
        bool is_colour = byte == 033 && size > 0;
        if (size == 0 || (is_control && !is_colour)) {
            text_printf(out, "\\x%02x", byte);
            size = 1;
        } else if (is_deceptive(character)) {
            text_printf(out, "\\u%04x", character);
        } else {
            text_add_bytes(out, text + at, size);
        }
    }
    return 0;
}

/* A stream to a terminal. */
typedef struct {
    int file;
    char rest[16]; /* the start of a character or sequence that is not complete yet */
    size_t rest_length;
} Terminal;

static ssize_t write_to_terminal(void *context, const char *text, size_t length) {
    Terminal *t = context;
    Text all = {0}, shown = {0};
    text_add_bytes(&all, t->rest, t->rest_length);
    text_add_bytes(&all, text, length);
    t->rest_length = add_shown_text(&shown, all.items, all.count);
    memcpy(t->rest, all.items + all.count - t->rest_length, t->rest_length);
    bool ok = true;
    for (size_t at = 0; at < shown.count && ok;) {
        ssize_t written = write(t->file, shown.items + at, shown.count - at);
        ok = written >= 0 || errno == EINTR;
        at += written > 0 ? (size_t)written : 0;
    }
    vectors_free(&all, &shown);
    return ok ? (ssize_t)length : 0;
}

static FILE *guarded(FILE *stream, int file, int buffering) {
    static Terminal terminals[3];
    terminals[file] = (Terminal){.file = file};
    FILE *guard = isatty(file) ? fopencookie(&terminals[file], "w",
                                             (cookie_io_functions_t){.write = write_to_terminal})
                               : NULL;
    if (guard)
        setvbuf(guard, NULL, buffering, BUFSIZ);
    return guard ? guard : stream;
}

void guard_terminals(void) {
    stdout = guarded(stdout, STDOUT_FILENO, _IOLBF);
    stderr = guarded(stderr, STDERR_FILENO, _IONBF);
}

bool discard_output(void) {
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere)
        stdout = nowhere; /* not freopen, which cannot take the stream of guard_terminals */
    return nowhere;
}

void clear_screen(void) {
    fflush(stdout);
    dprintf(STDOUT_FILENO, "\033[H\033[2J");
}

/* For print_errors_json: what was complained about so far, and whether there is JSON already. */
static struct {
    pthread_mutex_t mutex;
    json_t *complaints; /* NULL if there are none */
    bool has_json;
} output = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void note_complaint(const char *text) {
    pthread_mutex_lock(&output.mutex);
    if (!output.complaints)
        output.complaints = json_array();
    array_push(output.complaints, text_json(text));
    pthread_mutex_unlock(&output.mutex);
}

bool complain(const char *format, ...) {
    Arena arena = {0};
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(&arena, format, arguments);
    va_end(arguments);
    fprintf(stderr, "marelle: %s\n", text);
    note_complaint(text);
    arena_free(&arena);
    return false;
}

void print_errors_json(int status) {
    if (status != STATUS_DONE && !output.has_json)
        print_json(object_of("status", json_integer(status), "errors",
                             output.complaints ? output.complaints : json_array()));
    else
        json_decref(output.complaints);
    output.complaints = NULL;
}

void print_json(json_t *object) {
    output.has_json = true;
    json_dumpf(object, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(object);
}

void print_json_about(const char *game, json_t *object) {
    json_t *whole = json_pack("{s:o}", "game", text_json(game));
    json_object_update(whole, object);
    json_decref(object);
    print_json(whole);
}

bool was_cut_short(const char *file) {
    bool is_cut = work_must_end((Deadline){0}, NULL);
    if (is_cut)
        complain("%s: cut short, so nothing is written", file);
    return is_cut;
}

bool write_text(const char *path, const Text *text) {
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    bool is_written = file && fwrite(text_string(text), 1, text->count, file) == text->count;
    if (file && file != stdout)
        is_written = fclose(file) == 0 && is_written;
    return is_written;
}

static void note_error(const Diagnostic *d) {
    Text text = {0};
    if (d->severity != SEVERITY_ERROR)
        return;
    if (d->file)
        text_printf(&text, "%s:%u:%u: ", d->file, d->line, d->column);
    text_add(&text, d->message);
    note_complaint(text_string(&text));
    vector_free(&text);
}

void print_failure(const Report *report) {
    fflush(stdout);
    if (report->items.count == 1 && !report->items.items[0].file)
        complain("%s", report->items.items[0].message);
    else {
        report_print(report, stderr, SEVERITY_ERROR);
        for (size_t i = 0; i < report->items.count; i++)
            note_error(&report->items.items[i]);
    }
}

int finish_output(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    /* The failed write may have happened long ago. Another write gives the reason in errno. */
    clearerr(stdout);
    putchar('\n');
    int reason = fflush(stdout) != 0 ? errno : EIO;
    complain("cannot write standard output: %s", strerror(reason));
    return STATUS_EXHAUSTED;
}
