/* Tests MAC-UCB and MAC-UCB-SYM as searches: values that are known exactly, convergence, and games
 * with hidden information, in which a role uses only its own knowledge. */
#include <math.h>

#include "../square_tic_tac_toe.h"
#include "macucb_support.h"
#include "scsp/exact/micro_graph.h"

/* Two of the three moves are worth a quarter each. With symmetries, one of them is valued without
 * being searched. */
Test(macucb, square_tic_tac_toe) {
    static const char *const methods[] = {"mac-ucb", "mac-ucb-sym"};
    for (size_t i = 0; i < 2; i++) {
        SearchTable t = table_create(
            game_of_text(SQUARE_TIC_TAC_TOE, NULL), methods[i], 0,
            (SearchOptions){.seed = 1, .own = &(MacUcbOptions){.never_solves_match = true}});
        search_set_state(t.search, &t.state);
        think(&t, 10000);
        const MacUcb *m = (const MacUcb *)t.search;
        cr_assert_float_eq(value_of(&t, "(mark 1 2)"), 25, 1e-9);
        cr_assert_float_eq(value_of(&t, "(mark 2 1)"), 25, 1e-9);
        cr_assert_float_eq(value_of(&t, "(mark 2 2)"), 0, 1e-9);
        cr_assert(t.result.moves.items[0].is_proven);
        cr_assert_eq(m->nodes.count, i ? 7 : 11, "%zu nodes", m->nodes.count);
        cr_assert_eq(m->statistics.hits > 0, i == 1);
        table_release(&t);
    }
}

/* The search chooses at random between moves of equal value, not by their order in the rules. */
Test(macucb, chooses_between_equal_moves_by_lot) {
    Game *game = game_of_text(SQUARE_TIC_TAC_TOE, NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    SearchResult result = {0};
    uint32_t first = 0, wanted = game_find_move(work, 0, "(mark 1 2)", 10);
    game_initial(work, &state);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        Report report = {0};
        Search *search =
            strategy_create_named("mac-ucb", game, 0, &(SearchOptions){.seed = seed}, &report);
        search_set_state(search, &state);
        search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = 1000});
        search_result(search, &result);
        first += result.best == wanted;
        search_free(search);
        report_free(&report);
    }
    cr_assert(first >= 450 && first <= 550, "%u of 1000", first);
    search_result_free(&result);
    state_free(&state);
    game_work_free(work);
    game_free(game);
}

/* Returns the mean difference between the estimates of all nodes and their exact values. Asserts
 * that values which the search marks as exact are exact. */
static double mean_error(const SearchTable *t, const MicroGraph *g, const double *values) {
    MacUcb *m = (MacUcb *)t->search;
    uint16_t *read = memory_alloc((g->template->groups.count + 1) * sizeof *read);
    double sum = 0, weight = 0;
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        const MacUcbNode *n = &m->nodes.items[i];
        if (!macucb_has_value(n))
            continue;
        template_read_state(g->template, &n->worlds[0].state, read);
        uint32_t state = micro_graph_find(g, read);
        cr_assert_neq(state, SCSP_NONE);
        double error = fabs(macucb_node_values(m, i, MAC_VALUE)[0] - values[state]);
        if (n->is_exact)
            cr_assert_lt(error, 1e-6, "node %u", i);
        sum += error * (n->visits + 1);
        weight += n->visits + 1;
    }
    free(read);
    return sum / weight;
}

/* An error in the backup shows in the value of some node: the goal of the wrong role, chance,
 * nogoods, or decided values. */
