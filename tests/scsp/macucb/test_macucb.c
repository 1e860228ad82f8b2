/* Tests MAC-UCB and MAC-UCB-SYM as searches: known values, and that they use only what their role
 * knows. */
#include "scsp/macucb/macucb.h"

#include <math.h>
#include <pthread.h>

#include "../../search/play_search.h"
#include "../square_tic_tac_toe.h"
#include "scsp/exact/belief_search.h"
#include "scsp/exact/micro_graph.h"
#include "scsp/macucb/macucb_measure.h"

static void prepare_within(Search *search, double seconds) {
    search_prepare(search, &(SearchBudget){.deadline = deadline_never()}, seconds);
}

static double value_of(const SearchTable *t, const char *move) {
    uint32_t number = game_find_move(t->work, t->search->role, move, strlen(move));
    for (size_t i = 0; i < t->result.moves.count; i++)
        if (t->result.moves.items[i].move == number)
            return t->result.moves.items[i].value;
    return -1;
}

/* Two squares are worth a quarter each, one of them without being looked at. */
Test(macucb, square_tic_tac_toe) {
    static const char *const methods[] = {"mac-ucb", "mac-ucb-sym"};
    for (size_t i = 0; i < 2; i++) {
        SearchTable t =
            table_create(game_of_text(SQUARE_TIC_TAC_TOE, NULL), methods[i], 0,
                         (SearchOptions){.seed = 1, .own = &(MacUcbOptions){.is_estimated = true}});
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

/* The same without a tree: who plays alone solves what is left of the match. */
Test(macucb, settles_what_one_can_solve_alone) {
    static const char *const methods[] = {"mac-ucb", "mac-ucb-sym"};
    for (size_t i = 0; i < 2; i++) {
        SearchTable t = table_create(game_of_text(SQUARE_TIC_TAC_TOE, NULL), methods[i], 0,
                                     (SearchOptions){.seed = 1});
        search_set_state(t.search, &t.state);
        think(&t, 10000);
        cr_assert_eq(((const MacUcb *)t.search)->settled.count, 3);
        cr_assert(t.result.is_decided && t.result.playouts == 0);
        cr_assert_float_eq(value_of(&t, "(mark 1 2)"), 25, 1e-9);
        cr_assert_float_eq(value_of(&t, "(mark 2 1)"), 25, 1e-9);
        cr_assert_float_eq(value_of(&t, "(mark 2 2)"), 0, 1e-9);
        table_release(&t);
    }
}

/* Before the first turn, for all matches of the game; the answer is that of the exact search. */
Test(macucb, solves_the_whole_match_before_it_starts) {
    Game *game = game_named("mastermind", NULL);
    GameWork *work = game_work(game, REASONER_AUTO);
    Report report = {0};
    SearchResult result = {0};
    BeliefFilter *filter = belief_create(game, 0, NULL, 1);
    const void *solved = NULL;
    for (uint64_t seed = 0; seed < 2; seed++) {
        Search *search = strategy_create("mac-ucb-sym", game, game_is_chance(game, 0),
                                         &(SearchOptions){.seed = seed}, &report);
        prepare_within(search, 1000);
        const MacUcb *m = (const MacUcb *)search;
        cr_assert_not_null(m->solved_game);
        cr_assert(!solved || solved == m->solved_game);
        solved = m->solved_game;
        search_set_belief(search, &filter->belief);
        search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = 1});
        search_result(search, &result);
        cr_assert(result.is_decided);
        cr_assert_float_eq(result.moves.items[0].value, 67.1875, 1e-9);
        search_free(search);
    }
    search_result_free(&result);
    belief_free(filter);
    report_free(&report);
    game_work_free(work);
    game_free(game);
}

/* The paper's beliefs are others: what is solved says nothing about them. */
Test(macucb, halves_are_not_looked_up) {
    Game *game = game_named("mastermind", NULL);
    uint32_t player = game_is_chance(game, 0);
    Report report = {0};
    for (int by_halves = 0; by_halves < 2; by_halves++) {
        SearchOptions options = {.seed = 1, .own = &(MacUcbOptions){.by_halves = by_halves}};
        Search *search = strategy_create("mac-ucb", game, player, &options, &report);
        prepare_within(search, 1000);
        cr_assert_eq(((const MacUcb *)search)->solved_game != NULL, !by_halves);
        search_free(search);
    }
    report_free(&report);
    game_free(game);
}

