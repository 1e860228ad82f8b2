/* Recorded matches: the answers of an independent reasoner, state by state, to be compared with
 * ours. docs/reference/formats.md describes the text format; files may be compressed with gzip.
 * Each different fact, move or role is stored once and has a number. */
#pragma once

#include <assert.h>

#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "game/interpreter/interpreter.h"

/* A range of Trace.items, which are numbers of texts. */
typedef struct {
    uint32_t first, count;
} TraceSpan;

typedef struct {
    TraceSpan state;
    uint32_t first_legal; /* spans, one for each role: Trace.legal; TRACE_NONE if not recorded */
    TraceSpan does;       /* one move for each role; empty in the last step */
    uint32_t line;        /* line number of the state, from 1 */
} TraceStep;

typedef enum {
    TRACE_TERMINAL, /* the last state is terminal and has goals */
    TRACE_CUT,      /* recording stopped early */
    TRACE_NO_LEGAL, /* some role had no move in the last state */
} TraceEnd;

#define TRACE_NONE UINT32_MAX
typedef struct {
    uint32_t number; /* number of the match as written in the file */
    uint32_t first_step, step_count;
    TraceEnd end;
    uint32_t first_goal; /* Trace.goals, one for each role, if the end is TRACE_TERMINAL */
} TraceMatch;

typedef struct {
    Arena arena; /* the texts */
    VECTOR(const char *) texts;
    Table table;
    U32Vector items;
    TraceSpan roles;
    VECTOR(TraceSpan) legal;
    VECTOR(int) goals; /* a value or GOAL_NONE */
    VECTOR(TraceStep) steps;
    VECTOR(TraceMatch) matches;
} Trace;

/* NULL and errors with line numbers in the report if the file cannot be read or is malformed. */
Trace *trace_read(const char *path, Report *report);
Trace *trace_read_text(const char *name, const char *text, size_t length, Report *report);
void trace_free(Trace *trace);

static inline const char *trace_text(const Trace *trace, TraceSpan span, uint32_t index) {
    assert(index < span.count);
    return trace->texts.items[trace->items.items[span.first + index]];
}

static inline TraceSpan trace_legal(const Trace *trace, const TraceStep *step, uint32_t role) {
    return trace->legal.items[step->first_legal + role];
}
