/* Clauses map one to one. Two things need thought. Names: most are legal as they are, the others
 * are escaped so that no two become equal. Negation: a variable that stands only in a negated
 * premise means "for no value", which ASP refuses as unsafe; the premise moves into a rule of its
 * own. */
#include "gdl/asp.h"

#include <string.h>

static const char header[] =
    "% Written by `marelle translate --to asp`.\n"
    "%\n"
    "% Names are those of the description in lower case. One that is no ASP name, starts with "
    "`x_`\n"
    "% or `aux_`, or is `not`, is written `x_` and itself, odd bytes as `_hh` in hexadecimal.\n"
    "% Variables are `V_` and their name. Numbers such as 0 or 17 are integers.\n"
    "%\n"
    "% gringo --text FILE                 every reachable fluent, move and rule instance, where\n"
    "%                                    negations of what can change are left open\n"
    "% clingo -c reach=0 FILE STATE       what follows in one state: STATE holds facts such as\n"
    "%                                    true(cell(1,1,b)). does(x,mark(1,1)).\n"
    "%                                    (true(F) :- init(F). is the first state)\n"
    "\n"
    "#const reach = 1.\n"
    "{ true(F) } :- init(F), reach = 1.\n"
    "{ true(F) } :- next(F), reach = 1.\n"
    "{ does(R,M) } :- legal(R,M), reach = 1.\n"
    "\n";

typedef struct {
    Text *out;
    const Rules *rules;
    U32Vector bound; /* variables that positive premises of the present clause bind */
    Text extra;      /* rules of auxiliary predicates, to follow it */
    unsigned auxiliaries;
} Writer;

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* An underscore before two hexadecimal digits would read as an escape: it is escaped itself. */
static void write_escaped(Text *out, const char *name) {
    for (const char *c = name; *c; c++) {
        char byte = lower(*c);
        bool like_escape = byte == '_' && is_hex(lower(c[1])) && is_hex(lower(c[2]));
        if (is_name_byte(byte) && !like_escape)
            text_add_char(out, byte);
        else
            text_printf(out, "_%02x", (unsigned char)byte);
    }
}

static bool is_number(const char *name) {
    size_t length = strspn(name, "0123456789");
    return length > 0 && length <= 9 && !name[length] && (name[0] != '0' || length == 1);
}

static bool is_asp_name(const char *name) {
    if (!(lower(*name) >= 'a' && lower(*name) <= 'z') || strncasecmp(name, "x_", 2) == 0 ||
        strncasecmp(name, "aux_", 4) == 0 || strcasecmp(name, "not") == 0)
        return false;
    for (const char *c = name; *c; c++)
        if (!is_name_byte(lower(*c)))
            return false;
    return true;
}

static void write_name(Text *out, const Terms *terms, Term term, bool may_be_number) {
    const char *name = symbols_name(terms->symbols, term_symbol(terms, term));
    if (term_is_variable(terms, term)) {
        text_add(out, "V_");
        write_escaped(out, name + 1);
    } else if (may_be_number && is_number(name)) {
        text_add(out, name);
    } else if (is_asp_name(name)) {
        for (const char *c = name; *c; c++)
            text_add_char(out, lower(*c));
    } else {
        text_add(out, "x_");
        write_escaped(out, name);
    }
}

/* Recurses; rules_lower bounds the depth. */
static void write_asp_term(Text *out, const Terms *terms, Term term, bool is_atom) {
    uint32_t arity = term_arity(terms, term);
    write_name(out, terms, term, arity == 0 && !is_atom);
    for (uint32_t i = 0; i < arity; i++) {
        text_add_char(out, i ? ',' : '(');
        write_asp_term(out, terms, term_argument(terms, term, i), false);
    }
    if (arity)
        text_add_char(out, ')');
}

static bool is_bound(const Writer *w, Term variable) {
    for (size_t i = 0; i < w->bound.count; i++)
        if (w->bound.items[i] == variable)
            return true;
    return false;
}

static void find_bound(Writer *w, const Clause *clause) {
    vector_clear(&w->bound);
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        const Literal *literal = &clause_literals(w->rules, clause)[i];
        if (literal->kind == LITERAL_POSITIVE)
            term_variables(&w->rules->terms, literal->atom, &w->bound);
    }
}

/* `not p(X,Y)` with only X bound: `not aux_1(X)` and `aux_1(X) :- p(X,Y)`. */
static void write_auxiliary(Writer *w, Term atom, const U32Vector *variables) {
    Text call = {0};
    text_printf(&call, "aux_%u", ++w->auxiliaries);
    const char *separator = "(";
    for (size_t i = 0; i < variables->count; i++)
        if (is_bound(w, variables->items[i])) {
            text_add(&call, separator);
            write_asp_term(&call, &w->rules->terms, variables->items[i], false);
            separator = ",";
        }
    text_add(&call, *separator == ',' ? ")" : "");
    text_add(w->out, call.items);
    text_printf(&w->extra, "%s :- ", call.items);
    write_asp_term(&w->extra, &w->rules->terms, atom, true);
    text_add(&w->extra, ".\n");
    vector_free(&call);
}

static void write_negation(Writer *w, Term atom) {
    U32Vector variables = {0};
    term_variables(&w->rules->terms, atom, &variables);
    bool safe = true;
    for (size_t i = 0; i < variables.count; i++)
        safe &= is_bound(w, variables.items[i]);
    text_add(w->out, "not ");
    if (safe)
        write_asp_term(w->out, &w->rules->terms, atom, true);
    else
        write_auxiliary(w, atom, &variables);
    vector_free(&variables);
}

static void write_literal(Writer *w, const Literal *literal) {
    const Terms *terms = &w->rules->terms;
    if (literal->kind == LITERAL_NEGATIVE) {
        write_negation(w, literal->atom);
    } else if (literal->kind == LITERAL_POSITIVE) {
        write_asp_term(w->out, terms, literal->atom, true);
    } else {
        write_asp_term(w->out, terms, term_argument(terms, literal->atom, 0), false);
        text_add(w->out, " != ");
        write_asp_term(w->out, terms, term_argument(terms, literal->atom, 1), false);
    }
}

static void write_asp_clause(Writer *w, const Clause *clause) {
    find_bound(w, clause);
    write_asp_term(w->out, &w->rules->terms, clause->head, true);
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        text_add(w->out, i ? ", " : " :- ");
        write_literal(w, &clause_literals(w->rules, clause)[i]);
    }
    text_add(w->out, ".\n");
    text_add(w->out, text_string(&w->extra));
    text_clear(&w->extra);
}

void rules_write_asp(Text *out, const Rules *rules) {
    Writer w = {.out = out, .rules = rules};
    text_add(out, header);
    for (size_t i = 0; i < rules->clauses.count; i++)
        write_asp_clause(&w, &rules->clauses.items[i]);
    vector_free(&w.bound);
    vector_free(&w.extra);
}