Test(macucb, estimates_converge_to_exact_values) {
    static const char *const games[] = {"tic_tac_toe", "orchard_light"};
    static const char *const methods[] = {"mac-ucb", "mac-ucb-sym"};
    for (size_t i = 0; i < 4; i++) {
        const char *name = games[i / 2];
        Report report = {0};
        Game *game = game_named(name, NULL);
        Template *t = template_create(game, &(TemplateOptions){0}, &report);
        MicroGraph *g = micro_graph_create(t, NULL, 10000, (Deadline){0}, NULL);
        double *values = micro_graph_values(g, 0, PLAY_AGAINST);
        SearchTable table =
            table_create(game_named(name, NULL), methods[i % 2], 0, (SearchOptions){.seed = 3});
        search_set_state(table.search, &table.state);
        think(&table, 2000);
        double early = mean_error(&table, g, values);
        think(&table, 150000);
        double late = mean_error(&table, g, values);
        cr_assert(late < 0.02 && late <= fmax(early / 4, 1e-9), "%s %s: %g, then %g", name,
                  methods[i % 2], early, late);
        cr_assert_float_eq(table.result.moves.items[0].value, 100 * values[0], 2);
        table_release(&table);
        free(values);
        micro_graph_free(g);
        template_free(t);
        game_free(game);
        report_free(&report);
    }
}

/* One move that wins at once decides the turn, whatever other moves win and whatever the loser
 * gets. */
Test(macucb, needs_no_more_than_one_win) {
    static const char *const moves[] = {"(drop 4)", "noop", "noop", "(drop 1)",
                                        "(drop 5)", "noop", "noop", "(drop 1)",
                                        "(drop 6)", "noop", "noop", "(drop 2)"};
    SearchTable t =
        table_create(game_named("connect_four", NULL), "mac-ucb", 0, (SearchOptions){.seed = 1});
    make_moves(&t, moves, sizeof moves / sizeof *moves);
    search_set_state(t.search, &t.state);
    think(&t, 10000);
    cr_assert(t.result.moves.items[0].is_proven);
    cr_assert_float_eq(t.result.moves.items[0].value, 100, 1e-9);
    cr_assert_lt(t.result.nodes, 10);
    table_release(&t);
}

/* Both searches average random playouts, so their estimates of the first moves agree. */
Test(macucb, estimates_what_uct_estimates) {
    SearchTable a =
        table_create(game_named("connect_four", NULL), "mac-ucb", 0, (SearchOptions){.seed = 1});
    SearchTable b =
        table_create(game_named("connect_four", NULL), "uct", 0, (SearchOptions){.seed = 1});
    search_set_state(a.search, &a.state);
    search_set_state(b.search, &b.state);
    think(&a, 100000);
    think(&b, 100000);
    cr_assert_float_eq(value_of(&a, "(drop 4)"), value_of(&b, "(drop 4)"), 7);
    table_release(&a);
    table_release(&b);
}

Test(macucb, proves_small_games) {
    SearchTable t = solve("tic_tac_toe", "mac-ucb", (MacUcbOptions){0}, 3000000);
    size_t plain = ((MacUcb *)t.search)->nodes.count;
    cr_assert(t.result.moves.items[0].is_proven);
    cr_assert_float_eq(t.result.moves.items[0].value, 50, 1e-9);
    table_release(&t);
    t = solve("tic_tac_toe", "mac-ucb-sym", (MacUcbOptions){0}, 3000000);
    size_t symmetric = ((MacUcb *)t.search)->nodes.count;
    cr_assert(t.result.moves.items[0].is_proven);
    cr_assert_float_eq(t.result.moves.items[0].value, 50, 1e-9);
    cr_assert_lt(symmetric, 1000);
    cr_assert_lt(symmetric * 4, plain);
    table_release(&t);
}

/* Successors found by the constraint network and by the reasoner give the same tree and the same
 * result. */
Test(macucb, network_and_reasoner_agree) {
    static const char *const games[] = {"tic_tac_toe", "orchard_light", "connect_four"};
    for (size_t i = 0; i < 3; i++) {
        SearchTable a = solve(games[i], "mac-ucb", (MacUcbOptions){0}, 2000);
        SearchTable b =
            solve(games[i], "mac-ucb", (MacUcbOptions){.solves_by_constraints = true}, 2000);
        cr_assert_eq(((MacUcb *)a.search)->nodes.count, ((MacUcb *)b.search)->nodes.count);
        cr_assert_eq(a.result.best, b.result.best);
        cr_assert_eq(a.result.moves.count, b.result.moves.count);
        for (size_t k = 0; k < a.result.moves.count; k++)
            cr_assert_float_eq(a.result.moves.items[k].value, b.result.moves.items[k].value, 1e-9);
        table_release(&a);
        table_release(&b);
    }
}

