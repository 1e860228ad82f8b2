/* The excerpt of a very long line is a window around the place of the error, so that a file with a
 * single line of a megabyte still gives a readable message. */
#include "base/report.h"

#include <assert.h>
#include <string.h>

/* Bytes shown before and after the place, and bytes of a message (untuned). */
enum { EXCERPT_BEFORE = 60, EXCERPT_AFTER = 60, DIAGNOSTIC_MAX_BYTES = 4000 };

const char *severity_name(Severity severity) {
    assert(severity <= SEVERITY_ERROR);
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

static bool is_continuation_byte(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void fill_excerpt(Report *report, Diagnostic *d, Source *source, uint32_t offset) {
    size_t length;
    const char *line = source_line(source, d->line, &length);
    size_t at = (size_t)(source->text + offset - line);
    if (at > length)
        at = length;
    size_t first = 0, last = length;
    if (length > EXCERPT_BEFORE + EXCERPT_AFTER) {
        first = at > EXCERPT_BEFORE ? at - EXCERPT_BEFORE : 0;
        last = at + EXCERPT_AFTER < length ? at + EXCERPT_AFTER : length;
        while (first > 0 && is_continuation_byte(line[first]))
            first--;
        while (last < length && is_continuation_byte(line[last]))
            last++;
    }
    char *excerpt = arena_copy(&report->arena, line + first, last - first);
    d->excerpt_column = 1;
    for (size_t i = 0; i < last - first; i++) {
        if (i < at - first)
            d->excerpt_column += !is_continuation_byte(excerpt[i]);
        if ((unsigned char)excerpt[i] < 0x20 && excerpt[i] != '\t')
            excerpt[i] = '?';
    }
    d->excerpt = excerpt;
}

static const char *format_message(Report *report, const char *format, va_list arguments) {
    char *message = arena_vprintf(&report->arena, format, arguments);
    if (strlen(message) > DIAGNOSTIC_MAX_BYTES)
        strcpy(message + DIAGNOSTIC_MAX_BYTES - 3, "...");
    return message;
}

/* Counts a diagnostic. False if there are many like it already. */
static bool count_code(Report *report, const Diagnostic *d) {
    size_t i = 0;
    while (i < report->codes.count && strcmp(report->codes.items[i].code, d->code) != 0)
        i++;
    if (i == report->codes.count)
        vector_push(&report->codes, ((CodeCount){d->code, d->severity, 0}));
    return ++report->codes.items[i].count <= REPORT_MAX_OF_CODE;
}

/* Adds a diagnostic, or only counts it if there are many already. */
static void add(Report *report, Diagnostic d, Source *source, uint32_t offset, const char *format,
                va_list arguments) {
    assert(report && d.code);
    report->counts[d.severity]++;
    report->dropped_last = !count_code(report, &d) || report->items.count >= REPORT_MAX_DIAGNOSTICS;
    if (report->dropped_last)
        return;
    if (source) {
        SourcePlace place = source_place(source, offset);
        d.file = arena_copy(&report->arena, source->name, strlen(source->name));
        d.line = place.line;
        d.column = place.column;
        fill_excerpt(report, &d, source, offset);
    }
    d.message = format_message(report, format, arguments);
    vector_push(&report->items, d);
}

void report_at(Report *report, Severity severity, const char *code, Source *source, uint32_t offset,
               uint32_t width, const char *format, ...) {
    assert(source && offset <= source->length);
    va_list arguments;
    va_start(arguments, format);
    Diagnostic d = {.severity = severity, .code = code, .width = width ? width : 1};
    add(report, d, source, offset, format, arguments);
    va_end(arguments);
}

bool report_error(Report *report, const char *code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Diagnostic d = {.severity = SEVERITY_ERROR, .code = code};
    add(report, d, NULL, 0, format, arguments);
    va_end(arguments);
    return false;
}

void report_hint(Report *report, const char *format, ...) {
    if (!report->items.count || report->dropped_last)
        return;
    va_list arguments;
    va_start(arguments, format);
    vector_last(&report->items).hint = format_message(report, format, arguments);
    va_end(arguments);
}

static bool comes_before(const Diagnostic *a, const Diagnostic *b) {
    if (a->line != b->line)
        return a->line < b->line;
    return a->column < b->column;
}

void report_sort(Report *report) {
    /* Insertion keeps the order of equals; reports are short and nearly sorted already. */
    Diagnostic *items = report->items.items;
    for (size_t i = 1; i < report->items.count; i++) {
        Diagnostic moved = items[i];
        size_t j = i;
        for (; j > 0 && comes_before(&moved, &items[j - 1]); j--)
            items[j] = items[j - 1];
        items[j] = moved;
    }
}

static void print_caret(const Diagnostic *d, FILE *out) {
    fprintf(out, "%5u | %s\n      | ", d->line, d->excerpt);
    const char *c = d->excerpt;
    for (uint32_t column = 1; column < d->excerpt_column && *c; column++) {
        fputc(*c == '\t' ? '\t' : ' ', out);
        for (c++; is_continuation_byte(*c);)
            c++;
    }
    fputc('^', out);
    for (uint32_t i = 1; i < d->width && c[i] && c[i] != '\t'; i++)
        fputc('~', out);
    fputc('\n', out);
}

static void print_one(const Diagnostic *d, FILE *out) {
    if (d->file)
        fprintf(out, "%s:%u:%u: ", d->file, d->line, d->column);
    fprintf(out, "%s[%s]: %s\n", severity_name(d->severity), d->code, d->message);
    if (d->excerpt)
        print_caret(d, out);
    if (d->hint)
        fprintf(out, "      = %s\n", d->hint);
}

void report_print(const Report *report, FILE *out, Severity mildest) {
    for (size_t i = 0; i < report->items.count; i++)
        if (report->items.items[i].severity >= mildest)
            print_one(&report->items.items[i], out);
    for (size_t i = 0; i < report->codes.count; i++) {
        const CodeCount *c = &report->codes.items[i];
        if (c->severity >= mildest && c->count > REPORT_MAX_OF_CODE)
            fprintf(out, "%s[%s]: and %zu more of these\n", severity_name(c->severity), c->code,
                    c->count - REPORT_MAX_OF_CODE);
    }
}

void report_free(Report *report) {
    arena_free(&report->arena);
    vectors_free(&report->items, &report->codes);
    *report = (Report){0};
}