/* A search that is told to stop, or whose start clock is over, solves nothing, and another may. */
Test(macucb, preparing_can_be_stopped) {
    Game *game = game_named("mastermind", NULL);
    bool is_stopped = true;
    const SearchBudget budgets[] = {{.deadline = deadline_never(), .stopped = &is_stopped},
                                    {.deadline = deadline_in(0)},
                                    {.deadline = deadline_never()}};
    Report report = {0};
    for (size_t i = 0; i < 3; i++) {
        Search *search = strategy_create("mac-ucb", game, game_is_chance(game, 0),
                                         &(SearchOptions){.seed = 1}, &report);
        search_prepare(search, &budgets[i], 1000);
        cr_assert_eq(((const MacUcb *)search)->solved_game != NULL, i == 2);
        search_free(search);
    }
    report_free(&report);
    game_free(game);
}

static void *prepare_beside_others(void *search) {
    prepare_within(search, 1000);
    return NULL;
}

/* Of searches that are prepared at the same time one solves the game, and all of them have that
 * when they run. An attempt that failed later on does not hide it. */
Test(macucb, one_of_many_solves_the_game) {
    enum { SEARCHES = 4 };
    Game *game = game_named("mastermind", NULL);
    uint32_t player = game_is_chance(game, 0);
    BeliefFilter *filter = belief_create(game, player, NULL, 1);
    Report report = {0};
    Search *searches[SEARCHES];
    pthread_t threads[SEARCHES];
    const void *solved = NULL;
    for (uint64_t i = 0; i < SEARCHES; i++) {
        searches[i] =
            strategy_create("mac-ucb", game, player, &(SearchOptions){.seed = i}, &report);
        search_set_belief(searches[i], &filter->belief);
        pthread_create(&threads[i], NULL, prepare_beside_others, searches[i]);
    }
    for (size_t i = 0; i < SEARCHES; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < SEARCHES; i++) {
        const MacUcb *m = (const MacUcb *)searches[i];
        prepare_within(searches[i], 1e-9);
        search_run(searches[i], &(SearchBudget){.deadline = deadline_never(), .playouts = 1});
        cr_assert(m->solved_game && !m->solver && (!solved || solved == m->solved_game));
        solved = m->solved_game;
        search_free(searches[i]);
    }
    belief_free(filter);
    report_free(&report);
    game_free(game);
}

/* A solver with more than half of the memory, which the start clock may leave, is not thrown away
 * in the first turn; the tree has what it leaves. */
Test(macucb, what_was_found_before_the_first_turn_is_kept) {
    Game *game = game_named("mastermind", NULL);
    uint32_t player = game_is_chance(game, 0);
    BeliefFilter *filter = belief_create(game, player, NULL, 1);
    Report report = {0};
    BeliefAnswer answer;
    Search *search = strategy_create("mac-ucb", game, player, &(SearchOptions){.seed = 1}, &report);
    MacUcb *m = (MacUcb *)search;
    BeliefSolver *solver = belief_solver_create(game, player, NULL);
    cr_assert(!belief_solver_solve(solver, &filter->belief, MOVE_NONE,
                                   &(SolvingBudget){.work = 2000}, &answer));
    m->solver = solver;
    m->options.node_bytes = belief_solver_bytes(solver) / 2 * 3;
    search_set_belief(search, &filter->belief);
    search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = 4});
    cr_assert(m->solver == solver && !m->is_too_large);
    cr_assert_leq(macucb_tree_bytes(m), m->options.node_bytes - belief_solver_bytes(solver));
    search_free(search);
    belief_free(filter);
    report_free(&report);
    game_free(game);
}

