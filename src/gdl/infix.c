/* Reads the infix notations: Stanford's human-readable form (`p(X) :- q(X) & ~r(X)`, clauses ended
 * by nothing) and the Prolog-like ones (`,`, `\+`, `not`, `\=`, clauses ended by a period). The
 * grammar is parsed with an explicit stack of open constructs. A connective is met only after its
 * first operand, so its list node is inserted in front of that operand when it turns up. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "gdl/syntax.h"

/* Greatest nesting of terms, which have a stack of their own, and of parenthesised formulas, which
 * use the C stack (untuned). */
enum { MAX_TERM_DEPTH = 1000000, MAX_FORMULA_DEPTH = 1000 };

typedef enum {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_VARIABLE,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_PERIOD,
    TOKEN_IF,       /* :- or <= */
    TOKEN_AND,      /* & */
    TOKEN_OR,       /* | or ; */
    TOKEN_NOT,      /* ~ or \+ */
    TOKEN_DISTINCT, /* \= \== != */
    TOKEN_EQUAL,    /* = or == */
    TOKEN_BAD
} TokenKind;

typedef struct {
    TokenKind kind;
    uint32_t start, end;        /* range of bytes in the source */
    uint32_t name, name_length; /* offset and length of the name without quotes */
} Token;

typedef struct {
    Syntax *syntax;
    Report *report;
    const char *text;
    uint32_t at, length;
    Token token;
    U32Vector scratch;
    Text name;          /* scratch */
    uint32_t anonymous; /* number of variables `_` so far */
    unsigned depth;
    bool failed; /* the current clause has an error */
} Reader;

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool skip_line_comment(Reader *r) {
    if (r->text[r->at] != '%')
        return false;
    r->at = syntax_read_comment(r->syntax, r->at);
    return true;
}

/* A block comment is stored line by line, so that it can be printed in either notation. */
static bool skip_block_comment(Reader *r) {
    if (r->text[r->at] != '/' || r->text[r->at + 1] != '*')
        return false;
    uint32_t open = r->at, start = open;
    for (r->at += 2; r->at < r->length; r->at++) {
        if (r->text[r->at] == '\n' || r->text[r->at] == '\r') {
            syntax_note_comment(r->syntax, start, r->at);
            r->at += r->text[r->at] == '\r' && r->text[r->at + 1] == '\n';
            start = r->at + 1;
        }
        if (r->text[r->at] == '*' && r->text[r->at + 1] == '/') {
            r->at += 2;
            syntax_note_comment(r->syntax, start, r->at);
            return true;
        }
    }
    report_at(r->report, SEVERITY_ERROR, "unclosed-comment", r->syntax->source, open, 2,
              "this comment is never closed by `*/`");
    return true;
}

static void skip_blanks(Reader *r) {
    while (r->at < r->length) {
        const unsigned char *c = (const unsigned char *)r->text + r->at;
        if (*c == ' ' || (*c >= '\t' && *c <= '\r'))
            r->at++;
        else if (odd_blank_width(r->text + r->at))
            r->at += odd_blank_width(r->text + r->at);
        else if (!skip_line_comment(r) && !skip_block_comment(r))
            break;
    }
}

static const struct {
    const char *spelling;
    TokenKind kind;
} operators[] = {
    {":-", TOKEN_IF},       {"<=", TOKEN_IF},   {"\\==", TOKEN_DISTINCT}, {"\\=", TOKEN_DISTINCT},
    {"!=", TOKEN_DISTINCT}, {"\\+", TOKEN_NOT}, {"==", TOKEN_EQUAL},      {"=", TOKEN_EQUAL},
    {"(", TOKEN_OPEN},      {")", TOKEN_CLOSE}, {",", TOKEN_COMMA},       {".", TOKEN_PERIOD},
    {"&", TOKEN_AND},       {"|", TOKEN_OR},    {";", TOKEN_OR},          {"~", TOKEN_NOT},
};

static bool scan_operator(Reader *r) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t length = strlen(operators[i].spelling);
        if (strncmp(r->text + r->at, operators[i].spelling, length) == 0) {
            r->at += (uint32_t)length;
            r->token.kind = operators[i].kind;
            return true;
        }
    }
    return false;
}

static bool can_be_kif(const char *name, uint32_t length) {
    for (uint32_t i = 0; i < length; i++)
        if ((unsigned char)name[i] <= ' ' || name[i] == 127 || strchr("();", name[i]) ||
            odd_blank_width(name + i))
            return false;
    return length > 0 && name[0] != '?';
}

