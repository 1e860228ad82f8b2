/* Diagnostics: what is wrong, and where. Every function of the library that can fail takes a
 * Report, adds one or more diagnostics to it and returns NULL or false; nothing is printed and
 * nothing exits. A report owns copies of all its texts, so it may outlive the source. */
#pragma once

#include <stdio.h>

#include "base/memory.h"
#include "base/source_text.h"
#include "base/vector.h"

typedef enum { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR } Severity;

typedef struct {
    Severity severity;
    const char *code; /* a few words with hyphens, stable across releases */
    const char *file; /* NULL when no source is concerned; then line and column are 0 */
    uint32_t line, column, width;
    const char *excerpt; /* the source line, possibly shortened; NULL if none */
    uint32_t excerpt_column;
    const char *message;
    const char *hint; /* NULL if none */
} Diagnostic;

/* More than this many diagnostics, of one code or in all, are counted but not kept. */
enum { REPORT_MAX_OF_CODE = 20, REPORT_MAX_DIAGNOSTICS = 1000 };

typedef struct {
    const char *code;
    Severity severity;
    size_t count;
} CodeCount;

struct Report {
    Arena arena;
    VECTOR(Diagnostic) items;
    VECTOR(CodeCount) codes;
    bool dropped_last;                 /* the diagnostic added last was not kept */
    size_t counts[SEVERITY_ERROR + 1]; /* number by severity, including those that were not kept */
};

/* Adds a diagnostic about `width` bytes of the source, starting at `offset`. */
void report_at(Report *report, Severity severity, const char *code, Source *source, uint32_t offset,
               uint32_t width, const char *format, ...) __attribute__((format(printf, 7, 8)));
/* Adds an error that does not belong to a place in a source. Returns false. */
bool report_error(Report *report, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Attaches a hint to the diagnostic added last. */
void report_hint(Report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool report_failed(const Report *report) {
    return report->counts[SEVERITY_ERROR] > 0;
}

const char *severity_name(Severity severity);
/* Sorts by file, line and column; diagnostics at the same place keep their order. */
void report_sort(Report *report);
/* Prints place, message, source line, caret and hint, as compilers do. Omits diagnostics below the
 * severity `mildest`. */
void report_print(const Report *report, FILE *out, Severity mildest);
void report_free(Report *report);
