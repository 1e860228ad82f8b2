/* Walks the tree, and recognises the two notations. */
#include "gdl/syntax.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"

uint32_t odd_blank_width(const char *at) {
    const unsigned char *c = (const unsigned char *)at;
    if (c[0] == 0xc2 && c[1] == 0xa0)
        return 2;
    if (c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf)
        return 3;
    return 0;
}

Symbol node_head(const Syntax *syntax, uint32_t node) {
    if (!node_is_list(syntax, node))
        return syntax->nodes.items[node].symbol;
    if (syntax->nodes.items[node].size == 1)
        return SYMBOL_NONE;
    return syntax->nodes.items[node + 1].symbol;
}

bool symbol_is_anonymous(const Symbols *symbols, Symbol symbol) {
    return strncmp(symbols_name(symbols, symbol), ANONYMOUS_PREFIX, strlen(ANONYMOUS_PREFIX)) == 0;
}

bool node_is_block(const Syntax *syntax, uint32_t node) {
    uint32_t end = node_end(syntax, node);
    if (!node_is_list(syntax, node) || end - node < 3)
        return false;
    Symbol head = syntax->nodes.items[node + 1].symbol;
    bool has_one_operand = node_next(syntax, node + 2) == end;
    return head == KEYWORD_NOT ? has_one_operand
                               : (head == KEYWORD_OR || head == KEYWORD_AND) && !has_one_operand;
}

uint32_t node_children(const Syntax *syntax, uint32_t node) {
    uint32_t count = 0;
    if (node_is_list(syntax, node))
        for (uint32_t child = node + 1; child < node_end(syntax, node);
             child = node_next(syntax, child))
            count++;
    return count;
}

uint32_t node_width(const Syntax *syntax, uint32_t node) {
    assert(node < syntax->nodes.count);
    if (node_is_list(syntax, node))
        return 1;
    uint32_t length = symbols_length(&syntax->symbols, syntax->nodes.items[node].symbol);
    bool infix_variable = syntax->notation == NOTATION_INFIX && node_is_variable(syntax, node);
    return infix_variable && length > 1 ? length - 1 : length;
}

uint32_t node_depth(const Syntax *syntax, uint32_t node) {
    U32Vector ends = {0};
    uint32_t deepest = 0;
    for (uint32_t i = node; i < node_end(syntax, node); i++) {
        while (ends.count && vector_last(&ends) <= i)
            (void)vector_pop(&ends);
        if (node_is_list(syntax, i))
            vector_push(&ends, node_end(syntax, i));
        if (ends.count > deepest)
            deepest = (uint32_t)ends.count;
    }
    vector_free(&ends);
    return deepest;
}

/* True if the byte before `at` is a blank, or belongs to a no-break space or byte order mark. */
static bool is_blank_within_line(const char *text, uint32_t at) {
    char c = text[at - 1];
    if (c == ' ' || c == '\t' || c == '\f' || c == '\v')
        return true;
    for (uint32_t start = at > 3 ? at - 3 : 0; start < at; start++)
        if (odd_blank_width(text + start) > at - 1 - start)
            return true;
    return false;
}

void syntax_note_comment(Syntax *syntax, uint32_t start, uint32_t end) {
    assert(start <= end && end <= syntax->source->length);
    const char *text = syntax->source->text;
    uint32_t before = start;
    while (before > 0 && is_blank_within_line(text, before))
        before--;
    bool own_line = before == 0 || text[before - 1] == '\n' || text[before - 1] == '\r';
    while (end > start && (unsigned char)text[end - 1] <= ' ')
        end--;
    vector_push(&syntax->comments, ((Comment){start, end - start, own_line}));
}

static const char *skip_line(const char *c, const char *end) {
    while (c < end && *c != '\n' && *c != '\r')
        c++;
    return c;
}

uint32_t syntax_read_comment(Syntax *syntax, uint32_t start) {
    const char *text = syntax->source->text;
    uint32_t end = (uint32_t)(skip_line(text + start, text + syntax->source->length) - text);
    syntax_note_comment(syntax, start, end);
    return end;
}

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Skips blanks and the comments of both notations. Sets `is_infix` if a comment was of the infix
 * kind. */
