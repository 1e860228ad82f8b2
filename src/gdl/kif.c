/* Reads prefix KIF in one pass over the bytes, with a table of byte classes. Open lists are on an
 * explicit stack, so deep nesting needs memory but no C stack. Unmatched parentheses are reported
 * where a person would look for them: a rule that starts inside another expression, or a
 * parenthesis in the first column, shows that the expression before was not closed. */
#include <assert.h>
#include <string.h>

#include "gdl/syntax.h"

enum { MAX_DEPTH = 10000000, RESTARTS = 50 }; /* nested lists; recoveries per text (untuned) */

typedef enum { BYTE_SYMBOL, BYTE_BLANK, BYTE_OPEN, BYTE_CLOSE, BYTE_COMMENT, BYTE_BAD } ByteClass;

typedef struct {
    Syntax *syntax;
    Report *report;
    const char *text;
    uint32_t length;
    bool is_message;
    uint8_t classes[256];
    U32Vector open;
    uint32_t column_one; /* first `(` in column one inside the open expression, or none */
    unsigned restarts;
} Reader;

#define NOWHERE UINT32_MAX

static void classify_bytes(uint8_t *classes) {
    for (int c = 0; c < 256; c++)
        classes[c] = c < ' ' || c == 127 ? BYTE_BAD : BYTE_SYMBOL;
    for (const char *c = " \t\r\n\f\v"; *c; c++)
        classes[(unsigned char)*c] = BYTE_BLANK;
    classes['('] = BYTE_OPEN;
    classes[')'] = BYTE_CLOSE;
    classes[';'] = BYTE_COMMENT;
}

static void add_node(Reader *r, uint32_t offset, Symbol symbol) {
    if (!r->open.count) {
        vector_push(&r->syntax->roots, (uint32_t)r->syntax->nodes.count);
        r->column_one = NOWHERE;
    }
    vector_push(&r->syntax->nodes, ((Node){offset, symbol, 1}));
}

static void close_lists_from(Reader *r, size_t first, uint32_t end_node) {
    while (r->open.count > first) {
        uint32_t list = vector_pop(&r->open);
        r->syntax->nodes.items[list].size = end_node - list;
    }
}

static uint32_t line_of(Reader *r, uint32_t offset) {
    return source_place(r->syntax->source, offset).line;
}

static void report_unclosed(Reader *r, uint32_t next_start) {
    assert(r->open.count > 0);
    uint32_t root = r->syntax->nodes.items[r->open.items[0]].offset;
    size_t missing = r->open.count;
    report_at(r->report, SEVERITY_ERROR, "unclosed-paren", r->syntax->source, root, 1,
              "this parenthesis is never closed: %zu `)` missing", missing);
    if (next_start != NOWHERE)
        report_hint(r->report, "the next expression seems to start at line %u",
                    line_of(r, next_start));
}

/* A `<=` that opens a list inside another list must be a new rule, so the open lists are closed. */
static void close_outer_expression(Reader *r) {
    assert(r->open.count > 1);
    uint32_t list = vector_pop(&r->open);
    report_unclosed(r, r->syntax->nodes.items[list].offset);
    close_lists_from(r, 0, list);
    vector_push(&r->syntax->roots, list);
    vector_push(&r->open, list);
}

static bool opens_list(Reader *r) {
    return r->open.count && vector_last(&r->open) == r->syntax->nodes.count - 1;
}

static void read_symbol(Reader *r, uint32_t start, uint32_t end) {
    Symbol symbol = symbols_intern(&r->syntax->symbols, r->text + start, end - start);
    if (symbol == KEYWORD_IMPLIES && r->open.count > 1 && !r->is_message && opens_list(r))
        close_outer_expression(r);
    add_node(r, start, symbol);
}

static void read_close(Reader *r, uint32_t at) {
    if (r->open.count) {
        close_lists_from(r, r->open.count - 1, (uint32_t)r->syntax->nodes.count);
        return;
    }
    report_at(r->report, SEVERITY_ERROR, "stray-close", r->syntax->source, at, 1,
              "this `)` closes nothing");
    if (r->syntax->roots.count) {
        uint32_t root = vector_last(&r->syntax->roots);
        report_hint(r->report, "the expression that starts at line %u was already complete",
                    line_of(r, r->syntax->nodes.items[root].offset));
    }
}

