/* Tests optimal play of a single player with hidden information. */
#include "scsp/exact/belief_search.h"

#include <math.h>

#include "../fixtures.h"
#include "../fractions.h"

TestSuite(belief_search, .timeout = 600);

static void assert_value(const char *name, uint32_t turns, uint64_t numerator,
                         uint64_t denominator) {
    Game *game = game_named(name);
    Template *t = template_of(game);
    Symmetries *symmetries = symmetry_find(game, &(SymmetryOptions){.seconds = 5});
    SymmetryGroup *group = symmetries ? symmetry_elements(symmetries, 1000) : NULL;
    BeliefSearchOptions options = {.turns = turns, .group = group};
    BeliefSearchResult result;
    while (game_is_chance(game, options.player))
        options.player++;
    belief_search(t, &options, &result);
    cr_assert(result.is_solved && !result.is_inexact);
    Rational value = policy_value(&result.policy, options.player);
    cr_assert(fraction_is(value, numerator, denominator), "%s: %.9f", name,
              rational_to_double(value));
    belief_search_free(&result);
    symmetry_group_free(group);
    symmetry_free(symmetries);
    template_free(t);
    game_free(game);
}

Test(belief_search, guess_dice) {
    assert_value("guess_dice", 2, 1, 6);
}

Test(belief_search, monty_hall) {
    assert_value("monty_hall", 3, 2, 3);
}

Test(belief_search, mastermind) {
    assert_value("mastermind", 6, 43, 64);
}

static Belief belief_of_start(Game *game) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Belief belief = {0};
    State state = {0};
    game_initial(work, &state);
    belief_set_state(&belief, &state, game->role_count);
    state_free(&state);
    game_work_free(work);
    return belief;
}

static uint32_t player_of(const Game *game) {
    return game_is_chance(game, 0);
}

/* A solver with a small budget per call continues where it stopped, and finishes. */
Test(belief_search, goes_on_where_it_was_broken_off) {
    Game *game = game_named("mastermind");
    Belief start = belief_of_start(game);
    BeliefSolver *solver = belief_solver_create(game, player_of(game), NULL);
    BeliefAnswer answer, found;
    int attempts = 0;
    bool is_solved = false;
    cr_assert(!belief_solver_find(solver, &start, &found));
    while (!is_solved && attempts++ < 1000) {
        SolvingBudget budget = {.work = 500};
        is_solved = belief_solver_solve(solver, &start, MOVE_NONE, &budget, &answer);
        cr_assert_lt(budget.done, 500 + 2 * LANES);
    }
    cr_assert(is_solved && attempts > 1, "%d attempts", attempts);
    cr_assert_float_eq(answer.value, 43.0 / 64, 1e-12);
    cr_assert(belief_solver_find(solver, &start, &found));
    cr_assert(found.move == answer.move && found.value == answer.value);
    belief_solver_free(solver);
    belief_clear(&start);
    game_free(game);
}

Test(belief_search, keeps_its_memory) {
    Game *game = game_named("mastermind");
    Belief start = belief_of_start(game);
    BeliefSolver *solver = belief_solver_create(game, player_of(game), NULL);
    BeliefAnswer answer;
    SolvingBudget budget = {.bytes = 10000};
    cr_assert(!belief_solver_solve(solver, &start, MOVE_NONE, &budget, &answer));
    cr_assert(budget.is_over && budget.is_out_of_memory);
    belief_solver_free(solver);
    belief_clear(&start);
    game_free(game);
}

/* Two numbers up to `most` are drawn, and the player sees neither. Its moves only lead to different
 * states. A sum of at most `few` wins. */
static Game *game_of_draws(int moves, int most, int few, bool keeps_both) {
    Text rules = {0};
    text_add(&rules, "(role you) (role random) (init start) (<= (sees you all) (true never))"
                     "(<= (next never) (true never)) (<= (legal you (go ?m)) (move ?m))"
                     "(<= (legal random (draw ?a ?b)) (number ?a) (number ?b))"
                     "(<= terminal (not (true start))) (goal random 0)"
                     "(<= (goal you 100) (true won)) (<= (goal you 0) (not (true won)))");
    text_add(&rules, keeps_both
                         ? "(<= (next (drawn ?m ?a ?b)) (does you (go ?m))"
                           " (does random (draw ?a ?b)))"
                         : "(<= (next (total ?s)) (does random (draw ?a ?b)) (sum ?a ?b ?s))");
    text_add(&rules, "(<= (next won) (does random (draw ?a ?b)) (little ?a ?b))");
    for (int m = 0; m < moves; m++)
        text_printf(&rules, "(move %d)", m);
    for (int a = 0; a < most; a++) {
        text_printf(&rules, "(number %d)", a);
        for (int b = 0; b < most; b++)
            text_printf(&rules, a + b <= few ? "(sum %d %d %d) (little %d %d)" : "(sum %d %d %d)",
                        a, b, a + b, a, b);
    }
    Game *game = game_of_text(text_string(&rules));
    vector_free(&rules);
    return game;
}