static void scan_quoted(Reader *r) {
    char quote = r->text[r->at++];
    r->token.name = r->at;
    while (r->at < r->length && r->text[r->at] != '\n' && r->text[r->at] != '\r') {
        if (r->text[r->at] == quote && r->text[++r->at] != quote) {
            r->at--;
            break;
        }
        r->at++;
    }
    r->token.name_length = r->at - r->token.name;
    bool closed = r->at < r->length && r->text[r->at] == quote;
    r->at += closed;
    r->token.kind = TOKEN_NAME;
    if (closed && can_be_kif(r->text + r->token.name, r->token.name_length))
        return;
    r->token.kind = TOKEN_BAD;
    report_at(r->report, SEVERITY_ERROR, closed ? "bad-name" : "unclosed-quote", r->syntax->source,
              r->token.start, 1,
              closed ? "a quoted name may not be empty or contain blanks, parentheses or `;`"
                     : "this quote is never closed on its line");
    r->failed = true;
}

static void scan_name(Reader *r) {
    char first = r->text[r->at];
    while (r->at < r->length && is_name_byte(r->text[r->at]) && !odd_blank_width(r->text + r->at))
        r->at++;
    r->token.name = r->token.start;
    r->token.name_length = r->at - r->token.start;
    bool variable = (first >= 'A' && first <= 'Z') || first == '_' || first == '?';
    r->token.kind = variable ? TOKEN_VARIABLE : TOKEN_NAME;
}

static void next_token(Reader *r) {
    skip_blanks(r);
    r->token = (Token){TOKEN_END, r->at, r->at, r->at, 0};
    if (r->at >= r->length)
        return;
    char c = r->text[r->at];
    bool signed_number =
        (c == '-' || c == '+') && r->text[r->at + 1] >= '0' && r->text[r->at + 1] <= '9';
    if (c == '\'' || c == '"') {
        scan_quoted(r);
    } else if (is_name_byte(c) || (c == '?' && is_name_byte(r->text[r->at + 1])) || signed_number) {
        r->at += !is_name_byte(c);
        scan_name(r);
        if (c == '?')
            r->token = (Token){TOKEN_VARIABLE, r->token.start, r->at, r->token.start + 1,
                               r->token.name_length - 1};
    } else if (!scan_operator(r)) {
        r->token.kind = TOKEN_BAD;
        r->at++;
    }
    r->token.end = r->at;
}

/* True at `=>`, `->` and `-->`, which are several tokens. */
static bool is_arrow_to_the_right(const Reader *r) {
    const char *at = r->text + r->token.start;
    at -= *at == '>' && r->token.start > 0;
    return strncmp(at, "=>", 2) == 0 || strncmp(at, "->", 2) == 0 || strncmp(at, "-->", 3) == 0;
}

static void fail_at_token(Reader *r, const char *expected) {
    if (!r->failed) {
        uint32_t width = r->token.end > r->token.start ? r->token.end - r->token.start : 1;
        if (r->token.kind == TOKEN_END)
            report_at(r->report, SEVERITY_ERROR, "syntax", r->syntax->source, r->token.start, 1,
                      "the text ends where %s should stand", expected);
        else
            report_at(r->report, SEVERITY_ERROR, "syntax", r->syntax->source, r->token.start, width,
                      "`%.*s` stands where %s should", (int)(width > 40 ? 40 : width),
                      r->text + r->token.start, expected);
        if (strncmp(r->text + r->token.start, "::", 2) == 0 ||
            strncmp(r->text + r->token.start, "==>", 3) == 0)
            report_hint(r->report, "transitions of newer dialects (`::`, `==>`) are no GDL: write "
                                   "`next(FACT) :- CONDITION`");
        else if (is_arrow_to_the_right(r))
            report_hint(r->report, "a rule is written `CONCLUSION :- PREMISE & PREMISE`");
    }
    r->failed = true;
}

static uint32_t add_node(Reader *r, uint32_t offset, Symbol symbol) {
    vector_push(&r->syntax->nodes, ((Node){offset, symbol, 1}));
    return (uint32_t)r->syntax->nodes.count - 1;
}

static Symbol token_symbol(Reader *r) {
    const Token *t = &r->token;
    Text *name = &r->name;
    text_clear(name);
    if (t->kind == TOKEN_VARIABLE) {
        bool anonymous = t->name_length == 1 && r->text[t->name] == '_';
        if (anonymous)
            text_printf(name, ANONYMOUS_PREFIX "%u", ++r->anonymous);
        else
            text_add_char(name, '?');
        text_add_bytes(name, r->text + t->name, anonymous ? 0 : t->name_length);
    } else if (t->name > t->start) {
        char quote = r->text[t->start];
        for (uint32_t i = 0; i < t->name_length; i++) {
            text_add_char(name, r->text[t->name + i]);
            i += r->text[t->name + i] == quote;
        }
    } else {
        return symbols_intern(&r->syntax->symbols, r->text + t->name, t->name_length);
    }
    return symbols_intern(&r->syntax->symbols, name->items, name->count);
}