static bool read_open(Reader *r, uint32_t at) {
    if (r->open.count >= MAX_DEPTH) {
        report_at(r->report, SEVERITY_ERROR, "too-deep", r->syntax->source, at, 1,
                  "parentheses are nested deeper than %d", MAX_DEPTH);
        return false;
    }
    bool first_column = at == 0 || r->text[at - 1] == '\n' || r->text[at - 1] == '\r';
    if (first_column && r->open.count && r->column_one == NOWHERE)
        r->column_one = at;
    add_node(r, at, SYMBOL_NONE);
    vector_push(&r->open, (uint32_t)r->syntax->nodes.count - 1);
    return true;
}

static uint32_t symbol_end(const Reader *r, uint32_t at) {
    while (at < r->length && r->classes[(unsigned char)r->text[at]] == BYTE_SYMBOL &&
           !odd_blank_width(r->text + at))
        at++;
    return at;
}

/* Reads from an offset to the end. False if an error makes it impossible to continue. */
static bool read_from(Reader *r, uint32_t at) {
    for (uint32_t steps = 1; at < r->length; steps++) {
        if (!syntax_may_go_on(r->syntax, steps, r->report))
            return false;
        switch ((ByteClass)r->classes[(unsigned char)r->text[at]]) {
        case BYTE_BLANK:
            at++;
            break;
        case BYTE_OPEN:
            if (!read_open(r, at++))
                return false;
            break;
        case BYTE_CLOSE:
            read_close(r, at++);
            break;
        case BYTE_COMMENT:
            at = syntax_read_comment(r->syntax, at);
            break;
        case BYTE_BAD:
            report_at(r->report, SEVERITY_ERROR, "bad-byte", r->syntax->source, at, 1,
                      "byte 0x%02x does not belong in a description", (unsigned char)r->text[at]);
            at++;
            break;
        case BYTE_SYMBOL: {
            uint32_t blank = odd_blank_width(r->text + at);
            uint32_t end = blank ? at + blank : symbol_end(r, at);
            if (!blank)
                read_symbol(r, at, end);
            at = end;
            break;
        }
        }
    }
    return true;
}

/* The text ended inside an expression. Gives up that expression where the next one seems to
 * start. */
static uint32_t restart_after_unclosed(Reader *r) {
    uint32_t next = r->restarts++ < RESTARTS ? r->column_one : NOWHERE;
    uint32_t root = r->open.items[0];
    report_unclosed(r, next);
    if (next == NOWHERE) {
        close_lists_from(r, 0, (uint32_t)r->syntax->nodes.count);
        return NOWHERE;
    }
    size_t keep = root;
    while (keep < r->syntax->nodes.count && r->syntax->nodes.items[keep].offset < next)
        keep++;
    r->syntax->nodes.count = keep;
    for (uint32_t i = root; i < keep; i++)
        if (node_end(r->syntax, i) > keep)
            r->syntax->nodes.items[i].size = (uint32_t)keep - i;
    close_lists_from(r, 0, (uint32_t)keep);
    while (r->syntax->comments.count && vector_last(&r->syntax->comments).offset > next)
        (void)vector_pop(&r->syntax->comments);
    return next;
}

Syntax *syntax_read_kif(Source *source, bool is_message, Report *report) {
    Syntax *syntax = syntax_new(source, NOTATION_KIF);
    Reader r = {.syntax = syntax,
                .report = report,
                .text = source->text,
                .length = (uint32_t)source->length,
                .is_message = is_message,
                .column_one = NOWHERE};
    classify_bytes(r.classes);
    uint32_t at = 0;
    while (at != NOWHERE && read_from(&r, at))
        at = r.open.count ? restart_after_unclosed(&r) : NOWHERE;
    close_lists_from(&r, 0, (uint32_t)syntax->nodes.count);
    vector_free(&r.open);
    vector_shrink(&syntax->nodes);
    vector_shrink(&syntax->roots);
    return syntax;
}
