/* Each clause becomes one ASP rule, with two complications. Names: most are legal as they are; the
 * others are escaped in such a way that no two become equal. Negation: a variable that occurs only
 * in a negated premise means "for no value", which ASP rejects as unsafe, so such a premise is
 * moved into a rule of its own. */
#include "gdl/asp.h"

#include <string.h>

#include "gdl/predicates.h"

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

static const char plan_header[] =
    "% Written by `marelle translate --to plan`: names as with `--to asp`; what can change has the "
    "time\n"
    "% as its last argument.\n"
    "%\n"
    "% clingo -c aux_turns=N -c aux_best=G FILE    N joint moves after which the match ends for "
    "the\n"
    "%                                             first time, with goal G for every role, if any\n"
    "\n"
    "#const aux_turns = 1.\n"
    "#const aux_best = 100.\n"
    "aux_time(0..aux_turns).\n"
    "true(F,0) :- init(F).\n"
    "true(F,T+1) :- next(F,T), aux_time(T), T < aux_turns.\n"
    "1 { does(R,M,T) : legal(R,M,T) } 1 :- role(R), aux_time(T), T < aux_turns.\n"
    ":- terminal(T), T < aux_turns.\n"
    ":- not terminal(aux_turns).\n"
    ":- role(R), not goal(R,aux_best,aux_turns).\n"
    "#show does/3.\n"
    "\n";

typedef struct {
    Text *out;
    const Rules *rules;
    const Predicates *predicates; /* for plans: tell which atoms depend on the time; else NULL */
    U32Vector bound;              /* variables that positive premises of the current clause bind */
    Text extra;                   /* rules of auxiliary predicates, written after the clause */
    unsigned auxiliaries;
} Writer;

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* An underscore before two hexadecimal digits would look like an escape, so it is escaped too. */
static void write_escaped(Text *out, const char *name) {
    for (const char *c = name; *c; c++) {
        char byte = ascii_lower(*c);
        bool like_escape = byte == '_' && is_hex(ascii_lower(c[1])) && is_hex(ascii_lower(c[2]));
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
    if (!(ascii_lower(*name) >= 'a' && ascii_lower(*name) <= 'z') ||
        strncasecmp(name, "x_", 2) == 0 || strncasecmp(name, "aux_", 4) == 0 ||
        strcasecmp(name, "not") == 0)
        return false;
    for (const char *c = name; *c; c++)
        if (!is_name_byte(ascii_lower(*c)))
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
            text_add_char(out, ascii_lower(*c));
    } else {
        text_add(out, "x_");
        write_escaped(out, name);
    }
}

/* Recursive; rules_lower bounds the depth. */
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

/* True if the atom depends on the time of a plan: the GDL relations from `true` to `sees`, and all
 * that depend on them. */
static bool is_timed(const Writer *w, Term atom) {
    if (!w->predicates)
        return false;
    Symbol symbol = term_symbol(&w->rules->terms, atom);
    if (symbol >= KEYWORD_TRUE && symbol <= KEYWORD_SEES)
        return true;
    uint32_t p = predicate_of_atom(w->predicates, &w->rules->terms, atom);
    return p != PREDICATE_NONE && (w->predicates->items.items[p].depends_on_true ||
                                   w->predicates->items.items[p].depends_on_does);
}

static void write_atom(const Writer *w, Text *out, Term atom) {
    write_asp_term(out, &w->rules->terms, atom, true);
    if (!is_timed(w, atom))
        return;
    if (term_arity(&w->rules->terms, atom))
        out->count--; /* removes the last parenthesis */
    else
        text_add_char(out, '(');
    text_add(out, term_arity(&w->rules->terms, atom) ? ",T)" : "T)");
}

/* `not p(X,Y)` with only X bound: `not aux_1(X)` and `aux_1(X) :- p(X,Y)`. */
static void write_auxiliary(Writer *w, Term atom) {
    Text call = {0};
    U32Vector variables = {0};
    term_variables(&w->rules->terms, atom, &variables);
    text_printf(&call, "aux_%u", ++w->auxiliaries);
    const char *separator = "(";
    for (size_t i = 0; i < variables.count; i++)
        if (u32_contains(&w->bound, variables.items[i])) {
            text_add(&call, separator);
            write_asp_term(&call, &w->rules->terms, variables.items[i], false);
            separator = ",";
        }
    if (is_timed(w, atom))
        text_printf(&call, "%sT", separator);
    text_add(&call, *separator == ',' || is_timed(w, atom) ? ")" : "");
    text_add(w->out, call.items);
    text_printf(&w->extra, "%s :- ", call.items);
    write_atom(w, &w->extra, atom);
    text_add(&w->extra, ".\n");
    vectors_free(&call, &variables);
}

static void write_negation(Writer *w, Term atom) {
    text_add(w->out, "not ");
    if (term_is_bound(&w->rules->terms, atom, &w->bound))
        write_atom(w, w->out, atom);
    else
        write_auxiliary(w, atom);
}

static void write_literal(Writer *w, const Literal *literal) {
    const Terms *terms = &w->rules->terms;
    if (literal->kind == LITERAL_NEGATIVE) {
        write_negation(w, literal->atom);
    } else if (literal->kind == LITERAL_POSITIVE) {
        write_atom(w, w->out, literal->atom);
    } else {
        write_asp_term(w->out, terms, term_argument(terms, literal->atom, 0), false);
        text_add(w->out, " != ");
        write_asp_term(w->out, terms, term_argument(terms, literal->atom, 1), false);
    }
}

static void write_asp_clause(Writer *w, const Clause *clause) {
    vector_clear(&w->bound);
    clause_bound_variables(w->rules, clause, &w->bound);
    write_atom(w, w->out, clause->head);
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        text_add(w->out, i ? ", " : " :- ");
        write_literal(w, &clause_literals(w->rules, clause)[i]);
    }
    if (is_timed(w, clause->head))
        text_printf(w->out, "%saux_time(T)", clause->literal_count ? ", " : " :- ");
    text_add(w->out, ".\n");
    text_add(w->out, text_string(&w->extra));
    text_clear(&w->extra);
}

static void write_clauses(Writer *w) {
    for (size_t i = 0; i < w->rules->clauses.count; i++)
        write_asp_clause(w, &w->rules->clauses.items[i]);
    vectors_free(&w->bound, &w->extra);
}

void rules_write_asp(Text *out, const Rules *rules) {
    Writer w = {.out = out, .rules = rules};
    text_add(out, header);
    write_clauses(&w);
}

void rules_write_plan(Text *out, const Rules *rules) {
    Predicates predicates = {0};
    predicates_collect(&predicates, rules);
    Writer w = {.out = out, .rules = rules, .predicates = &predicates};
    text_add(out, plan_header);
    write_clauses(&w);
    predicates_free(&predicates);
}
