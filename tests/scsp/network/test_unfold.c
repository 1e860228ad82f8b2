/* Tests networks of whole matches: exact values by horizon. */
#include "scsp/network/unfold.h"

#include "../fixtures.h"
#include "../fractions.h"
#include "scsp/exact/expectimax.h"

/* Returns the best value for the role within `turns` turns. */
static Rational best_value(const Template *t, uint32_t turns, const uint16_t *state,
                           const ExpectimaxOptions *options) {
    Scsp n;
    ExpectimaxResult result;
    unfold(&n, t, turns, state);
    expectimax_solve(&n, options, &result);
    cr_assert_eq(result.end, EXPECTIMAX_SOLVED);
    Rational value = policy_value(&result.policy, options->player);
    policy_free(&result.policy);
    scsp_free(&n);
    return value;
}

static void assert_value(const Template *t, uint32_t turns, const uint16_t *state,
                         const ExpectimaxOptions *options, uint64_t numerator,
                         uint64_t denominator) {
    Rational value = best_value(t, turns, state, options);
    cr_assert(fraction_is(value, numerator, denominator), "%u turns: %.9f, not %.9f", turns,
              rational_to_double(value), (double)numerator / (double)denominator);
}

/* Values of the initial state by horizon. */
static const uint64_t by_horizon[][2] = {{0, 1},   {0, 1},      {0, 1},       {27, 128},
                                         {21, 64}, {737, 2048}, {1509, 4096}, {12147, 32768}};

/* The exact values of the small orchard for horizons of 1 to 8 turns are as published. */
Test(unfold, orchard_by_horizon) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    for (uint32_t turns = 1; turns <= 8; turns++) {
        assert_value(t, turns, NULL, &(ExpectimaxOptions){.caches = true}, by_horizon[turns - 1][0],
                     by_horizon[turns - 1][1]);
        assert_value(t, turns, NULL, &(ExpectimaxOptions){0}, by_horizon[turns - 1][0],
                     by_horizon[turns - 1][1]);
    }
    template_free(t);
    game_free(game);
}

/* Sets the state in which bob may choose, before any fruit is taken. */
static void basket_state(const Template *t, uint16_t *values) {
    memcpy(values, t->initial, t->groups.count * sizeof *values);
    for (size_t i = 0; i < t->groups.count; i++)
        if (t->groups.items[i].fluents.count == 2)
            values[i] = 3 - values[i];
}

Test(unfold, orchard_from_the_basket) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    uint16_t basket[2];
    cr_assert_eq(t->groups.count, 2);
    basket_state(t, basket);
    assert_value(t, 3, basket, &(ExpectimaxOptions){0}, 3, 8);
    assert_value(t, 4, basket, &(ExpectimaxOptions){0}, 17, 32);
    assert_value(t, 5, basket, &(ExpectimaxOptions){0}, 73, 128);
    template_free(t);
    game_free(game);
}

/* The five horizons of the paper took up to 4 h 54 min there. */
Test(unfold, orchard_is_solved_quickly) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    double started = clock_thread_cpu_seconds();
    for (uint32_t turns = 1; turns <= 5; turns++)
        best_value(t, turns, NULL, &(ExpectimaxOptions){0});
    double five = clock_thread_cpu_seconds() - started;
    best_value(t, 40, NULL, &(ExpectimaxOptions){.caches = true});
    double forty = clock_thread_cpu_seconds() - started - five;
    cr_assert_lt(five, 1, "five horizons: %.3f s", five);
    cr_assert_lt(forty, 1, "forty turns, each state once a turn: %.3f s", forty);
    best_value(t, 12, NULL, &(ExpectimaxOptions){0});
    double twelve = clock_thread_cpu_seconds() - started - five - forty;
    cr_assert_lt(twelve, 10, "twelve turns, nothing remembered: %.3f s", twelve);
    template_free(t);
    game_free(game);
}
