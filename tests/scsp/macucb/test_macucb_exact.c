/* Tests how MAC-UCB uses exact solutions: it solves games before the first turn, keeps the solution
 * with the game, and solves what is left of a match that a role plays alone. */
#include <pthread.h>

#include "../square_tic_tac_toe.h"
#include "macucb_support.h"
#include "scsp/exact/belief_search.h"

/* Without estimates no tree is needed: a role that plays alone solves the rest of the match
 * exactly. */
Test(macucb_exact, settles_what_one_can_solve_alone) {
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

/* The game is solved before the first turn, once for all matches, and the value is that of the
 * exact search. */
Test(macucb_exact, solves_the_whole_match_before_it_starts) {
    Game *game = game_named("mastermind", NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Report report = {0};
    SearchResult result = {0};
    BeliefFilter *filter = belief_create(game, 0, NULL, 1);
    const void *solved = NULL;
    for (uint64_t seed = 0; seed < 2; seed++) {
        Search *search = strategy_create_named("mac-ucb-sym", game, game_is_chance(game, 0),
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

/* With the beliefs of the paper (by_halves), the exact solution is not used, since it holds for
 * other beliefs. */
Test(macucb_exact, halves_are_not_looked_up) {
    Game *game = game_named("mastermind", NULL);
    uint32_t player = game_is_chance(game, 0);
    Report report = {0};
    for (int by_halves = 0; by_halves < 2; by_halves++) {
        SearchOptions options = {.seed = 1,
                                 .own = &(MacUcbOptions){.halves_unknown_fluents = by_halves}};
        Search *search = strategy_create_named("mac-ucb", game, player, &options, &report);
        prepare_within(search, 1000);
        cr_assert_eq(((const MacUcb *)search)->solved_game != NULL, !by_halves);
        search_free(search);
    }
    report_free(&report);
    game_free(game);
}

/* A search that is told to stop, or whose start clock is over, solves nothing; a later search can
 * still solve the game. */
Test(macucb_exact, preparing_can_be_stopped) {
    Game *game = game_named("mastermind", NULL);
    bool is_stopped = true;
    const SearchBudget budgets[] = {{.deadline = deadline_never(), .stopped = &is_stopped},
                                    {.deadline = deadline_in(0)},
                                    {.deadline = deadline_never()}};
    Report report = {0};
    for (size_t i = 0; i < 3; i++) {
        Search *search = strategy_create_named("mac-ucb", game, game_is_chance(game, 0),
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

/* When several searches are prepared at the same time, one of them solves the game and all use its
 * solution when they run. A later attempt that fails does not hide that solution. */
Test(macucb_exact, one_of_many_solves_the_game) {
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
            strategy_create_named("mac-ucb", game, player, &(SearchOptions){.seed = i}, &report);
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

/* A solver may use more than half of the memory during the start clock. It is not discarded in the
 * first turn; the tree gets the memory that is left. */
Test(macucb_exact, what_was_found_before_the_first_turn_is_kept) {
    Game *game = game_named("mastermind", NULL);
    uint32_t player = game_is_chance(game, 0);
    BeliefFilter *filter = belief_create(game, player, NULL, 1);
    Report report = {0};
    BeliefAnswer answer;
    Search *search =
        strategy_create_named("mac-ucb", game, player, &(SearchOptions){.seed = 1}, &report);
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
