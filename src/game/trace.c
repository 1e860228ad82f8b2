/* A line is a keyword and a list of terms. The reader is a small machine that knows which keywords
 * may follow: roles, then matches, each of them steps (state, legal of each role, does) and an end.
 */
#include "game/trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    EXPECT_MATCH,
    EXPECT_STATE,
    EXPECT_LEGAL_OR_END,
    EXPECT_DOES,
    EXPECT_GOAL,
} Expected;

typedef struct {
    Trace *trace;
    Source *source;
    Report *report;
    const char *at, *end; /* the rest of the line */
    Text term;            /* scratch */
    uint32_t line;
    Expected expected;
    uint32_t seen; /* legal or goal lines since the last state line */
    bool failed;
} Reader;

/* Marks a single byte as the place of the error, because a line may have kilobytes. */
static void fail(Reader *r, const char *message) {
    report_at(r->report, SEVERITY_ERROR, "bad-trace", r->source,
              (uint32_t)(r->at - r->source->text), 1, "%s", message);
    r->failed = true;
}

static uint32_t intern(Trace *trace, const char *text, size_t length) {
    uint64_t hash = hash_bytes(text, length);
    uint32_t id;
    for (TableProbe p = table_probe(&trace->table, hash); table_next(&trace->table, &p, &id);)
        if (strncmp(trace->texts.items[id], text, length) == 0 && !trace->texts.items[id][length])
            return id;
    id = (uint32_t)trace->texts.count;
    vector_push(&trace->texts, arena_copy(&trace->arena, text, length));
    table_insert(&trace->table, hash, id);
    return id;
}

