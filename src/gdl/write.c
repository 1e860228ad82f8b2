/* Expressions of the text are written by walking the nodes in preorder with a stack of open
 * constructs, so any depth can be printed. Terms are written recursively, since rules_lower bounds
 * their depth. In infix notation a premise has operators (`&`, `|`, `~`) where a term with the same
 * names has arguments. */
#include "gdl/write.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

static bool is_letter(char c) {
    return is_lower(c) || (c >= 'A' && c <= 'Z');
}

/* True if the infix reader accepts the name as a constant without quotes. */
static bool is_plain_infix_name(const char *name, size_t length) {
    bool is_signed = length > 1 && (name[0] == '-' || name[0] == '+') && is_digit(name[1]);
    if (!is_signed && !is_lower(name[0]) && !is_digit(name[0]))
        return false;
    for (size_t i = is_signed; i < length; i++)
        if (!is_letter(name[i]) && !is_digit(name[i]) && name[i] != '_')
            return false;
    return true;
}

static bool is_hex_pair(const char *c, size_t length) {
    const char *hex = "0123456789abcdef";
    return length >= 2 && c[0] && c[1] && strchr(hex, c[0]) && strchr(hex, c[1]);
}

/* Writes bytes that an infix variable may not contain as _hh. An underscore that looks like such an
 * escape is escaped too, so that different variables stay different. */
static void write_infix_variable(Text *out, const char *name, size_t length) {
    if (length == 0 || (length == 1 && name[0] == '_')) {
        text_add(out, length ? "_5f" : "_3f");
        return;
    }
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool plain = is_letter(c) || (i > 0 && is_digit(c)) ||
                     (c == '_' && !is_hex_pair(name + i + 1, length - i - 1));
        if (!plain)
            text_printf(out, "_%02x", (unsigned char)c);
        else
            text_add_char(out, i == 0 && is_lower(c) ? (char)(c - 32) : c);
    }
}

/* A capital at the start would make a variable. KIF ignores case, so its names may be changed;
 * names that were infix before keep their quotes. */
static void write_infix_constant(Text *out, const char *name, size_t length, bool may_fold) {
    size_t start = out->count;
    text_add_bytes(out, name, length);
    bool folds = may_fold && length > 0 && is_letter(*name) && !is_lower(*name);
    for (size_t i = start; folds && i < out->count; i++)
        if (is_letter(out->items[i]))
            out->items[i] |= 32;
    if (length > 0 && is_plain_infix_name(out->items + start, length))
        return;
    out->count = start;
    char quote = memchr(name, '\'', length) && !memchr(name, '"', length) ? '"' : '\'';
    text_add_char(out, quote);
    for (size_t i = 0; i < length; i++) {
        if (name[i] == quote)
            text_add_char(out, quote);
        text_add_char(out, name[i]);
    }
    text_add_char(out, quote);
}

void write_symbol(Text *out, const Symbols *symbols, Symbol symbol, Notation notation) {
    const char *name = symbols_name(symbols, symbol);
    size_t length = symbols_length(symbols, symbol);
    if (notation == NOTATION_KIF)
        text_add_bytes(out, name, length);
    else if (*name == '?')
        write_infix_variable(out, name + 1, length - 1);
    else
        write_infix_constant(out, name, length, false);
}

/* The spelling of a name in the text, without quotes and question mark. Returns `name` if the text
 * has something else there, as for connectives of the infix notation and anonymous variables. */
static const char *spelling_in_text(const Syntax *syntax, uint32_t node, const char *name,
                                    size_t length) {
    const Source *source = syntax->source;
    size_t at = syntax->nodes.items[node].offset;
    char c = source->text[at];
    bool infix = syntax->notation == NOTATION_INFIX;
    at += c == '?' || (infix && (c == '\'' || c == '"'));
    bool stands =
        at + length <= source->length && strncasecmp(source->text + at, name, length) == 0;
    return stands ? source->text + at : name;
}