Test(macucb, one_seed_gives_one_result) {
    static const char *const methods[] = {"mac-ucb", "mac-ucb-sym"};
    for (size_t i = 0; i < 2; i++) {
        SearchTable a = solve("connect_four", methods[i], (MacUcbOptions){0}, 3000);
        SearchTable b = solve("connect_four", methods[i], (MacUcbOptions){0}, 3000);
        cr_assert_eq(a.result.best, b.result.best);
        for (size_t k = 0; k < a.result.moves.count; k++)
            cr_assert_eq(a.result.moves.items[k].value, b.result.moves.items[k].value);
        table_release(&a);
        table_release(&b);
    }
}

/* Without transpositions (is_tree), with the symmetries of the paper (by_nogoods) and with a share
 * of solved nodes, trees have other sizes. */
Test(macucb, variants) {
    SearchTable t = solve("orchard_light", "mac-ucb", (MacUcbOptions){.is_tree = true}, 20000);
    cr_assert_gt(((MacUcb *)t.search)->nodes.count, 25);
    table_release(&t);
    t = solve("tic_tac_toe", "mac-ucb-sym", (MacUcbOptions){.uses_nogood_symmetries = true}, 30000);
    const MacUcb *m = (const MacUcb *)t.search;
    cr_assert_gt(m->statistics.analysed, 0);
    cr_assert_eq(m->group, NULL);
    table_release(&t);
    t = solve("orchard_light", "mac-ucb-sym", (MacUcbOptions){.solve_share = 0.3}, 20000);
    cr_assert_leq(((MacUcb *)t.search)->nodes.count, 16);
    table_release(&t);
}

/* There is a breeze and a stench beside the start. To go on is a risk, but to climb out without the
 * gold is certainly worth nothing. */
Test(macucb, does_not_give_up_while_there_is_hope) {
    SearchTable t =
        table_create(game_named("wumpus", NULL), "mac-ucb", 0, (SearchOptions){.seed = 1});
    BeliefFilter *filter = belief_create(t.game, 0, NULL, 1);
    for (int i = 0; i < 5; i++)
        belief_observe(filter, "noop", "(at 1)", true, NULL, deadline_never());
    belief_observe(filter, "(move east)", "(at 2) breeze stench", true, NULL, deadline_never());
    belief_observe(filter, "(move west)", "(at 1)", true, NULL, deadline_never());
    cr_assert_gt(filter->belief.states.count, 1);
    search_set_belief(t.search, &filter->belief);
    think(&t, 2000);
    cr_assert_float_eq(value_of(&t, "climb"), 0, 1e-9);
    cr_assert_neq(t.result.best, game_find_move(t.work, 0, "climb", 5));
    belief_free(filter);
    table_release(&t);
}

/* A turn has hundreds of states, a hundred actions and as many moves of chance. Only a sample of
 * its successors is made, or the search could not keep its clock. */
Test(macucb, draws_where_a_turn_is_too_large) {
    static const size_t MOST = 2 * 8192;
    SearchTable t = table_create(game_named("latent_tic_tac_toe", NULL), "mac-ucb", 0,
                                 (SearchOptions){.seed = 1});
    BeliefFilter *filter = belief_create(t.game, 0, NULL, 1);
    Random random;
    Text move = {0}, percepts = {0};
    uint32_t joint[3];
    random_seed(&random, 4);
    for (int turn = 0; turn < 12; turn++) {
        cr_assert(random_moves(t.game, t.work, &t.state, &random, joint));
        text_clear(&move);
        text_clear(&percepts);
        game_move_text(t.work, 0, joint[0], &move);
        game_sees(t.work, &t.state, joint, 0, &percepts);
        belief_observe(filter, text_string(&move), text_string(&percepts), true, NULL,
                       deadline_never());
        game_next(t.work, &t.state, joint, &t.state);
    }
    cr_assert_gt(filter->belief.states.count, 256);
    search_set_belief(t.search, &filter->belief);
    think(&t, 64);
    const MacUcb *m = (const MacUcb *)t.search;
    cr_assert(m->successors.count > 500 && m->successors.count <= MOST, "%zu", m->successors.count);
    cr_assert_neq(t.result.best, MOVE_NONE);
    for (size_t i = 0; i < t.result.moves.count; i++)
        cr_assert_not(t.result.moves.items[i].is_proven);
    vector_free(&move);
    vector_free(&percepts);
    belief_free(filter);
    table_release(&t);
}