static void skip_blanks(Reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

/* The next term of the line, as text; its length is 0 at the end of the line. */
static const char *next_term(Reader *r, size_t *length) {
    skip_blanks(r);
    const char *start = r->at;
    uint32_t depth = 0;
    for (; r->at < r->end; r->at++) {
        char c = *r->at;
        if (depth == 0 && (c == ' ' || c == '\t' || c == '\r' || (c == '(' && r->at > start)))
            break;
        if (c == ')' && depth == 0) {
            fail(r, "a parenthesis is closed that was not opened");
            r->at = r->end;
            break;
        }
        depth += c == '(';
        depth -= c == ')';
        if (c == ')' && depth == 0) {
            r->at++;
            break;
        }
    }
    if (depth > 0)
        fail(r, "a parenthesis is open at the end of the line");
    *length = (size_t)(r->at - start);
    return start;
}

/* `(p)` and `p` are the same term, and recordings have both; it is kept as the second. */
static void add_term(Text *out, const char *term, size_t length) {
    for (const char *c = term; c < term + length; c++) {
        size_t name = *c == '(' ? strcspn(c + 1, " ()") : 0;
        bool is_empty = name && c[1 + name] == ')';
        text_add_bytes(out, c + is_empty, is_empty ? name : 1);
        c += is_empty ? name + 1 : 0;
    }
}

static TraceSpan read_terms(Reader *r) {
    TraceSpan span = {(uint32_t)r->trace->items.count, 0};
    while (!r->failed) {
        size_t length;
        const char *term = next_term(r, &length);
        if (length == 0)
            break;
        text_clear(&r->term);
        add_term(&r->term, term, length);
        vector_push(&r->trace->items, intern(r->trace, r->term.items, r->term.count));
        span.count++;
    }
    return span;
}

static bool is_word(const char *word, size_t length, const char *wanted) {
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

/* Reads the name of the role that must come next; the lines of a state are in the order of
 * roles. */
static void read_role(Reader *r) {
    const TraceSpan roles = r->trace->roles;
    size_t length;
    const char *name = next_term(r, &length);
    if (r->seen >= roles.count) {
        fail(r, "more lines than roles");
        return;
    }
    if (!is_word(name, length, trace_text(r->trace, roles, r->seen)))
        fail(r, "roles must come in their order");
}

static TraceStep *last_step(Reader *r) {
    assert(r->trace->steps.count);
    return &vector_last(&r->trace->steps);
}

static void read_state(Reader *r) {
    TraceStep step = {.first_legal = TRACE_NONE, .line = r->line};
    step.state = read_terms(r);
    vector_push(&r->trace->steps, step);
    vector_last(&r->trace->matches).step_count++;
    r->expected = EXPECT_LEGAL_OR_END;
    r->seen = 0;
}

static void read_legal(Reader *r) {
    read_role(r);
    if (r->seen++ == 0)
        last_step(r)->first_legal = (uint32_t)r->trace->legal.count;
    vector_push(&r->trace->legal, read_terms(r));
    r->expected = r->seen == r->trace->roles.count ? EXPECT_DOES : EXPECT_LEGAL_OR_END;
}

static void read_does(Reader *r) {
    TraceSpan does = read_terms(r);
    if (!r->failed && does.count != r->trace->roles.count)
        fail(r, "`does` needs one move for each role");
    last_step(r)->does = does;
    r->expected = EXPECT_STATE;
}

static void read_match(Reader *r) {
    TraceMatch match = {.first_step = (uint32_t)r->trace->steps.count};
    size_t length;
    const char *number = next_term(r, &length);
    if (length && (strspn(number, "0123456789") < length || length > 9))
        fail(r, "`match` needs a number");
    else if (length)
        match.number = (uint32_t)strtoul(number, NULL, 10);
    vector_push(&r->trace->matches, match);
    r->expected = EXPECT_STATE;
}

/* The recorder wrote `goal R goal R undefined` where it meant `goal R undefined`. */
static void read_goal(Reader *r) {
    read_role(r);
    r->seen++;
    TraceSpan rest = read_terms(r);
    if (r->failed)
        return;
    const char *value = rest.count > 0 ? trace_text(r->trace, rest, rest.count - 1) : "";
    int goal = 0;
    for (const char *c = value; *c && goal >= 0; c++)
        goal = *c >= '0' && *c <= '9' && goal < 100000 ? goal * 10 + (*c - '0') : -1;
    bool is_undefined = strcmp(value, "undefined") == 0;
    if (!*value || (!is_undefined && (goal < 0 || rest.count != 1)))
        fail(r, "`goal` needs a role and a number or `undefined`");
    vector_push(&r->trace->goals, is_undefined ? GOAL_NONE : goal);
}

static void end_match(Reader *r, TraceEnd end) {
    assert(r->trace->matches.count);
    TraceMatch *match = &vector_last(&r->trace->matches);
    match->end = end;
    match->first_goal = (uint32_t)r->trace->goals.count;
    r->expected = end == TRACE_TERMINAL ? EXPECT_GOAL : EXPECT_MATCH;
    r->seen = 0;
}

static void finish_goals(Reader *r) {
    if (r->seen != r->trace->roles.count)
        fail(r, "a goal of some role is missing");
    r->expected = EXPECT_MATCH;
}

static void read_line(Reader *r) {
    size_t length;
    const char *word = next_term(r, &length);
    Expected e = r->expected;
    if (length == 0 || r->failed)
        return;
    if (is_word(word, length, "roles") && e == EXPECT_MATCH && r->trace->roles.count == 0)
        r->trace->roles = read_terms(r);
    else if (is_word(word, length, "match") && e == EXPECT_MATCH)
        read_match(r);
    else if (is_word(word, length, "state") && e == EXPECT_STATE)
        read_state(r);
    else if (is_word(word, length, "legal") && e == EXPECT_LEGAL_OR_END)
        read_legal(r);
    else if (is_word(word, length, "does") &&
             (e == EXPECT_DOES || (e == EXPECT_LEGAL_OR_END && r->seen == 0)))
        read_does(r);
    else if (is_word(word, length, "terminal") && e == EXPECT_LEGAL_OR_END && r->seen == 0)
        end_match(r, TRACE_TERMINAL);
    else if (is_word(word, length, "cut") && e >= EXPECT_STATE && e <= EXPECT_DOES &&
             (e != EXPECT_LEGAL_OR_END || r->seen == 0))
        end_match(r, TRACE_CUT);
    else if (is_word(word, length, "nolegal") && e == EXPECT_DOES)
        end_match(r, TRACE_NO_LEGAL);
    else if (is_word(word, length, "goal") && e == EXPECT_GOAL)
        read_goal(r);
    else if (is_word(word, length, "end") && e == EXPECT_GOAL)
        finish_goals(r);
    else
        fail(r, "this line cannot stand here");
}

static Trace *read_source(Source *source, Report *report) {
    Trace *trace = memory_zalloc(sizeof *trace);
    Reader r = {.trace = trace, .source = source, .report = report};
    const char *end = source->text + source->length;
    for (const char *start = source->text; start < end && !r.failed; start = r.end + 1) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        r.at = start;
        r.end = newline ? newline : end;
        r.line++;
        read_line(&r);
        skip_blanks(&r);
        if (!r.failed && r.at < r.end)
            fail(&r, "nothing more is expected on this line");
    }
    r.at = end;
    if (!r.failed && r.expected != EXPECT_MATCH)
        fail(&r, "the trace ends in the middle of a match");
    if (!r.failed && trace->roles.count == 0)
        fail(&r, "no roles");
    source_free(source);
    vector_free(&r.term);
    if (!r.failed)
        return trace;
    trace_free(trace);
    return NULL;
}

Trace *trace_read_text(const char *name, const char *text, size_t length, Report *report) {
    Source *source = source_from_text(name, text, length, report);
    return source ? read_source(source, report) : NULL;
}

Trace *trace_read(const char *path, Report *report) {
    Source *source = source_read(path, report);
    return source ? read_source(source, report) : NULL;
}

void trace_free(Trace *trace) {
    if (!trace)
        return;
    arena_free(&trace->arena);
    vectors_free(&trace->texts, &trace->items, &trace->legal, &trace->goals, &trace->steps,
                 &trace->matches);
    table_free(&trace->table);
    free(trace);
}