static void write_spelling(Text *out, const Syntax *syntax, uint32_t node, Notation notation) {
    Symbol symbol = syntax->nodes.items[node].symbol;
    bool is_variable = symbol_is_variable(&syntax->symbols, symbol);
    size_t length = symbols_length(&syntax->symbols, symbol) - is_variable;
    const char *folded = symbols_name(&syntax->symbols, symbol) + is_variable;
    const char *name = spelling_in_text(syntax, node, folded, length);
    if (!is_variable) {
        if (notation == NOTATION_INFIX)
            write_infix_constant(out, name, length, syntax->notation == NOTATION_KIF);
        else
            text_add_bytes(out, name, length);
    } else if (notation == NOTATION_KIF) {
        bool lower = syntax->notation == NOTATION_INFIX && length > 0 && is_letter(*name);
        text_add_char(out, '?');
        if (lower)
            text_add_char(out, *name | 32);
        text_add_bytes(out, name + lower, length - lower);
    } else if (syntax->notation == NOTATION_KIF) {
        write_infix_variable(out, name, length);
    } else if (symbol_is_anonymous(&syntax->symbols, symbol)) {
        text_add_char(out, '_');
    } else {
        bool bare = is_letter(*name) || *name == '_';
        if (!bare)
            text_add_char(out, '?');
        text_add_char(out, is_lower(*name) && bare ? (char)(*name - 32) : *name);
        text_add_bytes(out, name + 1, length - 1);
    }
}

void write_term(Text *out, const Terms *terms, Term term, Notation notation) {
    assert(term < terms->cells.count);
    uint32_t arity = term_arity(terms, term);
    bool infix = notation == NOTATION_INFIX;
    if (arity && !infix)
        text_add_char(out, '(');
    write_symbol(out, terms->symbols, term_symbol(terms, term), notation);
    for (uint32_t i = 0; i < arity; i++) {
        text_add_char(out, !infix ? ' ' : i ? ',' : '(');
        write_term(out, terms, term_argument(terms, term, i), notation);
    }
    if (arity)
        text_add_char(out, ')');
}

void write_term_lower(Text *out, const Terms *terms, Term term) {
    size_t start = out->count;
    write_term(out, terms, term, NOTATION_KIF);
    for (size_t i = start; i < out->count; i++)
        out->items[i] = ascii_lower(out->items[i]);
}

/* One open construct while an expression is written on one line. */
typedef enum { OPEN_KIF_LIST, OPEN_ARGUMENTS, OPEN_AND, OPEN_OR, OPEN_NOT } OpenKind;

static const struct {
    const char *joint, *close;
    bool holds_formulas;
} open_kinds[] = {
    [OPEN_KIF_LIST] = {" ", ")", false}, [OPEN_ARGUMENTS] = {",", ")", false},
    [OPEN_AND] = {" & ", ")", true},     [OPEN_OR] = {" | ", ")", true},
    [OPEN_NOT] = {"", "", true},
};

typedef struct {
    uint32_t end; /* node after the construct */
    uint8_t kind;
    bool is_empty; /* nothing is written inside yet */
} Open;

typedef struct {
    const Syntax *syntax;
    Text *out;
    Notation notation;
    VECTOR(Open) open;
} Writer;

static void open_construct(Writer *w, uint32_t node, OpenKind kind) {
    vector_push(&w->open, ((Open){node_end(w->syntax, node), (uint8_t)kind, true}));
}

/* Writes the start of an infix node: all of an atom, or what precedes its first operand. Returns
 * the node to go on with. */
static uint32_t begin_infix_term(Writer *w, uint32_t node) {
    const Syntax *syntax = w->syntax;
    if (!node_is_list(syntax, node)) {
        write_spelling(w->out, syntax, node, NOTATION_INFIX);
        return node + 1;
    }
    if (syntax->nodes.items[node].size == 1 || node_is_list(syntax, node + 1)) {
        text_add_char(w->out, '('); /* not a term: occurs only in malformed descriptions */
        open_construct(w, node, OPEN_ARGUMENTS);
        return node + 1;
    }
    write_spelling(w->out, syntax, node + 1, NOTATION_INFIX);
    if (syntax->nodes.items[node].size > 2) {
        text_add_char(w->out, '(');
        open_construct(w, node, OPEN_ARGUMENTS);
    } else if (syntax->notation == NOTATION_INFIX || node_head(syntax, node) == KEYWORD_NOT) {
        text_add(w->out, "()");
    }
    return node + 2;
}