static void close_node(Reader *r, uint32_t list) {
    assert(list < r->syntax->nodes.count);
    r->syntax->nodes.items[list].size = (uint32_t)r->syntax->nodes.count - list;
}

/* Inserts `(connective` before the nodes from `first` on and closes the list. A caller that adds
 * operands closes it again. */
static void wrap_nodes(Reader *r, uint32_t first, Symbol connective) {
    assert(first < r->syntax->nodes.count);
    uint32_t offset = r->syntax->nodes.items[first].offset;
    add_node(r, 0, SYMBOL_NONE);
    add_node(r, 0, SYMBOL_NONE);
    Node *nodes = r->syntax->nodes.items;
    memmove(nodes + first + 2, nodes + first, (r->syntax->nodes.count - 2 - first) * sizeof *nodes);
    nodes[first] = (Node){offset, SYMBOL_NONE, 1};
    nodes[first + 1] = (Node){offset, connective, 1};
    close_node(r, first);
}
static void fail_too_deep(Reader *r, int deepest) {
    report_at(r->report, SEVERITY_ERROR, "too-deep", r->syntax->source, r->token.start, 1,
              "expressions are nested deeper than %d", deepest);
    r->failed = true;
}

static bool enter(Reader *r) {
    if (++r->depth <= MAX_FORMULA_DEPTH)
        return true;
    fail_too_deep(r, MAX_FORMULA_DEPTH);
    return false;
}

/* term := VARIABLE | NAME | NAME ( term , ... ). Not recursive: open argument lists are on the
 * scratch stack. */
static void read_term(Reader *r) {
    size_t bottom = r->scratch.count;
    for (;;) {
        if (r->token.kind != TOKEN_NAME && r->token.kind != TOKEN_VARIABLE) {
            fail_at_token(r, "a name or a variable");
            break;
        }
        Token name = r->token;
        Symbol symbol = token_symbol(r);
        next_token(r);
        bool applied = r->token.kind == TOKEN_OPEN && r->token.start == name.end;
        if (applied && r->scratch.count - bottom >= MAX_TERM_DEPTH) {
            fail_too_deep(r, MAX_TERM_DEPTH);
            break;
        }
        if (applied) {
            vector_push(&r->scratch, add_node(r, name.start, SYMBOL_NONE));
            add_node(r, name.start, symbol);
            next_token(r);
            if (r->token.kind != TOKEN_CLOSE)
                continue;
        } else {
            add_node(r, name.start, symbol);
        }
        while (r->scratch.count > bottom && r->token.kind == TOKEN_CLOSE) {
            close_node(r, vector_pop(&r->scratch));
            next_token(r);
        }
        if (r->scratch.count == bottom)
            return;
        if (r->token.kind != TOKEN_COMMA) {
            fail_at_token(r, "`,` or `)`");
            break;
        }
        next_token(r);
    }
    while (r->scratch.count > bottom)
        close_node(r, vector_pop(&r->scratch));
}

static void read_comparison(Reader *r, uint32_t first) {
    bool equal = r->token.kind == TOKEN_EQUAL;
    next_token(r);
    wrap_nodes(r, first, KEYWORD_DISTINCT);
    read_term(r);
    close_node(r, first);
    if (equal)
        wrap_nodes(r, first, KEYWORD_NOT);
}

static bool is_word(const Reader *r, const char *word) {
    return r->token.kind == TOKEN_NAME && r->token.name == r->token.start &&
           r->token.name_length == strlen(word) &&
           strncmp(r->text + r->token.name, word, r->token.name_length) == 0;
}

static bool token_is_prefix_not(const Reader *r) {
    bool word = is_word(r, "not") && r->text[r->token.end] != '(';
    return r->token.kind == TOKEN_NOT || word;
}

static void read_disjunction(Reader *r);

/* literal := ~ literal | ( disjunction ) | term [ != term ] */
static void read_literal(Reader *r) {
    uint32_t first = (uint32_t)r->syntax->nodes.count;
    unsigned negations = 0;
    for (; token_is_prefix_not(r); negations++) {
        add_node(r, r->token.start, SYMBOL_NONE);
        add_node(r, r->token.start, KEYWORD_NOT);
        next_token(r);
    }
    if (r->token.kind == TOKEN_OPEN) {
        next_token(r);
        read_disjunction(r);
        if (r->token.kind == TOKEN_CLOSE)
            next_token(r);
        else
            fail_at_token(r, "`)`");
    } else {
        uint32_t term = (uint32_t)r->syntax->nodes.count;
        read_term(r);
        bool compares = r->token.kind == TOKEN_DISTINCT || r->token.kind == TOKEN_EQUAL;
        if (compares && !r->failed)
            read_comparison(r, term);
    }
    for (unsigned i = 0; i < negations; i++)
        close_node(r, first + 2 * i);
}

