/* Tests the symmetries of MAC-UCB-SYM: when they are looked for and used, what they save and what
 * they cost. */
#include <math.h>

#include "macucb_support.h"
#include "scsp/exact/micro_graph.h"
#include "scsp/macucb/macucb_measure.h"

/* The first search of a game finds its symmetries; the second uses the same ones at once. */
Test(macucb_symmetry, symmetries_are_kept_with_the_game) {
    SearchTable t = solve("tic_tac_toe", "mac-ucb-sym", (MacUcbOptions){0}, 1000);
    Report report = {0};
    Search *second =
        strategy_create_named("mac-ucb-sym", t.game, 1, &(SearchOptions){.seed = 2}, &report);
    prepare_within(second, 0);
    const MacUcb *a = (const MacUcb *)t.search, *b = (const MacUcb *)second;
    cr_assert_not_null(a->group);
    cr_assert_eq(a->group, b->group);
    cr_assert_eq(a->template, b->template);
    search_free(second);
    report_free(&report);
    table_release(&t);
}

/* Prepares another search of the game. Returns the template that it uses; *group becomes its
 * symmetry group, or NULL. */
static const Template *prepare_again(Game *game, double seconds, const SymmetryGroup **group) {
    Report report = {0};
    Search *search =
        strategy_create_named("mac-ucb-sym", game, 0, &(SearchOptions){.seed = 2}, &report);
    prepare_within(search, seconds);
    const MacUcb *m = (const MacUcb *)search;
    const Template *template = m->template;
    *group = m->group;
    search_free(search);
    report_free(&report);
    return template;
}

/* If a game has no symmetries, they are not looked for twice. If the time did not suffice, they are
 * looked for again. */
Test(macucb_symmetry, what_is_known_of_symmetries) {
    const SymmetryGroup *group;
    Game *game = game_of_text("(role p) (init here) (legal p go) (legal p stay)"
                              "(<= (next here) (true here) (does p stay))"
                              "(<= (next there) (does p go))"
                              "(<= terminal (true there))"
                              "(<= (goal p 100) (true there)) (<= (goal p 0) (not (true there)))",
                              NULL);
    const Template *template = prepare_again(game, 0.9, &group);
    cr_assert_not_null(template);
    cr_assert_null(group);
    cr_assert_eq(prepare_again(game, 1, &group), template);
    cr_assert_eq(prepare_again(game, 2, &group), template);
    game_free(game);
    game = game_named("tic_tac_toe", NULL);
    prepare_again(game, 1e-9, &group);
    cr_assert_null(group);
    cr_assert_not_null(prepare_again(game, 2, &group));
    cr_assert_not_null(group);
    game_free(game);
}

/* After moves that break the symmetry, no images are looked up; before, they merge nodes. */
Test(macucb_symmetry, symmetries_are_asked_for_where_they_pay) {
    static const char *const moves[] = {"(drop 1)", "noop", "noop", "(drop 2)",
                                        "(drop 1)", "noop", "noop", "(drop 4)"};
    SearchTable t = table_create(game_named("connect_four", NULL), "mac-ucb-sym", 0,
                                 (SearchOptions){.seed = 1});
    const MacUcb *m = (const MacUcb *)t.search;
    search_set_state(t.search, &t.state);
    think(&t, 50000);
    cr_assert(m->group && m->uses_images);
    cr_assert_gt(m->statistics.hits, 10);
    table_release(&t);
    t = table_create(game_named("connect_four", NULL), "mac-ucb-sym", 0,
                     (SearchOptions){.seed = 1});
    m = (const MacUcb *)t.search;
    make_moves(&t, moves, sizeof moves / sizeof *moves);
    search_set_state(t.search, &t.state);
    think(&t, 50000);
    cr_assert(m->group && !m->uses_images);
    cr_assert_eq(m->statistics.hits, 0);
    cr_assert_gt(m->nodes.count, 2000);
    table_release(&t);
}

