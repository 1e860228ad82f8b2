/* Tests values without a limit on turns. */
#include "scsp/exact/micro_graph.h"

#include "../fixtures.h"

/* Without a limit of turns, the value of the small orchard is 107/288. */
Test(micro_graph, orchard_without_a_horizon) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    MicroGraph *g = micro_graph_create(t, NULL, 1000, (Deadline){0}, NULL);
    cr_assert(g->is_complete);
    cr_assert_eq(g->states.count, 25);
    double *values = micro_graph_values(g, 0, PLAY_BEST);
    cr_assert_float_eq(values[0], 107.0 / 288, 1e-9);
    uint16_t basket[2];
    for (size_t i = 0; i < 2; i++)
        basket[i] = t->groups.items[i].fluents.count == 2 ? 3 - t->initial[i] : t->initial[i];
    uint32_t state = micro_graph_find(g, basket);
    cr_assert_neq(state, SCSP_NONE);
    cr_assert_float_eq(values[state], 7.0 / 12, 1e-9);
    const MicroState *s = &g->states.items[state];
    uint32_t best = 0, others = 0;
    cr_assert_eq(s->action_count, 4);
    for (uint32_t a = 0; a < 4; a++) {
        double value = micro_graph_action_value(g, values, state, a);
        best += value > 7.0 / 12 - 1e-9;
        others += value > 5.0 / 9 - 1e-9 && value < 5.0 / 9 + 1e-9;
    }
    cr_assert(best == 2 && others == 2, "one fruit from each tree, in either order");
    free(values);
    values = micro_graph_values(g, 0, PLAY_WORST);
    cr_assert_float_eq(values[0], 11.0 / 64, 1e-9);
    free(values);
    micro_graph_free(g);
    template_free(t);
    game_free(game);
}

/* Trees are interchangeable, so one state stands for up to 24. */
Test(micro_graph, orchard_of_full_size) {
    Game *game = game_named("orchard");
    Template *t = template_of(game);
    Symmetries *symmetries = symmetry_find(game, &(SymmetryOptions){.seconds = 10});
    cr_assert_not_null(symmetries);
    cr_assert_str_eq(symmetries->order, "24");
    SymmetryGroup *group = symmetry_elements(symmetries, 24);
    MicroGraph *g = micro_graph_create(t, group, 1000000, (Deadline){0}, NULL);
    cr_assert(g->is_complete);
    static const struct {
        PlayRule rule;
        double value;
    } known[] = {{PLAY_BEST, 0.6840475}, {PLAY_WORST, 0.5323991}, {PLAY_UNIFORM, 0.6319980}};
    for (size_t i = 0; i < 3; i++) {
        double *values = micro_graph_values(g, 0, known[i].rule);
        cr_assert_float_eq(values[0], known[i].value, 1e-6, "%.9f", values[0]);
        free(values);
    }
    micro_graph_free(g);
    symmetry_group_free(group);
    symmetry_free(symmetries);
    template_free(t);
    game_free(game);
}