/* In the beliefs of the paper the prize may be behind any door, behind several or behind none,
 * whatever was opened. */
Test(macucb, beliefs_by_halves) {
    SearchTable t = table_create(
        game_named("monty_hall", NULL), "mac-ucb", 0,
        (SearchOptions){.seed = 1, .own = &(MacUcbOptions){.halves_unknown_fluents = true}});
    BeliefFilter *filter = belief_create(t.game, 0, NULL, 1);
    belief_observe(filter, "(pick 1)", "", true, NULL, deadline_never());
    belief_observe(filter, "noop", "(opened 2)", true, NULL, deadline_never());
    cr_assert_eq(filter->belief.states.count, 2);
    search_set_belief(t.search, &filter->belief);
    think(&t, 1000);
    const MacUcb *m = (const MacUcb *)t.search;
    cr_assert_gt(m->nodes.items[m->root].world_count, 2);
    cr_assert_neq(t.result.best, MOVE_NONE);
    belief_free(filter);
    table_release(&t);
}

/* The die is hidden, so no guess is worth more than one in six. */
Test(macucb, does_not_look_under_the_cup) {
    Game *game = game_named("guess_dice", NULL);
    Report report = {0};
    BeliefFilter *filter = belief_create(game, 0, NULL, 3);
    Search *search =
        strategy_create_named("mac-ucb-sym", game, 0, &(SearchOptions){.seed = 2}, &report);
    SearchResult result = {0};
    belief_observe(filter, "noop", "", true, NULL, deadline_in(10));
    cr_assert_eq(filter->belief.states.count, 6);
    search_set_belief(search, &filter->belief);
    search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = 5000});
    search_result(search, &result);
    cr_assert_eq(result.moves.count, 6);
    for (size_t i = 0; i < 6; i++)
        cr_assert_float_eq(result.moves.items[i].value, 100.0 / 6, 1e-6);
    search_result_free(&result);
    search_free(search);
    belief_free(filter);
    report_free(&report);
    game_free(game);
}

Test(macucb, swaps_the_door) {
    SearchTable t = solve("monty_hall", "mac-ucb", (MacUcbOptions){0}, 20000);
    cr_assert_float_eq(t.result.moves.items[0].value, 200.0 / 3, 1e-6);
    table_release(&t);
}

Test(macucb, simultaneous_moves) {
    SearchTable t = solve("rock_paper_scissors", "mac-ucb", (MacUcbOptions){0}, 5000);
    cr_assert_neq(t.result.best, MOVE_NONE);
    cr_assert_float_eq(t.result.moves.items[0].value, 50, 15);
    table_release(&t);
}

/* Pulls are slow without a circuit, so nodes are solved without waiting for them. */
Test(macucb, plays_without_a_circuit) {
    GameOptions interpreted = {.interpreter_only = true};
    Game *game = game_named("tic_tac_toe", &interpreted);
    SearchTable t = table_create(game, "mac-ucb-sym", 0, (SearchOptions){.seed = 5});
    search_set_state(t.search, &t.state);
    think(&t, 500);
    cr_assert_neq(t.result.best, MOVE_NONE);
    const MacUcb *m = (const MacUcb *)t.search;
    cr_assert_null(m->lanes);
    cr_assert_gt(m->waiting, MACUCB_LANES);
    cr_assert_eq(m->leaf_pulls, MACUCB_MIN_SOLVED_PULLS);
    table_release(&t);
}