static bool is_bare_truth(const Reader *r, uint32_t node) {
    return node + 1 == r->syntax->nodes.count &&
           r->syntax->nodes.items[node].symbol == KEYWORD_TRUE;
}

/* Reads literals joined by & or `,` and returns their number. A bare `true` always holds and is
 * omitted. */
static uint32_t read_literals(Reader *r) {
    uint32_t count = 0;
    for (;;) {
        uint32_t literal = (uint32_t)r->syntax->nodes.count;
        read_literal(r);
        if (is_bare_truth(r, literal))
            r->syntax->nodes.count = literal;
        else
            count++;
        if (r->failed || (r->token.kind != TOKEN_AND && r->token.kind != TOKEN_COMMA))
            return count;
        next_token(r);
    }
}

/* Reads a conjunction that is one of several alternatives or stands in parentheses, as one node.
 * Here `true` alone cannot be expressed. */
static void read_alternative(Reader *r) {
    uint32_t first = (uint32_t)r->syntax->nodes.count;
    Token start = r->token;
    uint32_t count = read_literals(r);
    if (!r->failed && count == 0) {
        report_at(r->report, SEVERITY_ERROR, "syntax", r->syntax->source, start.start,
                  start.end - start.start, "`true` cannot stand alone here: it changes nothing");
        r->failed = true;
    }
    if (!r->failed && count > 1)
        wrap_nodes(r, first, KEYWORD_AND);
}

static void read_more_alternatives(Reader *r, uint32_t first) {
    wrap_nodes(r, first, KEYWORD_OR);
    while (!r->failed && r->token.kind == TOKEN_OR) {
        next_token(r);
        read_alternative(r);
    }
    close_node(r, first);
}

/* disjunction := conjunction { | conjunction } */
static void read_disjunction(Reader *r) {
    if (!enter(r))
        return;
    uint32_t first = (uint32_t)r->syntax->nodes.count;
    read_alternative(r);
    if (!r->failed && r->token.kind == TOKEN_OR)
        read_more_alternatives(r, first);
    r->depth--;
}

/* body := disjunction, but a plain conjunction stays a sequence of literals of the rule. */
static void read_body(Reader *r) {
    uint32_t first = (uint32_t)r->syntax->nodes.count;
    uint32_t count = read_literals(r);
    if (r->failed || r->token.kind != TOKEN_OR)
        return;
    if (count == 0) {
        fail_at_token(r, "a premise other than `true`");
        return;
    }
    if (count > 1)
        wrap_nodes(r, first, KEYWORD_AND);
    read_more_alternatives(r, first);
}

static void read_clause(Reader *r) {
    uint32_t first = (uint32_t)r->syntax->nodes.count;
    read_term(r);
    if (!r->failed && r->token.kind == TOKEN_IF) {
        wrap_nodes(r, first, KEYWORD_IMPLIES);
        next_token(r);
        read_body(r);
        close_node(r, first);
    }
    if (r->token.kind == TOKEN_PERIOD)
        next_token(r);
    if (!r->failed)
        vector_push(&r->syntax->roots, first);
    else
        r->syntax->nodes.count = first;
}

static bool starts_line(const Reader *r) {
    uint32_t at = r->token.start;
    return at == 0 || r->text[at - 1] == '\n' || r->text[at - 1] == '\r';
}

/* After an error, skips to what looks like the start of a clause: a name in column one. The token
 * that failed may be that name. It is never the first token of its clause, where a name cannot
 * fail. */
static void recover(Reader *r) {
    r->failed = false;
    r->depth = 0;
    while (r->token.kind != TOKEN_END && !(r->token.kind == TOKEN_NAME && starts_line(r))) {
        bool is_end = r->token.kind == TOKEN_PERIOD;
        next_token(r);
        if (is_end)
            break;
    }
    r->failed = false;
}

Syntax *syntax_read_infix(Source *source, Report *report) {
    Syntax *syntax = syntax_new(source, NOTATION_INFIX);
    Reader r = {.syntax = syntax,
                .report = report,
                .text = source->text,
                .length = (uint32_t)source->length};
    next_token(&r);
    for (uint32_t steps = 1; r.token.kind != TOKEN_END; steps++) {
        if (!syntax_may_go_on(syntax, steps, report))
            break;
        read_clause(&r);
        if (r.failed)
            recover(&r);
    }
    vectors_free(&r.scratch, &r.name);
    return syntax;
}
