/* Tests that preprocessing makes networks smaller and keeps their values. */
#include "scsp/network/preprocess.h"

#include "../fixtures.h"
#include "scsp/exact/expectimax.h"
#include "scsp/exact/solver.h"
#include "scsp/network/unfold.h"

static uint32_t rows_of(const Scsp *n, ConstraintKind kind, uint32_t head) {
    for (size_t i = 0; i < n->tables.count; i++)
        if (n->tables.items[i].kind == kind &&
            scsp_scope(n, n->tables.items[i].first_scope)[0] == head)
            return n->tables.items[i].rows->count;
    return 0;
}

Test(preprocess, tables_of_the_orchard) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    Scsp n;
    cr_assert(preprocess_turn(&n, t));
    uint32_t control = t->groups.items[0].fluents.count == 2 ? 0 : 1, state = 1 - control;
    cr_assert_eq(rows_of(&n, CONSTRAINT_LEGAL, t->actions[0]), 5);
    cr_assert_eq(rows_of(&n, CONSTRAINT_LEGAL, t->actions[1]), 0, "chance may always roll");
    cr_assert_eq(rows_of(&n, CONSTRAINT_NEXT, t->nexts[control]), 8);
    cr_assert_eq(rows_of(&n, CONSTRAINT_NEXT, t->nexts[state]), 160);
    Solver *s = solver_create(&n);
    cr_assert_eq(solver_size(s, t->currents[state]), 8, "not terminal");
    cr_assert_leq(solver_size(s, t->nexts[state]), 17);
    solver_free(s);
    scsp_free(&n);
    template_free(t);
    game_free(game);
}

/* Returns the best values of the first decision as a bit set. */
static uint64_t best_choices(const Template *t, const uint16_t *state, uint32_t turns,
                             bool preprocessed, double *value) {
    uint64_t best = 0;
    *value = -1;
    for (uint32_t m = 0; m < 5; m++) {
        Scsp whole, smaller;
        ExpectimaxResult result;
        unfold(&whole, t, turns, state);
        for (uint32_t x = 0; x < whole.variables.count; x++)
            if (whole.variables.items[x].kind == VARIABLE_ACTION &&
                whole.variables.items[x].turn == 0) {
                ScspLiteral literal = {x, (uint16_t)m, true};
                scsp_add_clause(&whole, CONSTRAINT_OTHER, &literal, 1);
            }
        bool holds = !preprocessed || preprocess(&smaller, &whole);
        if (holds) {
            expectimax_solve(preprocessed ? &smaller : &whole, &(ExpectimaxOptions){0}, &result);
            if (result.end == EXPECTIMAX_SOLVED && result.value > *value + 1e-9) {
                best = 0;
                *value = result.value;
            }
            if (result.end == EXPECTIMAX_SOLVED && result.value > *value - 1e-9)
                best |= 1ull << m;
            policy_free(&result.policy);
        }
        if (preprocessed)
            scsp_free(&smaller);
        scsp_free(&whole);
    }
    return best;
}

Test(preprocess, keeps_values_and_best_decisions) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    uint16_t basket[2];
    for (size_t i = 0; i < 2; i++)
        basket[i] = t->groups.items[i].fluents.count == 2 ? 3 - t->initial[i] : t->initial[i];
    for (uint32_t turns = 1; turns <= 5; turns++) {
        double plain, smaller;
        uint64_t expected = best_choices(t, basket, turns, false, &plain);
        cr_assert_eq(best_choices(t, basket, turns, true, &smaller), expected);
        cr_assert_float_eq(plain, smaller, 1e-9);
    }
    template_free(t);
    game_free(game);
}

static void assert_same_value(Game *game, uint32_t turns) {
    Template *t = template_of(game);
    Scsp whole, smaller;
    ExpectimaxResult a, b;
    unfold(&whole, t, turns, NULL);
    cr_assert(preprocess(&smaller, &whole));
    expectimax_solve(&whole, &(ExpectimaxOptions){0}, &a);
    expectimax_solve(&smaller, &(ExpectimaxOptions){0}, &b);
    cr_assert_eq(a.end, EXPECTIMAX_SOLVED);
    cr_assert_float_eq(a.value, b.value, 1e-12);
    policy_free(&a.policy);
    policy_free(&b.policy);
    scsp_free(&smaller);
    scsp_free(&whole);
    template_free(t);
    game_free(game);
}

Test(preprocess, keeps_values_of_other_games) {
    assert_same_value(game_of_text(SQUARE_TIC_TAC_TOE), 4);
    assert_same_value(game_named("orchard_light"), 6);
    assert_same_value(game_named("monty_hall"), 3);
}

/* If rules are read as implications and equal scopes are joined by union, as in the paper, the two
 * rules about bob's moves allow all ten pairs, so that he may move out of turn. */
Test(preprocess, union_would_let_bob_move_out_of_turn) {
    enum { RANDOM, BOB, NOOP = 0 };
    uint32_t united = 0, intersected = 0;
    for (uint32_t control = 0; control < 2; control++)
        for (uint32_t action = 0; action < 5; action++) {
            bool first = control != RANDOM || action == NOOP;
            bool second = control != BOB || action != NOOP;
            united += first || second;
            intersected += first && second;
        }
    cr_assert_eq(united, 10, "nothing is forbidden");
    cr_assert_eq(intersected, 5, "what the completion says");
}