static uint32_t begin_infix_formula(Writer *w, uint32_t node) {
    Symbol head = node_head(w->syntax, node);
    if (!node_is_list(w->syntax, node)) {
        /* Bare, `not` would negate what follows, and the reader would drop `true`. */
        if (head == KEYWORD_NOT)
            text_add(w->out, "'not'");
        else if (head == KEYWORD_TRUE)
            text_add(w->out, "true()");
        else
            return begin_infix_term(w, node);
        return node + 1;
    }
    if (!node_is_block(w->syntax, node))
        return begin_infix_term(w, node);
    text_add_char(w->out, head == KEYWORD_NOT ? '~' : '(');
    open_construct(w, node,
                   head == KEYWORD_NOT   ? OPEN_NOT
                   : head == KEYWORD_AND ? OPEN_AND
                                         : OPEN_OR);
    return node + 2;
}

static uint32_t begin_node(Writer *w, uint32_t node, bool is_formula) {
    if (w->notation == NOTATION_INFIX)
        return is_formula ? begin_infix_formula(w, node) : begin_infix_term(w, node);
    if (!node_is_list(w->syntax, node)) {
        write_spelling(w->out, w->syntax, node, NOTATION_KIF);
    } else {
        text_add_char(w->out, '(');
        open_construct(w, node, OPEN_KIF_LIST);
    }
    return node + 1;
}

static void close_constructs(Writer *w, uint32_t next) {
    while (w->open.count && vector_last(&w->open).end == next)
        text_add(w->out, open_kinds[vector_pop(&w->open).kind].close);
}

/* Writes a term or formula on one line; stops when the text has reached the limit. */
static void write_flat(Text *out, const Syntax *syntax, uint32_t node, Notation notation,
                       bool is_formula, size_t limit) {
    Writer w = {syntax, out, notation, {0}};
    uint32_t n = node, end = node_end(syntax, node);
    while (n < end && out->count < limit) {
        bool formula = is_formula;
        if (w.open.count) {
            Open *top = &vector_last(&w.open);
            formula = open_kinds[top->kind].holds_formulas;
            if (!top->is_empty)
                text_add(out, open_kinds[top->kind].joint);
            top->is_empty = false;
        }
        n = begin_node(&w, n, formula);
        close_constructs(&w, n);
    }
    vector_free(&w.open);
}

static void write_infix_rule(Text *out, const Syntax *syntax, uint32_t node, size_t limit) {
    uint32_t end = node_end(syntax, node), head = node + 2;
    write_flat(out, syntax, head, NOTATION_INFIX, false, limit);
    uint32_t premise = node_next(syntax, head);
    text_add(out, premise < end ? " :- " : " :- true");
    for (uint32_t n = premise; n < end && out->count < limit; n = node_next(syntax, n)) {
        if (n != premise)
            text_add(out, " & ");
        write_flat(out, syntax, n, NOTATION_INFIX, true, limit);
    }
}

static void write_limited(Text *out, const Syntax *syntax, uint32_t node, Notation notation,
                          WriteAs as, size_t limit) {
    assert(node < syntax->nodes.count);
    bool is_rule = syntax->nodes.items[node].size > 2 && list_head(syntax, node) == KEYWORD_IMPLIES;
    if (notation == NOTATION_INFIX && as == WRITE_EXPRESSION && is_rule)
        write_infix_rule(out, syntax, node, limit);
    else
        write_flat(out, syntax, node, notation, as == WRITE_PREMISE, limit);
}

void write_node(Text *out, const Syntax *syntax, uint32_t node, Notation notation, WriteAs as) {
    write_limited(out, syntax, node, notation, as, SIZE_MAX);
}

size_t node_written_length(const Syntax *syntax, uint32_t node, Notation notation, WriteAs as,
                           size_t limit) {
    Text text = {0};
    write_limited(&text, syntax, node, notation, as, limit);
    size_t length = text.count;
    vector_free(&text);
    return length < limit ? length : limit;
}