/* Moves of equal value are chosen by lot, not by their order in the rules. */
Test(macucb, chooses_between_equal_moves_by_lot) {
    Game *game = game_of_text(SQUARE_TIC_TAC_TOE, NULL);
    GameWork *work = game_work(game, REASONER_AUTO);
    State state = {0};
    SearchResult result = {0};
    uint32_t first = 0, wanted = game_find_move(work, 0, "(mark 1 2)", 10);
    game_initial(work, &state);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        Report report = {0};
        Search *search =
            strategy_create("mac-ucb", game, 0, &(SearchOptions){.seed = seed}, &report);
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

static SearchTable solve(const char *game, const char *method, MacUcbOptions mac,
                         uint64_t playouts) {
    SearchTable t =
        table_create(game_named(game, NULL), method, 0, (SearchOptions){.seed = 5, .own = &mac});
    search_set_state(t.search, &t.state);
    think(&t, playouts);
    return t;
}

/* How far the estimates of all nodes are from their exact values, on average. Values that the
 * search takes for exact must be. */
static double mean_error(const SearchTable *t, const MicroGraph *g, const double *values) {
    MacUcb *m = (MacUcb *)t->search;
    uint16_t *read = memory_alloc((g->template->groups.count + 1) * sizeof *read);
    double sum = 0, weight = 0;
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        const MacNode *n = &m->nodes.items[i];
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

/* Whose goal is backed up, chance, nogoods, what is decided already: whatever goes wrong on the way
 * up shows in some node. */
Test(macucb, estimates_converge_to_exact_values) {
    static const char *const games[] = {"tic_tac_toe", "orchard_light"};
    static const char *const methods[] = {"mac-ucb", "mac-ucb-sym"};
    for (size_t i = 0; i < 4; i++) {
        const char *name = games[i / 2];
        Report report = {0};
        Game *game = game_named(name, NULL);
        Template *t = template_create(game, &(TemplateOptions){0}, &report);
        MicroGraph *g = micro_graph_create(t, NULL, 10000);
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

/* A move that wins at once ends the matter, whatever else would win and whatever the loser gets. */
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

/* Two searches that both average random play agree about the first moves. */
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

/* Solved by constraints or by the reasoner: the same tree, the same answer. */
Test(macucb, network_and_reasoner_agree) {
    static const char *const games[] = {"tic_tac_toe", "orchard_light", "connect_four"};
    for (size_t i = 0; i < 3; i++) {
        SearchTable a = solve(games[i], "mac-ucb", (MacUcbOptions){0}, 2000);
        SearchTable b = solve(games[i], "mac-ucb", (MacUcbOptions){.by_network = true}, 2000);
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

/* Symmetries are found for the first search of a game: the second has the same ones at once. */
Test(macucb, symmetries_are_kept_with_the_game) {
    SearchTable t = solve("tic_tac_toe", "mac-ucb-sym", (MacUcbOptions){0}, 1000);
    Report report = {0};
    Search *second =
        strategy_create("mac-ucb-sym", t.game, 1, &(SearchOptions){.seed = 2}, &report);
    prepare_within(second, 0);
    const MacUcb *a = (const MacUcb *)t.search, *b = (const MacUcb *)second;
    cr_assert_not_null(a->group);
    cr_assert_eq(a->group, b->group);
    cr_assert_eq(a->template, b->template);
    search_free(second);
    report_free(&report);
    table_release(&t);
}

/* Prepares another search of the game, and answers what it knows of the rules. */
static const Template *prepare_again(Game *game, double seconds, const SymmetryGroup **group) {
    Report report = {0};
    Search *search = strategy_create("mac-ucb-sym", game, 0, &(SearchOptions){.seed = 2}, &report);
    prepare_within(search, seconds);
    const MacUcb *m = (const MacUcb *)search;
    const Template *template = m->template;
    *group = m->group;
    search_free(search);
    report_free(&report);
    return template;
}

/* Symmetries that are not there are not looked for twice; what there was no time for is. */
Test(macucb, what_is_known_of_symmetries) {
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

/* Equal states apart, and the paper's symmetries: other trees, the same values. */
Test(macucb, variants) {
    SearchTable t = solve("orchard_light", "mac-ucb", (MacUcbOptions){.is_tree = true}, 20000);
    cr_assert_gt(((MacUcb *)t.search)->nodes.count, 25);
    table_release(&t);
    t = solve("tic_tac_toe", "mac-ucb-sym", (MacUcbOptions){.by_nogoods = true}, 30000);
    const MacUcb *m = (const MacUcb *)t.search;
    cr_assert_gt(m->statistics.analysed, 0);
    cr_assert_eq(m->group, NULL);
    table_release(&t);
    t = solve("orchard_light", "mac-ucb-sym", (MacUcbOptions){.solve_share = 0.3}, 20000);
    cr_assert_leq(((MacUcb *)t.search)->nodes.count, 16);
    table_release(&t);
}

/* A breeze and a stench beside the start: to go on is a risk, to climb out without the gold is
 * worth nothing for sure. */
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

/* Hundreds of states, a hundred actions and as many moves of chance: of one turn only some
 * successors are made, or no clock could be kept. */
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

/* The paper's beliefs: the prize may be behind any door, several or none, whatever was opened. */
Test(macucb, beliefs_by_halves) {
    SearchTable t =
        table_create(game_named("monty_hall", NULL), "mac-ucb", 0,
                     (SearchOptions){.seed = 1, .own = &(MacUcbOptions){.by_halves = true}});
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

/* The die is hidden: nobody can do better than one in six. */
Test(macucb, does_not_look_under_the_cup) {
    Game *game = game_named("guess_dice", NULL);
    Report report = {0};
    BeliefFilter *filter = belief_create(game, 0, NULL, 3);
    Search *search = strategy_create("mac-ucb-sym", game, 0, &(SearchOptions){.seed = 2}, &report);
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

/* Who stays where a hunter shoots has lost at once; all else goes on for turns that nobody can look
 * through, and ends well for who stayed. */
static const char DEER_AND_HUNTER[] =
    "(role deer) (role hunter) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)"
    "(succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11)"
    "(succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16)"
    "(<= (legal deer stay) (true (step 0))) (<= (legal deer hide) (true (step 0)))"
    "(<= (legal hunter shoot) (true (step 0))) (<= (legal hunter wait) (true (step 0)))"
    "(<= (legal ?r left) (role ?r) (not (true (step 0))))"
    "(<= (legal ?r right) (role ?r) (not (true (step 0))))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (went ?r ?m)) (true (step ?m)) (does ?r left))"
    "(<= (next (went ?r ?m)) (true (went ?r ?m)))"
    "(<= (next hidden) (does deer hide)) (<= (next hidden) (true hidden))"
    "(<= (next shot) (does deer stay) (does hunter shoot))"
    "(<= terminal (true shot)) (<= terminal (true (step 16)))"
    "(<= (goal deer 40) (true hidden)) (<= (goal hunter 60) (true hidden))"
    "(<= (goal deer 0) (true shot)) (<= (goal hunter 100) (true shot))"
    "(<= (goal deer 100) (not (true hidden)) (not (true shot)))"
    "(<= (goal hunter 0) (not (true hidden)) (not (true shot)))";

/* The hunter has to learn that shooting pays, though nothing is left to solve there, and who could
 * stay that it does not. */
Test(macucb, what_is_known_to_the_end_counts_where_several_choose) {
    SearchTable t =
        table_create(game_of_text(DEER_AND_HUNTER, NULL), "mac-ucb", 0, (SearchOptions){.seed = 1});
    search_set_state(t.search, &t.state);
    think(&t, 50000);
    cr_assert_eq(t.result.best, game_find_move(t.work, 0, "hide", 4));
    cr_assert_float_eq(value_of(&t, "hide"), 40, 1e-6);
    cr_assert_lt(value_of(&t, "stay"), 35);
    table_release(&t);
}

/* Where a turn has many successors, most nodes are never solved; they have a value all the same. */
Test(macucb, nodes_are_solved_when_ways_lead_to_them) {
    SearchTable t = solve("breakthrough", "mac-ucb", (MacUcbOptions){0}, 20000);
    const MacUcb *m = (const MacUcb *)t.search;
    uint32_t sampled = 0, solved = 0;
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        const MacNode *n = &m->nodes.items[i];
        if (n->status == MAC_NEW && n->is_sampled) {
            cr_assert(macucb_has_value(n) && !macucb_is_judged(n) && n->pulls >= MACUCB_ENOUGH);
            double value = macucb_node_values((MacUcb *)t.search, i, MAC_VALUE)[0];
            cr_assert(value >= 0 && value <= 1);
            sampled++;
        } else if (n->status == MAC_JUDGED && i != m->root) {
            cr_assert_geq(n->visits, 2);
            solved++;
        }
    }
    cr_assert(sampled > 10 && solved > 10, "%u and %u", sampled, solved);
    table_release(&t);
    t = solve("tic_tac_toe", "mac-ucb", (MacUcbOptions){0}, 20000);
    m = (const MacUcb *)t.search;
    for (uint32_t i = 0; i < m->nodes.count; i++)
        cr_assert_not(m->nodes.items[i].is_sampled);
    table_release(&t);
}

/* One of twenty keys loses at once. That is all that is known of a door just solved: it keeps the
 * value that random play gave it, and those above hear of nothing, until its keys are tried. */
Test(macucb, sampled_values_stay_until_actions_are_pulled) {
    static const char rules[] =
        "(role a) (init (at 0)) (s 1 2) (s 2 3) (s 3 4) (s 4 5) (s 5 6)"
        "(n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) (n 10) (n 11) (n 12) (n 13) (n 14)"
        "(n 15) (n 16) (n 17) (n 18) (n 19) (n 20)"
        "(<= (legal a (door ?i)) (true (at 0)) (n ?i))"
        "(<= (legal a (key ?i)) (not (true (at 0))) (n ?i))"
        "(<= (next (at 1)) (does a (door ?i)))"
        "(<= (next (door ?i)) (does a (door ?i))) (<= (next (door ?i)) (true (door ?i)))"
        "(<= (next (key ?i)) (does a (key ?i)))"
        "(<= (next (at ?y)) (true (at ?x)) (s ?x ?y))"
        "(<= (next lost) (does a (key 1)) (true (at 1)))"
        "(<= terminal (true lost)) (<= terminal (true (at 6)))"
        "(<= (goal a 0) (true lost)) (<= (goal a 100) (not (true lost)))";
    SearchTable t =
        table_create(game_of_text(rules, NULL), "mac-ucb", 0, (SearchOptions){.seed = 1});
    MacUcb *m = (MacUcb *)t.search;
    uint32_t solved = 0, known = 0;
    search_set_state(t.search, &t.state);
    think(&t, 1500);
    known = (uint32_t)m->nodes.count;
    for (uint32_t i = 0; i < known; i++) {
        if (m->nodes.items[i].status != MAC_NEW || !m->nodes.items[i].is_sampled)
            continue;
        double sampled = macucb_node_values(m, i, MAC_VALUE)[0];
        uint32_t above = m->nodes.items[i].parent;
        macucb_plan(m, i);
        macucb_solve_planned(m);
        macucb_back_up(m, &i, 1);
        const MacNode *n = &m->nodes.items[i];
        cr_assert(n->status == MAC_SOLVED && n->edge_count == 20 && macucb_has_value(n));
        cr_assert_eq(macucb_node_values(m, i, MAC_VALUE)[0], sampled);
        cr_assert_eq(n->told, sampled);
        cr_assert_eq(macucb_edge_values(m, above, MAC_VALUE)[0], sampled);
        macucb_pull(m, &i, 1);
        macucb_back_up(m, &i, 1);
        cr_assert(macucb_is_judged(&m->nodes.items[i]));
        cr_assert_gt(macucb_node_values(m, i, MAC_VALUE)[0], 0.8);
        solved++;
    }
    cr_assert_gt(solved, 5, "%u", solved);
    table_release(&t);
}

/* Twenty doors, each with a room where both pick one of seventy cards: too many joint actions for
 * edges. What random play from a room gave counts on when its arms are pulled. */
Test(macucb, sampled_values_stay_where_actions_are_too_many) {
    static const char rules[] =
        "(role a) (role b) (init outside)"
        "(n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) (n 10) (n 11) (n 12) (n 13) (n 14)"
        "(n 15) (n 16) (n 17) (n 18) (n 19) (n 20)"
        "(suit 1) (suit 2) (suit 3) (suit 4) (suit 5) (suit 6) (suit 7)"
        "(rank 1) (rank 2) (rank 3) (rank 4) (rank 5) (rank 6) (rank 7) (rank 8) (rank 9) (rank 10)"
        "(<= (legal a (door ?i)) (true outside) (n ?i)) (<= (legal b noop) (true outside))"
        "(<= (legal ?r (pick ?s ?k)) (role ?r) (true inside) (suit ?s) (rank ?k))"
        "(<= (next inside) (true outside)) (<= (next (door ?i)) (does a (door ?i)))"
        "(<= (next over) (true inside))"
        "(<= (next same) (does a (pick ?s ?k)) (does b (pick ?s ?l)))"
        "(<= terminal (true over))"
        "(<= (goal a 100) (true same)) (<= (goal a 0) (not (true same)))"
        "(<= (goal b 0) (true same)) (<= (goal b 100) (not (true same)))";
    SearchTable t =
        table_create(game_of_text(rules, NULL), "mac-ucb", 0, (SearchOptions){.seed = 1});
    MacUcb *m = (MacUcb *)t.search;
    uint32_t flat = 0;
    search_set_state(t.search, &t.state);
    think(&t, 1500);
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        MacNode *n = &m->nodes.items[i];
        if (n->status != MAC_NEW || !n->is_sampled)
            continue;
        uint32_t sampled = n->pulls;
        double sum = sampled * macucb_node_values(m, i, MAC_VALUE)[0];
        macucb_plan(m, i);
        cr_assert(n->status == MAC_FLAT && n->rewards == sampled);
        macucb_pull(m, &i, 1);
        for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++)
            sum += m->arms.items[a].role == 0 ? m->arms.items[a].sum : 0;
        cr_assert_eq(n->rewards, sampled + n->pulls);
        cr_assert_float_eq(macucb_node_values(m, i, MAC_VALUE)[0], sum / n->rewards, 1e-9);
        flat++;
    }
    cr_assert_gt(flat, 5, "%u", flat);
    table_release(&t);
}

/* Where nobody has a choice nothing is to be estimated: such nodes are never pulled for their own
 * sake, and what random play gave them stands for outcomes of which nothing is known. */
Test(macucb, ways_go_on_where_nobody_chooses) {
    SearchTable t = solve("kaeseklau", "mac-ucb", (MacUcbOptions){0}, 20000);
    MacUcb *m = (MacUcb *)t.search;
    uint32_t passed = 0, waiting = 0, decisions = 0;
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        const MacNode *n = &m->nodes.items[i];
        waiting += n->waits_for;
        decisions += n->status == MAC_JUDGED && n->mover < m->roles;
        if (n->mover != MAC_NOBODY || (n->status != MAC_SOLVED && n->status != MAC_JUDGED))
            continue;
        const MacEdge *e = &m->edges.items[n->first_edge];
        cr_assert(!n->waits_for && macucb_is_open(n) && !macucb_lacking(n));
        cr_assert_eq(n->edge_count, 1);
        cr_assert_geq(e->pulls, n->pulls);
        cr_assert(n->status == MAC_SOLVED || e->is_known);
        passed++;
    }
    cr_assert_eq(waiting, m->waiting);
    cr_assert(passed > 20 && decisions > 5, "%u and %u", passed, decisions);
    table_release(&t);
}

/* Dice that are thrown one after the other are nodes where nobody chooses: a way goes on below them
 * until it is pulled, so that the ways that led to a node are pulls of it or of what is below. The
 * first pulls of a node are 8 where chance moves and 30 where somebody has a choice, but for those
 * that the lanes of one pass have no room for. */
Test(macucb, every_way_through_chance_ends_with_pulls) {
    static const char *const games[] = {"cant_stop", "kaeseklau"};
    uint32_t small = 0, few = 0, enough = 0, later = 0;
    for (size_t g = 0; g < 2; g++) {
        SearchTable t = solve(games[g], "mac-ucb", (MacUcbOptions){0}, 20000);
        MacUcb *m = (MacUcb *)t.search;
        cr_assert_eq(m->leaf_pulls, 8);
        for (uint32_t i = 0; i < m->nodes.count; i++) {
            const MacNode *n = &m->nodes.items[i];
            if (n->status != MAC_NEW || !n->visits || n->waits_for)
                continue;
            cr_assert(n->is_sampled && n->pulls >= m->leaf_pulls * n->visits, "node %u", i);
            bool is_first = n->visits == 1, is_choice = n->mover != MAC_NOBODY;
            small += !is_choice && is_first && n->pulls == 8;
            few += is_choice && n->pulls < MACUCB_ENOUGH;
            enough += is_choice && is_first && n->pulls == MACUCB_ENOUGH;
            later += is_choice && n->visits == 2 && n->pulls == MACUCB_ENOUGH + 8;
        }
        cr_assert_geq(m->search.depth, 5, "behind the four dice of the first throw: %u",
                      m->search.depth);
        table_release(&t);
    }
    cr_assert(small > 5 && enough > 10 * few && later > 5, "%u %u %u %u", small, few, enough,
              later);
}

/* What an action with six outcomes, two pulls of its own, which won, and one outcome worth a
 * quarter that 64 pulls speak for is worth, and what it should be: that outcome counts by itself as
 * far as it is trusted, and as so many pulls of the action. */
static void check_one_outcome_of_six(bool is_spent, double trust) {
    SearchTable t = solve("cant_stop", "mac-ucb", (MacUcbOptions){0}, 2000);
    MacUcb *m = (MacUcb *)t.search;
    uint32_t edge = 0;
    while (m->edges.items[edge].outcome_count != 6)
        edge++;
    MacEdge *e = &m->edges.items[edge];
    uint32_t node = e->node;
    for (uint32_t i = 0; i < 6; i++) {
        MacNode *child = &m->nodes.items[m->outcomes.items[e->first_outcome + i].node];
        child->status = MAC_NEW;
        child->is_exact = false;
        child->is_spent = is_spent && i == 0;
        child->is_sampled = i == 0;
        child->pulls = i == 0 ? 64 : 0;
    }
    uint32_t first = m->outcomes.items[e->first_outcome].node;
    double p = m->outcomes.items[e->first_outcome].p, weight = 6 * p * 12 * trust;
    macucb_node_values(m, first, MAC_VALUE)[0] = 0.25;
    macucb_edge_values(m, edge, MAC_SUM)[0] = 2;
    e->pulls = 2;
    e->is_stale = true;
    macucb_back_up(m, &node, 1);
    double mean = (2 + weight * 0.25) / (2 + weight);
    double expected = p * (trust * 0.25 + (1 - trust) * mean) + (1 - p) * mean;
    cr_assert_float_eq(macucb_edge_values(m, edge, MAC_VALUE)[0], expected, 1e-9, "%g %g p %g",
                       macucb_edge_values(m, edge, MAC_VALUE)[0], expected, p);
    cr_assert_lt(expected, 0.4);
    table_release(&t);
}

/* The luck of two pulls does not stand for all outcomes that were not followed yet: those are taken
 * to be like the one that was, which 64 pulls speak for, more than like the two. */
Test(macucb, outcomes_not_followed_yet_are_like_the_others) {
    check_one_outcome_of_six(false, 64 / 76.0);
}

/* No more will be known of it, however few pulls there were. */
Test(macucb, spent_outcomes_count_for_themselves) {
    check_one_outcome_of_six(true, 1);
}

/* Outcomes that have a value count with it, the others with the mean of the edge's own pulls, or
 * with that of the outcomes if there are none. Answers how many edges were looked at. */
static uint32_t check_edges_by_outcomes(MacUcb *m) {
    uint32_t several = 0;
    for (uint32_t edge = 0; edge < m->edges.count; edge++) {
        MacEdge *e = &m->edges.items[edge];
        MacStatus status = m->nodes.items[e->node].status;
        if (e->outcome_count < 2 || (status != MAC_SOLVED && status != MAC_JUDGED))
            continue;
        double known = 0, sum = 0, own = macucb_edge_values(m, edge, MAC_SUM)[0];
        e->is_stale = true;
        macucb_back_up(m, &e->node, 1);
        for (uint32_t i = e->first_outcome; i < e->first_outcome + e->outcome_count; i++) {
            const MacOutcome *o = &m->outcomes.items[i];
            if (!macucb_has_value(&m->nodes.items[o->node]))
                continue;
            known += o->p;
            sum += o->p * macucb_node_values(m, o->node, MAC_VALUE)[0];
        }
        double mean = e->pulls ? own / e->pulls : known > 0 ? sum / known : 0.5;
        cr_assert_float_eq(macucb_edge_values(m, edge, MAC_VALUE)[0], sum + (1 - known) * mean,
                           1e-9, "edge %u", edge);
        cr_assert_eq(e->is_known, e->pulls || known > 0);
        several += known > 0;
    }
    return several;
}

/* Where leaves are not small, as in games with hidden information, outcomes share nothing. */
Test(macucb, outcomes_share_nothing_without_small_leaves) {
    static const char *const games[] = {"war", "pacman", "mastermind", "kaeseklau"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Game *game = game_named(games[i], NULL);
        uint32_t role = game_is_chance(game, 0);
        SearchTable t = table_create(
            game, "mac-ucb", role,
            (SearchOptions){
                .seed = 5, .leaf_playouts = 64, .own = &(MacUcbOptions){.is_estimated = true}});
        BeliefFilter *filter = belief_create(game, role, NULL, 1);
        search_set_belief(t.search, &filter->belief);
        think(&t, 3000);
        MacUcb *m = (MacUcb *)t.search;
        cr_assert(!macucb_has_small_leaves(m) && m->is_hidden == (i < 3), "%s", games[i]);
        uint32_t several = check_edges_by_outcomes(m);
        cr_assert_gt(several, 0, "%s", games[i]);
        belief_free(filter);
        table_release(&t);
    }
}

/* Where several choose, too, the visits of the moves are no more than what was played. */
Test(macucb, visits_of_arms_are_pulls) {
    for (uint32_t leaf = 4; leaf <= 64; leaf *= 4) {
        SearchTable t = table_create(game_of_text(DEER_AND_HUNTER, NULL), "mac-ucb", 0,
                                     (SearchOptions){.seed = 5, .leaf_playouts = leaf});
        uint64_t visits = 0;
        search_set_state(t.search, &t.state);
        think(&t, 20000);
        for (size_t i = 0; i < t.result.moves.count; i++)
            visits += t.result.moves.items[i].visits;
        cr_assert(visits > 100 && visits <= t.result.playouts, "leaf %u: %lu", leaf,
                  (unsigned long)visits);
        table_release(&t);
    }
}

/* Larger leaves can be asked for, also where there is chance; where there is none they are the
 * rule, and how well something is known is counted in ways. */
Test(macucb, leaves_are_small_where_there_is_chance) {
    static const struct {
        const char *game;
        uint32_t asked, pulls;
    } cases[] = {{"kaeseklau", 0, 8},   {"kaeseklau", 64, 64},  {"kaeseklau", 1000, 64},
                 {"mastermind", 0, 64}, {"tic_tac_toe", 0, 64}, {"tic_tac_toe", 4, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SearchTable t = table_create(game_named(cases[i].game, NULL), "mac-ucb", 0,
                                     (SearchOptions){.seed = 1, .leaf_playouts = cases[i].asked});
        MacUcb *m = (MacUcb *)t.search;
        search_set_state(t.search, &t.state);
        think(&t, 3000);
        cr_assert_eq(m->leaf_pulls, cases[i].pulls, "%s", cases[i].game);
        cr_assert_eq(macucb_has_small_leaves(m), cases[i].pulls < 64);
        cr_assert_neq(t.result.best, MOVE_NONE);
        table_release(&t);
    }
}

/* After moves that break them, symmetries are asked for a few hundred times in vain and then no
 * more; where they pay they are asked for all the time. */
Test(macucb, symmetries_are_asked_for_where_they_pay) {
    static const char *const moves[] = {"(drop 1)", "noop", "noop", "(drop 2)",
                                        "(drop 1)", "noop", "noop", "(drop 4)"};
    SearchTable t = table_create(game_named("connect_four", NULL), "mac-ucb-sym", 0,
                                 (SearchOptions){.seed = 1});
    const MacUcb *m = (const MacUcb *)t.search;
    search_set_state(t.search, &t.state);
    think(&t, 50000);
    cr_assert_not_null(m->group);
    cr_assert_gt(m->mapped, m->nodes.count);
    table_release(&t);
    t = table_create(game_named("connect_four", NULL), "mac-ucb-sym", 0,
                     (SearchOptions){.seed = 1});
    m = (const MacUcb *)t.search;
    make_moves(&t, moves, sizeof moves / sizeof *moves);
    search_set_state(t.search, &t.state);
    think(&t, 50000);
    cr_assert_not_null(m->group);
    cr_assert_gt(m->nodes.count, 2000);
    cr_assert_lt(m->mapped, 1000);
    table_release(&t);
}

/* Pulls are dear then: solving does not wait for them. */
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
    cr_assert_eq(m->leaf_pulls, MACUCB_PULLS);
    table_release(&t);
}

/* A way goes on where nobody chooses until as many states are made as there are lanes, or the
 * memory is full, and not through all throws in one go. Pulls are dear without a circuit, and the
 * first ones end the run. */
Test(macucb, ways_through_chance_keep_to_work_and_memory) {
    static const char rules[] =
        "(role player) (role random) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)"
        "(succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11)"
        "(succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16)"
        "(face 1) (face 2) (face 3) (face 4) (face 5) (face 6) (face 7) (face 8) (face 9)"
        "(<= (legal player high) (true (step 0))) (<= (legal player low) (true (step 0)))"
        "(<= (legal player wait) (not (true (step 0))))"
        "(<= (legal random (throw ?x ?y)) (face ?x) (face ?y))"
        "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
        "(<= (next (dice ?x ?y)) (does random (throw ?x ?y)))"
        "(<= (next low) (does player low)) (<= (next low) (true low))"
        "(<= terminal (true (step 16))) (goal random 0)"
        "(<= (goal player 100) (true (dice ?x ?x)) (not (true low)))"
        "(<= (goal player 50) (true (dice ?x ?y)) (distinct ?x ?y))"
        "(<= (goal player 0) (true (dice ?x ?x)) (true low))";
    enum { THROWS = 81, MOST = 2 * THROWS + LANES + THROWS + 1 };
    GameOptions interpreted = {.interpreter_only = true};
    size_t bytes = 0;
    for (int is_tight = 0; is_tight < 2; is_tight++) {
        SearchTable t =
            table_create(game_of_text(rules, &interpreted), "mac-ucb", 0,
                         (SearchOptions){.seed = 5,
                                         .node_bytes = is_tight ? bytes : 0,
                                         .own = &(MacUcbOptions){.is_estimated = true}});
        MacUcb *m = (MacUcb *)t.search;
        search_set_state(t.search, &t.state);
        think(&t, 1);
        cr_assert_gt(m->nodes.count, 2 * THROWS);
        cr_assert_leq(m->nodes.count, is_tight ? MOST / 2 + THROWS : MOST, "%zu", m->nodes.count);
        bytes = m->bytes / 2; /* of the first, for the second */
        uint64_t solved = m->statistics.solved;
        think(&t, 3000);
        cr_assert_eq(m->statistics.solved > solved, !is_tight);
        table_release(&t);
    }
}

/* The share that symmetries save is never more than all but one image of each state. */
Test(macucb, what_symmetries_save) {
    static const struct {
        const char *name;
        double order;
    } games[] = {{"tic_tac_toe", 8}, {"connect_four", 2}, {"orchard_light", 4}, {"monty_hall", 6}};
    for (size_t i = 0; i < 4; i++) {
        Game *game = game_named(games[i].name, NULL);
        MacMeasures measures;
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

/* CPU seconds a solved network, once what is found before the first turn is there. */
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

/* Where rules have none, looking for symmetries costs nothing once it is over: the same networks
 * are solved, not more than a twentieth slower. The fastest of several runs counts, for the machine
 * may be busy. */
Test(macucb, symmetries_that_are_not_there_cost_nothing) {
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

/* What the paper's way notes as images of states need not be worth the same: how often, is told. */
Test(macucb, the_papers_symmetries_may_be_wrong) {
    Report report = {0};
    SearchTable t =
        solve("tic_tac_toe", "mac-ucb-sym", (MacUcbOptions){.by_nogoods = true}, 100000);
    MacUcb *m = (MacUcb *)t.search;
    Template *template = template_create(t.game, &(TemplateOptions){0}, &report);
    MicroGraph *g = micro_graph_create(template, NULL, 10000);
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
