/* Safety: each variable of the conclusion, of a negated premise and of `distinct` must occur in a
 * positive premise of the same clause. Otherwise the clause has infinitely many instances. */
#include "gdl/check/check_internal.h"
#include "gdl/check/suggest.h"

typedef struct {
    Check *check;
    const Clause *clause;
    bool from_or; /* the clause is one of several from a rule with `or` */
    U32Vector bound, found;
} Safety;

static bool suggest_variable(Safety *s, Symbol variable) {
    const Symbols *symbols = &s->check->syntax->symbols;
    Suggestion suggestion = suggestion_for(symbols_name(symbols, variable));
    if (suggestion.length < 4 || !s->check->suggestions)
        return false;
    s->check->suggestions--;
    for (size_t i = 0; i < s->bound.count; i++)
        suggestion_offer(&suggestion,
                         symbols_name(symbols, term_symbol(s->check->terms, s->bound.items[i])));
    if (suggestion.best)
        report_hint(s->check->report, "did you mean `%s`?",
                    suggestion.best + (s->check->syntax->notation == NOTATION_INFIX));
    return suggestion.best != NULL;
}

/* Suggests the right spelling of a variable, or a missing premise `role`. */
static void suggest_premise(Safety *s, Term variable) {
    Check *check = s->check;
    Symbol head = term_symbol(check->terms, s->clause->head);
    bool takes_role = head == KEYWORD_LEGAL || head == KEYWORD_GOAL || head == KEYWORD_SEES ||
                      head == KEYWORD_INPUT;
    if (suggest_variable(s, term_symbol(check->terms, variable)))
        return;
    if (takes_role && check_is_keyword(check, s->clause->head, head) &&
        term_argument(check->terms, s->clause->head, 0) == variable)
        report_hint(check->report,
                    check->syntax->notation == NOTATION_INFIX
                        ? "if it is any role, add `role(%s)`"
                        : "if it is any role, add `(role %s)`",
                    check_term(check, variable));
}

static void report_unsafe(Safety *s, Term variable, uint32_t node, LiteralKind where) {
    Check *check = s->check;
    Symbol symbol = term_symbol(check->terms, variable);
    uint32_t place = check_is_full(check) ? node : check_find_symbol(check, node, symbol);
    const char *name = check_name(check, symbol);
    const char *condition = s->from_or ? " in one alternative of this rule" : "";
    bool is_new;
    if (where == LITERAL_NEGATIVE) {
        is_new =
            check_say(check, CODE_UNSAFE_NEGATION, place,
                      "`%s` occurs in a negated premise, but no positive one gives it a value%s",
                      name, condition);
        if (is_new)
            report_hint(check->report,
                        "a player may read it as \"for no `%s` at all\"; "
                        "a relation of its own says so safely",
                        name);
    } else if (where == LITERAL_POSITIVE && s->clause->literal_count == 0) {
        is_new = check_say(check, CODE_FACT_VARIABLE, place,
                           "`%s` is a variable, but a fact speaks about constants only", name);
        if (is_new)
            report_hint(check->report, "a rule with a premise for `%s` says which values it has",
                        name);
    } else {
        is_new = check_say(check, CODE_UNSAFE_VARIABLE, place,
                           "`%s` occurs in %s, but no positive premise gives it a value%s", name,
                           where == LITERAL_DISTINCT ? "`distinct`" : "the conclusion", condition);
    }
    if (is_new)
        suggest_premise(s, variable);
}

static void check_atom(Safety *s, Term atom, uint32_t node, LiteralKind where) {
    vector_clear(&s->found);
    check_variables(s->check, atom, &s->found);
    for (size_t i = 0; i < s->found.count; i++)
        report_unsafe(s, s->found.items[i], node, where);
}

static void check_clause(Safety *s) {
    const Clause *clause = s->clause;
    const Literal *literals = clause_literals(s->check->rules, clause);
    check_forget_variables(s->check);
    vector_clear(&s->bound);
    for (uint32_t i = 0; i < clause->literal_count; i++)
        if (literals[i].kind == LITERAL_POSITIVE)
            check_variables(s->check, literals[i].atom, &s->bound);
    uint32_t head = check_head_node(s->check, clause->root);
    check_atom(s, clause->head, head, LITERAL_POSITIVE);
    for (uint32_t i = 0; i < clause->literal_count; i++)
        if (literals[i].kind != LITERAL_POSITIVE)
            check_atom(s, literals[i].atom, literals[i].node, literals[i].kind);
}

void check_safety(Check *check) {
    Safety s = {.check = check};
    size_t count = check->rules->clauses.count;
    for (size_t i = 0; i < count; i++) {
        s.clause = &check->rules->clauses.items[i];
        s.from_or = (i > 0 && s.clause[-1].root == s.clause->root) ||
                    (i + 1 < count && s.clause[1].root == s.clause->root);
        check_clause(&s);
    }
    vectors_free(&s.bound, &s.found);
}
