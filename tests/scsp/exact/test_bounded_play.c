/* Tests play over some turns: values by rules, and policies counted by value. */
#include "scsp/exact/bounded_play.h"

#include "../fixtures.h"

/* The states of the small orchard, from the one in which bob picks two fruits. */
static MicroGraph *states_after_a_basket(Game **game, Template **t) {
    *game = game_named("orchard_light");
    *t = template_of(*game);
    for (size_t i = 0; i < 2; i++)
        if ((*t)->groups.items[i].fluents.count == 2)
            (*t)->initial[i] = (uint16_t)(3 - (*t)->initial[i]);
    return micro_graph_create(*t, NULL, 1000, (Deadline){0}, NULL);
}

/* The first choice has four answers, and so has each later one; values by hand and by dynamic
 * programming over states. */
Test(bounded_play, policies_of_the_small_orchard) {
    static const struct {
        uint32_t turns;
        double all, best, good; /* policies; the best ones; those worth at least a half */
        uint64_t numerator, denominator;
    } known[] = {{3, 16, 4, 0, 3, 8}, {4, 256, 36, 36, 17, 32}};
    Game *game;
    Template *t;
    MicroGraph *g = states_after_a_basket(&game, &t);
    for (size_t i = 0; i < 2; i++) {
        PolicyValues values = {0};
        double all = 0, good = 0;
        cr_assert(bounded_policies(g, 0, known[i].turns, (Deadline){0}, NULL, &values));
        for (size_t k = 0; k < values.count; k++) {
            all += values.items[k].count;
            good += rational_to_double(values.items[k].value) >= 0.5 ? values.items[k].count : 0;
        }
        PolicyValue best = vector_last(&values);
        cr_assert(all == known[i].all && good == known[i].good && best.count == known[i].best);
        cr_assert(best.value.numerator == known[i].numerator &&
                  best.value.denominator == known[i].denominator);
        cr_assert_float_eq(bounded_value(g, 0, PLAY_BEST, known[i].turns),
                           rational_to_double(best.value), 1e-12);
        cr_assert_float_eq(bounded_value(g, 0, PLAY_WORST, known[i].turns),
                           rational_to_double(values.items[0].value), 1e-12);
        vector_free(&values);
    }
    micro_graph_free(g);
    template_free(t);
    game_free(game);
}

/* In the long run, bounded values are those of value iteration. */
Test(bounded_play, long_horizons) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    MicroGraph *g = micro_graph_create(t, NULL, 1000, (Deadline){0}, NULL);
    static const PlayRule rules[] = {PLAY_BEST, PLAY_WORST, PLAY_UNIFORM};
    for (size_t i = 0; i < 3; i++) {
        double *values = micro_graph_values(g, 0, rules[i]);
        cr_assert_float_eq(bounded_value(g, 0, rules[i], 400), values[0], 1e-9);
        cr_assert_eq(bounded_value(g, 0, rules[i], 0), 0);
        free(values);
    }
    micro_graph_free(g);
    template_free(t);
    game_free(game);
}

Test(bounded_play, a_stop_ends_the_count) {
    bool stopped = true;
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    MicroGraph *g = micro_graph_create(t, NULL, 1000, (Deadline){0}, NULL);
    PolicyValues values = {0};
    cr_assert_not(bounded_policies(g, 0, 5, (Deadline){0}, &stopped, &values));
    cr_assert_eq(values.count, 0);
    micro_graph_free(g);
    template_free(t);
    game_free(game);
}