/* Of 60 * 60 draws, 119 can be distinguished; 55 win. */
Test(belief_search, many_draws_lead_to_one_state) {
    Game *game = game_of_draws(2, 60, 9, false);
    Belief start = belief_of_start(game);
    BeliefSolver *solver = belief_solver_create(game, 0, NULL);
    BeliefAnswer answer;
    SolvingBudget budget = {0};
    cr_assert(belief_solver_solve(solver, &start, MOVE_NONE, &budget, &answer));
    cr_assert_float_eq(answer.value, 55.0 / 3600, 1e-15);
    cr_assert_geq(budget.done, 2 * 3600);
    belief_solver_free(solver);
    belief_clear(&start);
    KnownStates *known = known_states_create(game, 0, NULL, false);
    State initial = {0};
    game_initial(known->work, &initial);
    uint32_t root = known_states_add(known, &initial), first, end;
    cr_assert(known_states_expand(known, root, &(SolvingBudget){0}));
    cr_assert_eq(known->states.items[root].action_count, 2);
    for (uint32_t a = 0; a < 2; a++) {
        uint32_t times = 0;
        known_states_outcomes(known, root, known->states.items[root].first_action + a, &first,
                              &end);
        for (uint32_t o = first; o < end; o++)
            times += known->outcomes.items[o].times;
        cr_assert(end - first == 119 && times == 3600, "%u, %u", end - first, times);
    }
    known_states_free(known);
    state_free(&initial);
    game_free(game);
}

/* Work and memory are checked while a single state is expanded, and an expansion that is
 * interrupted leaves nothing behind. */
Test(belief_search, keeps_its_budget_within_one_state) {
    Game *game = game_of_draws(10, 50, 9, true);
    KnownStates *known = known_states_create(game, 0, NULL, false);
    State initial = {0};
    game_initial(known->work, &initial);
    uint32_t root = known_states_add(known, &initial);
    for (int i = 0; i < 2; i++) {
        SolvingBudget little = {.work = 2000};
        cr_assert(!known_states_explore(known, &root, 1, UINT32_MAX, &little));
        cr_assert(little.is_over && little.done <= 2000 + LANES);
        cr_assert(known->outcomes.count == 0 && known->action_moves.count == 0);
    }
    size_t before = known_states_bytes(known), most = before + (1 << 18);
    SolvingBudget small = {.bytes = most};
    cr_assert(!known_states_explore(known, &root, 1, UINT32_MAX, &small));
    cr_assert(small.is_out_of_memory && small.done < 15000);
    cr_assert_lt(known_states_bytes(known), 2 * most);
    cr_assert(known_states_explore(known, &root, 1, UINT32_MAX, &(SolvingBudget){0}));
    cr_assert_eq(known->outcomes.count, 25000);
    known_states_free(known);
    state_free(&initial);
    game_free(game);
}

/* A player that may stay where it is for ever has no longest match, but there is a best value for
 * each number of turns. */
Test(belief_search, says_that_a_match_may_never_end) {
    static const char *const rules =
        "(role p) (init here) (legal p go) (legal p stay)"
        "(<= (next here) (true here) (does p stay)) (<= (next there) (does p go))"
        "(<= terminal (true there))"
        "(<= (goal p 100) (true there)) (<= (goal p 0) (not (true there)))";
    Game *game = game_of_text(rules);
    Belief start = belief_of_start(game);
    BeliefSolver *solver = belief_solver_create(game, 0, NULL);
    BeliefAnswer answer;
    cr_assert(!belief_solver_solve(solver, &start, MOVE_NONE, &(SolvingBudget){0}, &answer));
    cr_assert(belief_solver_is_endless(solver));
    belief_solver_free(solver);
    belief_clear(&start);
    Template *t = template_of(game);
    for (uint32_t turns = 1; turns < 5; turns++) {
        BeliefSearchResult result;
        belief_search(t, &(BeliefSearchOptions){.turns = turns}, &result);
        cr_assert(result.is_solved && result.value == 1);
        belief_search_free(&result);
    }
    template_free(t);
    game_free(game);
}

