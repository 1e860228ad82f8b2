/* Builds circuits from texts of games. */
#ifndef MARELLE_TESTS_BUILD_SUPPORT_H
#define MARELLE_TESTS_BUILD_SUPPORT_H

#include "circuit/circuit.h"
#include "support.h"

typedef struct {
    Rules *rules;
    Grounding *grounding;
    Circuit *circuit;
} Built;

__attribute__((unused)) static Built build(const char *text, bool factor, bool constants) {
    Report report = {0};
    GroundBudget budget = {0};
    CircuitOptions options = {.factors = factor, .finds_constants = constants};
    Built b = {.rules = rules_of(text)};
    b.grounding = ground_rules(b.rules, &budget, &report);
    cr_assert_not_null(b.grounding, "%s", first_problem(&report));
    b.circuit = circuit_build(b.grounding, &options, &report);
    cr_assert_not_null(b.circuit, "%s", first_problem(&report));
    report_free(&report);
    return b;
}

__attribute__((unused)) static void built_free(Built *b) {
    circuit_free(b->circuit);
    grounding_free(b->grounding);
    rules_free(b->rules);
}

__attribute__((unused)) static bool is_term(const Built *b, Term term, const char *text) {
    Text written = {0};
    write_term_lower(&written, grounding_terms(b->grounding), term);
    bool same = strcmp(text_string(&written), text) == 0;
    vector_free(&written);
    return same;
}

/* Returns the number of the fluent; UINT32_MAX if there is none. */
__attribute__((unused)) static uint32_t fluent_named(const Built *b, const char *text) {
    for (uint32_t f = 0; f < b->grounding->fluents.count; f++)
        if (is_term(b, b->grounding->fluents.items[f].term, text))
            return f;
    return UINT32_MAX;
}

__attribute__((unused)) static uint32_t move_named(const Built *b, uint32_t role,
                                                   const char *text) {
    for (uint32_t m = 0; m < b->grounding->moves.count; m++)
        if (b->grounding->moves.items[m].role == role &&
            is_term(b, b->grounding->moves.items[m].term, text))
            return m;
    return UINT32_MAX;
}

/* A counter from 0 to 2 that changes every turn, a light that two players can switch, a fluent that
 * never changes, and a chain of reachability. */
static const char switch_game[] __attribute__((unused)) =
    "(role a) (role b)"
    "(init (turn 0)) (init (cell 1)) (init never_changes)"
    "(after 0 1) (after 1 2) (after 2 0)"
    "(edge 1 2) (edge 2 3) (edge 3 1) (edge 3 4)"
    "(<= (legal ?r wait) (role ?r))"
    "(<= (legal ?r (go ?x)) (role ?r) (reached ?x))"
    "(<= (reached ?x) (true (cell ?x)))"
    "(<= (reached ?y) (reached ?x) (edge ?x ?y) (true (open ?x)))"
    "(<= (next (turn ?y)) (true (turn ?x)) (after ?x ?y))"
    "(<= (next never_changes) (true never_changes))"
    "(<= (next (cell ?x)) (does a (go ?x)))"
    "(<= (next (cell ?x)) (true (cell ?x)) (does a wait))"
    "(<= (next (open ?x)) (does b (go ?x)) (not (true (open ?x))))"
    "(<= (next (open ?x)) (true (open ?x)) (not (does b (go ?x))))"
    "(<= (next (open 1)) (does b wait))"
    "(<= terminal (reached 4))"
    "(<= (goal ?r 100) (role ?r) (reached 4) (true never_changes))"
    "(<= (goal ?r 0) (role ?r) (not (reached 4)))";

#endif