static const char *skip_comments(const char *c, const char *end, bool *is_infix) {
    while (c < end) {
        if (*c == ';' || *c == '%') {
            *is_infix |= *c == '%';
            c = skip_line(c, end);
        } else if (c + 1 < end && c[0] == '/' && c[1] == '*') {
            *is_infix = true;
            for (c += 2; c + 1 < end && !(c[0] == '*' && c[1] == '/');)
                c++;
            c = c + 2 < end ? c + 2 : end;
        } else if ((unsigned char)*c <= ' ' || odd_blank_width(c)) {
            c += odd_blank_width(c) ? odd_blank_width(c) : 1;
        } else {
            break;
        }
    }
    return c;
}

static const char *skip_name(const char *c, const char *end) {
    char quote = *c;
    if (quote != '\'' && quote != '"') {
        while (c < end && is_name_byte(*c))
            c++;
        return c;
    }
    for (c++; c < end && *c != quote && *c != '\n';)
        c++;
    return c < end ? c + 1 : end;
}

/* A parenthesis that opens an expression indicates KIF. A parenthesis directly after a name, a
 * period or `:-` indicates infix. If there are only bare names, the comments decide. */
static Notation recognise(const Source *source) {
    const char *c = source->text, *end = c + source->length;
    bool has_infix_comment = false;
    for (;;) {
        c = skip_comments(c, end, &has_infix_comment);
        if (c >= end)
            return has_infix_comment ? NOTATION_INFIX : NOTATION_KIF;
        if (c[0] == '(')
            return NOTATION_KIF;
        if (c[0] == '.' || (c[0] == ':' && c[1] == '-'))
            return NOTATION_INFIX;
        const char *name = c;
        c = skip_name(c, end);
        if (c == name)
            return NOTATION_KIF;
        if (c < end && *c == '(')
            return NOTATION_INFIX;
    }
}

bool syntax_may_go_on(const Syntax *syntax, uint32_t steps, Report *report) {
    enum { STEPS_BETWEEN_LOOKS = 1 << 12 }; /* (untuned) */
    if (steps % STEPS_BETWEEN_LOOKS != 0 || !work_must_end((Deadline){0}, NULL))
        return true;
    for (size_t i = 0; i < report->items.count; i++)
        if (strcmp(report->items.items[i].code, "cut-short") == 0)
            return false; /* the reader has said so */
    return report_error(report, "cut-short", "reading '%s' was cut short", syntax->source->name);
}

Syntax *syntax_new(Source *source, Notation notation) {
    Syntax *syntax = memory_zalloc(sizeof *syntax);
    syntax->source = source;
    syntax->notation = notation;
    keywords_intern(&syntax->symbols);
    return syntax;
}

Syntax *syntax_read(Source *source, Report *report) {
    if (recognise(source) == NOTATION_INFIX)
        return syntax_read_infix(source, report);
    return syntax_read_kif(source, false, report);
}

Syntax *syntax_read_term(const char *text, size_t length) {
    Report report = {0};
    Source *source = source_from_text("term", text, length, &report);
    Syntax *syntax = source ? syntax_read_kif(source, true, &report) : NULL;
    if (report_failed(&report) || syntax->roots.count != 1) {
        syntax_free(syntax);
        syntax = NULL;
    }
    report_free(&report);
    return syntax;
}

void syntax_free(Syntax *syntax) {
    if (!syntax)
        return;
    source_free(syntax->source);
    symbols_free(&syntax->symbols);
    vectors_free(&syntax->nodes, &syntax->roots, &syntax->comments);
    free(syntax);
}

void syntax_title(const Syntax *syntax, Text *title) {
    for (size_t i = 0; i < syntax->comments.count && !title->count; i++) {
        const Comment *comment = &syntax->comments.items[i];
        const char *c = syntax->source->text + comment->offset, *end = c + comment->length;
        while (c < end && strchr(";%/*-=# \t", *c))
            c++;
        text_add_bytes(title, c, (size_t)(end - c));
    }
}
