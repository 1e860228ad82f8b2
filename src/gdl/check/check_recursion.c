/* The recursion restriction of GDL: a recursive rule may not build new terms from recursive
 * premises alone. An argument of a recursive premise must be ground, or an argument of the
 * conclusion, or bound by premises outside the recursion. If the recursion has no function terms, a
 * violation is harmless and only a warning. */
#include <assert.h>

#include "gdl/check/check_internal.h"

typedef struct {
    Check *check;
    const Clause *clause;
    uint32_t component;
    bool *builds;    /* by component: its recursion has function terms with variables */
    uint32_t *given; /* by term: clause number + 1 if the term is an argument of the conclusion */
    U32Vector variables;
} Recursion;

static uint32_t component_of(const Check *check, Term atom) {
    uint32_t p = predicate_of_atom(&check->predicates, check->terms, atom);
    return predicate_at(check, p)->component;
}

static bool is_inside(const Check *check, uint32_t component, const Literal *literal) {
    return literal->kind != LITERAL_DISTINCT && component_of(check, literal->atom) == component;
}

static bool has_open_function(const Terms *terms, Term atom) {
    for (uint32_t i = 0; i < term_arity(terms, atom); i++) {
        Term argument = term_argument(terms, atom, i);
        if (!term_is_ground(terms, argument) && !term_is_variable(terms, argument))
            return true;
    }
    return false;
}

bool check_is_recursive(const Check *check, const Clause *clause) {
    uint32_t component = component_of(check, clause->head);
    const Literal *literals = clause_literals(check->rules, clause);
    for (uint32_t i = 0; i < clause->literal_count; i++)
        if (is_inside(check, component, &literals[i]))
            return true;
    return false;
}

static bool is_recursive_clause(Recursion *r, uint32_t index) {
    r->clause = &r->check->rules->clauses.items[index];
    r->component = component_of(r->check, r->clause->head);
    return check_is_recursive(r->check, r->clause);
}

static void note_functions(Recursion *r, uint32_t index) {
    if (!is_recursive_clause(r, index))
        return;
    const Terms *terms = r->check->terms;
    const Literal *literals = clause_literals(r->check->rules, r->clause);
    r->builds[r->component] |= has_open_function(terms, r->clause->head);
    for (uint32_t i = 0; i < r->clause->literal_count; i++)
        if (is_inside(r->check, r->component, &literals[i]))
            r->builds[r->component] |= has_open_function(terms, literals[i].atom);
}

static void report_argument(Recursion *r, const Literal *literal, uint32_t index) {
    assert(index < term_arity(r->check->terms, literal->atom));
    Check *check = r->check;
    uint32_t node = check_argument_node(check, literal->node, index);
    const char *argument = check_term(check, term_argument(check->terms, literal->atom, index));
    const char *premise = check_name(check, term_symbol(check->terms, literal->atom));
    if (r->builds[r->component]) {
        if (check_say(check, CODE_UNBOUNDED_RECURSION, node,
                      "`%s` comes only from the recursive premise `%s`: this recursion may build "
                      "ever larger terms",
                      argument, premise))
            report_hint(check->report, "bind `%s` with a premise that is not recursive", argument);
    } else {
        check_say(check, CODE_LOOSE_RECURSION, node,
                  "`%s` comes only from the recursive premise `%s`, which GDL forbids; it does no "
                  "harm here",
                  argument, premise);
    }
}

static void check_recursive_clause(Recursion *r, uint32_t index) {
    if (!is_recursive_clause(r, index))
        return;
    Check *check = r->check;
    const Literal *literals = clause_literals(check->rules, r->clause);
    for (uint32_t i = 0; i < term_arity(check->terms, r->clause->head); i++)
        r->given[term_argument(check->terms, r->clause->head, i)] = index + 1;
    check_forget_variables(check);
    vector_clear(&r->variables);
    for (uint32_t i = 0; i < r->clause->literal_count; i++)
        if (literals[i].kind == LITERAL_POSITIVE &&
            !is_inside(r->check, r->component, &literals[i]))
            check_variables(check, literals[i].atom, &r->variables);
    for (uint32_t i = 0; i < r->clause->literal_count; i++) {
        if (!is_inside(r->check, r->component, &literals[i]))
            continue;
        for (uint32_t j = 0; j < term_arity(check->terms, literals[i].atom); j++) {
            Term argument = term_argument(check->terms, literals[i].atom, j);
            vector_clear(&r->variables);
            if (r->given[argument] != index + 1)
                check_variables(check, argument, &r->variables);
            if (r->variables.count)
                report_argument(r, &literals[i], j);
        }
    }
}

void check_recursion(Check *check) {
    uint32_t count = (uint32_t)check->rules->clauses.count;
    Recursion r = {.check = check,
                   .builds = check_zalloc(check, check->predicates.component_count, sizeof(bool)),
                   .given = check_zalloc(check, check->terms->cells.count, sizeof(uint32_t))};
    for (uint32_t i = 0; i < count; i++)
        note_functions(&r, i);
    for (uint32_t i = 0; i < count; i++)
        check_recursive_clause(&r, i);
    vector_free(&r.variables);
}
