/* A description as clauses: what every later stage works on. Lowering takes the syntax tree apart:
 * `or`, `and` and nested `not` become several clauses (disjunctive normal form, negation pushed to
 * the atoms), `(not (distinct a b))` is solved by unification, facts are clauses without literals.
 * Each clause and literal remembers the node it came from, so that messages can point at it. */
#pragma once

#include "gdl/syntax.h"
#include "gdl/terms.h"

/* Limits of descriptions (untuned). Deeper expressions are rejected, because later walks may
 * recurse and nobody writes them. */
enum {
    RULES_MAX_DEPTH = 256,
    RULES_MAX_ALTERNATIVES = 65536, /* clauses from one rule */
    RULES_MAX_EXPANDED = 1 << 24,   /* premises copied for all rules together */
};

typedef enum { LITERAL_POSITIVE, LITERAL_NEGATIVE, LITERAL_DISTINCT } LiteralKind;

typedef struct {
    LiteralKind kind;
    Term atom; /* for LITERAL_DISTINCT the term (distinct a b) */
    uint32_t node;
} Literal;

typedef struct {
    Term head;
    uint32_t root; /* node of the whole expression */
    uint32_t first_literal, literal_count;
} Clause;

typedef struct {
    Syntax *syntax; /* owned */
    Terms terms;
    VECTOR(Clause) clauses;
    VECTOR(Literal) literals;
    U32Vector roles; /* constants, in order of declaration, each once */
    bool has_random, has_sees;
    uint32_t more_owners; /* number of owners after the first; accessed atomically */
} Rules;

/* Takes ownership of the syntax. Returns NULL, with errors in the report, if something is no rule.
 */
Rules *rules_lower(Syntax *syntax, Report *report);
/* True for words that stand for "if" or "then" in other notations. */
bool rules_is_foreign_arrow(const char *name);
/* Reads a text and lowers it. This is the usual entry point. */
Rules *rules_read(const char *path, Report *report);
Rules *rules_read_text(const char *name, const char *text, size_t length, Report *report);
/* Rules do not change once they are lowered, so several owners may share them, in any threads. Each
 * of them calls rules_free; the last call frees. Returns the rules. */
Rules *rules_share(Rules *rules);
void rules_free(Rules *rules);

static inline const Literal *clause_literals(const Rules *rules, const Clause *clause) {
    assert(clause->first_literal + clause->literal_count <= rules->literals.count);
    return rules->literals.items + clause->first_literal;
}

/* Appends the variables of the positive premises, which have values when the clause fires. */
void clause_bound_variables(const Rules *rules, const Clause *clause, U32Vector *bound);
/* The role variable of a conclusion such as `legal(?p, noop)` if no premise binds it: the clause
 * then holds for every role. Else TERM_NONE. */
Term clause_open_role(const Rules *rules, const Clause *clause);

static inline bool rules_use_gdl2(const Rules *rules) {
    return rules->has_random || rules->has_sees;
}

/* Adds a diagnostic at the first byte of a node. Returns false. */
bool report_node(Report *report, Severity severity, const char *code, const Syntax *syntax,
                 uint32_t node, const char *format, ...) __attribute__((format(printf, 6, 7)));