/* Move a is worth 250 or 0 by chance, and b is worth 40: goals may have any size. */
static const char LARGE_GOALS[] =
    "(role you) (role random) (init (at s))"
    "(legal you a) (legal you b) (legal random x) (legal random y)"
    "(<= (next (at t)) (true (at s)) (does you a) (does random x))"
    "(<= (next (at u)) (true (at s)) (does you a) (does random y))"
    "(<= (next (at v)) (true (at s)) (does you b))"
    "(<= terminal (not (true (at s))))"
    "(<= (goal you %d) (true (at t))) (<= (goal you 0) (true (at u)))"
    "(<= (goal you 40) (true (at v))) (<= (goal you 0) (true (at s))) (goal random 0)";

Test(belief_search, goals_of_any_size) {
    static const int goals[] = {60, 250, 100000};
    for (size_t i = 0; i < 3; i++) {
        Text rules = {0};
        text_printf(&rules, LARGE_GOALS, goals[i]);
        Game *game = game_of_text(text_string(&rules));
        GameWork *work = game_work_create(game, REASONER_AUTO);
        Belief start = belief_of_start(game);
        BeliefSolver *solver = belief_solver_create(game, 0, NULL);
        BeliefAnswer answer;
        double expected = i ? goals[i] / 200.0 : 0.4;
        cr_assert(belief_solver_solve(solver, &start, MOVE_NONE, &(SolvingBudget){0}, &answer));
        cr_assert_eq(answer.move, game_find_move(work, 0, i ? "a" : "b", 1));
        cr_assert(answer.is_exact);
        cr_assert_float_eq(answer.value, expected, 1e-12, "%g", answer.value);
        Template *t = template_of(game);
        BeliefSearchResult result;
        belief_search(t, &(BeliefSearchOptions){.turns = 1}, &result);
        cr_assert(result.is_solved && fabs(result.value - expected) < 1e-12);
        belief_search_free(&result);
        template_free(t);
        belief_solver_free(solver);
        belief_clear(&start);
        game_work_free(work);
        game_free(game);
        vector_free(&rules);
    }
}

/* The number of sides of a hidden die is a hidden prime. The numbers of sides of all sixteen dice
 * have no common multiple below 2^64. The player says whether the die shows a one. */
static const char DICE_OF_PRIMES[] =
    "(role player) (role random) (init (turn 1))"
    "(prime 2) (prime 3) (prime 5) (prime 7) (prime 11) (prime 13) (prime 17) (prime 19)"
    "(prime 23) (prime 29) (prime 31) (prime 37) (prime 41) (prime 43) (prime 47) (prime 53)"
    "(<= (side ?p 1) (prime ?p)) (<= (side ?p ?n) (side ?p ?m) (succ ?m ?n) (below ?n ?p))"
    "(<= (below ?m ?n) (succ ?m ?n)) (<= (below ?m ?p) (succ ?m ?n) (below ?n ?p))"
    "(<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))"
    "(<= (next (turn 4)) (true (turn 3)))"
    "(<= (legal random (choose ?p)) (true (turn 1)) (prime ?p))"
    "(<= (legal random (roll ?n)) (true (turn 2)) (true (sides ?p)) (side ?p ?n))"
    "(<= (legal random (roll ?p)) (true (turn 2)) (true (sides ?p)))"
    "(<= (legal random noop) (true (turn 3)))"
    "(<= (legal player noop) (not (true (turn 3))))"
    "(<= (legal player (say ?a)) (true (turn 3)) (answer ?a)) (answer one) (answer more)"
    "(<= (next (sides ?p)) (does random (choose ?p)))"
    "(<= (next one) (does random (roll 1)))"
    "(<= (next right) (true one) (does player (say one)))"
    "(<= (next right) (not (true one)) (does player (say more)))"
    "(<= (sees player nothing) (true (turn 9)))"
    "(<= terminal (true (turn 4)))"
    "(<= (goal player 100) (true right)) (<= (goal player 0) (not (true right))) (goal random 0)";