/* With a group of order n, symmetries save at most the share 1 - 1/n of the solved states. */
Test(macucb_symmetry, what_symmetries_save) {
    static const struct {
        const char *name;
        double order;
    } games[] = {{"tic_tac_toe", 8}, {"connect_four", 2}, {"orchard_light", 4}, {"monty_hall", 6}};
    for (size_t i = 0; i < 4; i++) {
        Game *game = game_named(games[i].name, NULL);
        MacUcbMeasures measures;
        cr_assert(macucb_measure(game, i ? 3000 : 300000, 4, 1, &measures));
        cr_assert(measures.is_translated && measures.is_whole_group);
        cr_assert_float_eq(measures.log10_order, log10(games[i].order), 1e-9);
        double solved = (double)measures.solved;
        double saved = solved > 0 ? 1 - (double)measures.classes / solved : 0;
        cr_assert_leq(saved, 1 - 1 / games[i].order, "%s: %g", games[i].name, saved);
        cr_assert_geq(measures.arrivals, measures.solved);
        game_free(game);
    }
}

/* Returns the CPU seconds per solved network, after the preparation before the first turn. */
static double seconds_a_network(const char *game, const char *method, uint64_t *solved) {
    SearchTable t = table_create(game_named(game, NULL), method, 0, (SearchOptions){.seed = 2});
    prepare_within(t.search, 10);
    search_set_state(t.search, &t.state);
    double started = clock_thread_cpu_seconds();
    think(&t, 20000);
    double taken = clock_thread_cpu_seconds() - started;
    const MacUcb *m = (const MacUcb *)t.search;
    cr_assert_null(m->group);
    *solved = m->statistics.solved;
    table_release(&t);
    return taken / (double)*solved;
}

/* If a game has no symmetries, looking for them costs nothing once it is over: the same networks
 * are solved, at most a twentieth slower. The fastest of several runs counts, since the machine may
 * be busy. */
Test(macucb_symmetry, symmetries_that_are_not_there_cost_nothing) {
    double plain = INFINITY, symmetric = INFINITY;
    for (int i = 0; i < 20 && (i < 3 || symmetric > 1.05 * plain); i++) {
        uint64_t solved, also_solved;
        plain = fmin(plain, seconds_a_network("sheep_and_wolf", "mac-ucb", &solved));
        symmetric =
            fmin(symmetric, seconds_a_network("sheep_and_wolf", "mac-ucb-sym", &also_solved));
        cr_assert_eq(solved, also_solved);
    }
    cr_assert_leq(symmetric, 1.05 * plain, "%g and %g s", symmetric, plain);
}

/* States that the method of the paper takes for symmetric images may have different values. The
 * test logs how many. */
Test(macucb_symmetry, the_papers_symmetries_may_be_wrong) {
    Report report = {0};
    SearchTable t = solve("tic_tac_toe", "mac-ucb-sym",
                          (MacUcbOptions){.uses_nogood_symmetries = true}, 100000);
    MacUcb *m = (MacUcb *)t.search;
    Template *template = template_create(t.game, &(TemplateOptions){0}, &report);
    MicroGraph *g = micro_graph_create(template, NULL, 10000, (Deadline){0}, NULL);
    double *values = micro_graph_values(g, 0, PLAY_AGAINST);
    uint16_t *read = memory_alloc((template->groups.count + 1) * sizeof *read);
    size_t known = 0, wrong = 0;
    for (size_t i = 0; i < m->base_nodes.count; i++) {
        template_read_state(template, &m->base_states.items[i], read);
        uint32_t image = micro_graph_find(g, read);
        template_read_state(template, &m->nodes.items[m->base_nodes.items[i]].worlds[0].state,
                            read);
        uint32_t state = micro_graph_find(g, read);
        known += image != SCSP_NONE;
        wrong += image != SCSP_NONE && fabs(values[image] - values[state]) > 1e-9;
    }
    cr_assert_gt(known, 0);
    cr_log_info("%zu of %zu images have another value", wrong, known);
    free(read);
    free(values);
    micro_graph_free(g);
    template_free(template);
    report_free(&report);
    table_release(&t);
}