Test(belief_search, weights_that_have_no_small_multiple) {
    static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
    Text rules = {0};
    text_add(&rules, DICE_OF_PRIMES);
    for (int n = 1; n < 53; n++)
        text_printf(&rules, "(succ %d %d)", n, n + 1);
    Game *game = game_of_text(text_string(&rules));
    Template *t = template_of(game);
    BeliefSearchResult result;
    belief_search(t, &(BeliefSearchOptions){.turns = 3}, &result);
    double expected = 0;
    for (size_t i = 0; i < 16; i++)
        expected += (1 - 1.0 / primes[i]) / 16;
    cr_assert(result.is_solved && result.is_inexact);
    cr_assert_float_eq(result.value, expected, 1e-9, "%.12f, not %.12f", result.value, expected);
    belief_search_free(&result);
    template_free(t);
    Belief start = belief_of_start(game);
    BeliefSolver *solver = belief_solver_create(game, 0, NULL);
    BeliefAnswer answer;
    cr_assert(belief_solver_solve(solver, &start, MOVE_NONE, &(SolvingBudget){0}, &answer));
    cr_assert(!answer.is_exact && fabs(answer.value - expected) < 1e-9);
    cr_assert(belief_solver_find(solver, &start, &answer) && !answer.is_exact);
    belief_solver_free(solver);
    belief_clear(&start);
    game_free(game);
    vector_free(&rules);
}

/* Chance hides one of two things, and the player guesses which one. */
static const char HIDDEN_THING[] =
    "(role you) (role random) (init start)"
    "(<= (legal you noop) (true start)) (<= (legal you (say ?x)) (true (is ?x2)) (thing ?x))"
    "(<= (legal random (hide ?x)) (true start) (thing ?x))"
    "(<= (legal random noop) (true (is ?x))) (thing a) (thing b)"
    "(<= (next (is ?x)) (does random (hide ?x)))"
    "(<= (next right) (does you (say ?x)) (true (is ?x)))"
    "(<= (next wrong) (does you (say ?x)) (not (true (is ?x))))"
    "(<= (sees you nothing) (true wrong))"
    "(<= terminal (true right)) (<= terminal (true wrong))"
    "(<= (goal you 100) (true right)) (<= (goal you 0) (not (true right))) (goal random 0)";

/* Probabilities that are no fractions with a small denominator are rounded, so nothing is proven.
 * With exact probabilities the same solver proves its values. */
Test(belief_search, a_belief_that_is_rounded_proves_nothing) {
    Game *game = game_of_text(HIDDEN_THING);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    BeliefFilter *filter = belief_create(game, 0, NULL, 1);
    BeliefSolver *solver = belief_solver_create(game, 0, NULL);
    BeliefAnswer answer;
    belief_observe(filter, "noop", "", true, NULL, deadline_never());
    Belief *belief = &filter->belief;
    cr_assert_eq(belief->states.count, 2);
    belief->states.items[0].weight = sqrt(0.5);
    belief->states.items[1].weight = 1 - sqrt(0.5);
    cr_assert(belief_solver_solve(solver, belief, MOVE_NONE, &(SolvingBudget){0}, &answer));
    cr_assert(!answer.is_exact && fabs(answer.value - sqrt(0.5)) < 1e-9);
    cr_assert(belief_solver_find(solver, belief, &answer) && !answer.is_exact);
    cr_assert(belief_solver_solve(solver, belief, answer.move, &(SolvingBudget){0}, &answer));
    cr_assert(!answer.is_exact && fabs(answer.value - sqrt(0.5)) < 1e-9);
    belief->states.items[0].weight = belief->states.items[1].weight = 0.5;
    cr_assert(belief_solver_solve(solver, belief, MOVE_NONE, &(SolvingBudget){0}, &answer));
    cr_assert(answer.is_exact && answer.value == 0.5);
    belief_solver_free(solver);
    belief_free(filter);
    game_work_free(work);
    game_free(game);
}

/* The value is 0.8394, from more than a million states: too many for sanitizers and for the
 * network, which other tests compare with the reasoner. */
#ifndef MEMORY_SANITIZED
Test(belief_search, vacuum_cleaner) {
    assert_value("vacuum_cleaner", 26, UINT64_C(922911863301), UINT64_C(1) << 40);
}
#endif
