/* Tests several threads: the same answers as with one thread, within the same budgets, in every
 * mode. */
#include <pthread.h>

#include "../play_search.h"
#include "search/uct/uct.h"

TestSuite(parallel, .timeout = 600);

static const Parallel modes[] = {PARALLEL_LEAF, PARALLEL_TREE, PARALLEL_ROOT, PARALLEL_AUTO};
enum { MODES = sizeof modes / sizeof *modes };
#define COUNT(list) (sizeof(list) / sizeof *(list))

static SearchTable table_with(const char *game, uint32_t role, SearchOptions options) {
    return table_create(game_named(game, NULL), "uct", role, options);
}

Test(parallel, threats_are_answered) {
    static const char *const drops[] = {"(drop 4)", "noop", "noop",     "(drop 1)", "(drop 4)",
                                        "noop",     "noop", "(drop 2)", "(drop 4)", "noop"};
    for (size_t m = 0; m < MODES; m++)
        for (uint32_t threads = 2; threads <= 3; threads++) {
            SearchTable t = table_with("connect_four", 1,
                                       (SearchOptions){.threads = threads, .parallel = modes[m]});
            make_moves(&t, drops, COUNT(drops));
            search_set_state(t.search, &t.state);
            think(&t, 40000);
            assert_best(&t, "(drop 4)");
            table_release(&t);
        }
}

Test(parallel, proofs_end_the_search) {
    for (size_t m = 0; m < MODES; m++) {
        SearchTable t =
            table_with("tic_tac_toe", 0, (SearchOptions){.threads = 3, .parallel = modes[m]});
        search_set_state(t.search, &t.state);
        think(&t, 40000000);
        cr_assert(t.result.moves.items[0].is_proven);
        cr_assert_float_eq(t.result.moves.items[0].value, 50, 1e-9);
        cr_assert_lt(t.result.playouts, 40000000);
        table_release(&t);
    }
}

Test(parallel, play_outs_are_counted_and_limited) {
    for (size_t m = 0; m < MODES; m++) {
        SearchTable t =
            table_with("connect_four", 0, (SearchOptions){.threads = 2, .parallel = modes[m]});
        uint64_t visits = 0;
        search_set_state(t.search, &t.state);
        think(&t, 8000);
        think(&t, 8000);
        cr_assert_eq(t.result.playouts, 16000);
        for (size_t i = 0; i < t.result.moves.count; i++)
            visits += t.result.moves.items[i].visits;
        /* The first visit of a root is its own playout. */
        cr_assert_geq(visits, 16000 - 2 * 512);
        cr_assert_leq(visits, 16000);
        cr_assert_gt(t.result.cpu_seconds, 0);
        table_release(&t);
    }
}

Test(parallel, threads_that_share_play_outs_keep_to_the_seed) {
    SearchResult results[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        SearchTable t = table_with(
            "breakthrough", 0, (SearchOptions){.seed = 5, .threads = 3, .parallel = PARALLEL_LEAF});
        search_set_state(t.search, &t.state);
        think(&t, 20000);
        results[i] = t.result;
        t.result = (SearchResult){0};
        table_release(&t);
    }
    for (size_t i = 0; i < results[0].moves.count; i++) {
        const SearchMove *a = &results[0].moves.items[i], *b = &results[1].moves.items[i];
        cr_assert(a->move == b->move && a->visits == b->visits && a->value == b->value);
    }
    search_result_free(&results[0]);
    search_result_free(&results[1]);
}

Test(parallel, a_budget_of_nodes_is_kept) {
    static const size_t budgets[] = {1, 1000, 20000, 300000};
    static const Parallel one_tree[] = {PARALLEL_LEAF, PARALLEL_TREE};
    for (size_t m = 0; m < COUNT(one_tree); m++)
        for (size_t i = 0; i < COUNT(budgets); i++) {
            SearchTable t = table_with(
                "connect_four", 0,
                (SearchOptions){.node_bytes = budgets[i], .threads = 3, .parallel = one_tree[m]});
            const Tree *tree = &((Uct *)t.search)->tree;
            search_set_state(t.search, &t.state);
            for (int turn = 0; turn < 10; turn++) {
                think(&t, 4000);
                cr_assert(tree->bytes <= budgets[i] || tree->count == 1);
            }
            cr_assert_eq(t.result.moves.count, 7);
            cr_assert_eq(t.result.playouts, 40000);
            table_release(&t);
        }
}

Test(parallel, what_was_learnt_is_kept_between_moves) {
    for (size_t m = 0; m < MODES; m++) {
        SearchTable t =
            table_with("connect_four", 0, (SearchOptions){.threads = 2, .parallel = modes[m]});
        search_set_state(t.search, &t.state);
        think(&t, 40000);
        cr_assert_geq(t.result.line.count, 4);
        uint32_t joint[4];
        for (int i = 0; i < 4; i++)
            joint[i] = t.result.line.items[i];
        for (int turn = 0; turn < 2; turn++) {
            game_next(t.work, &t.state, joint + 2 * turn, &t.state);
            search_advance(t.search, joint + 2 * turn, &t.state);
        }
        search_result(t.search, &t.result);
        uint64_t kept = 0;
        for (size_t i = 0; i < t.result.moves.count; i++)
            kept += t.result.moves.items[i].visits;
        cr_assert_gt(kept, 500);
        think(&t, 4000);
        cr_assert_eq(t.result.playouts, 4000);
        table_release(&t);
    }
}

static void *stop_soon(void *context) {
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    __atomic_store_n((bool *)context, true, __ATOMIC_RELAXED);
    return NULL;
}

Test(parallel, deadlines_and_stops_are_kept) {
    for (size_t m = 0; m < MODES; m++) {
        SearchTable t =
            table_with("breakthrough", 0, (SearchOptions){.threads = 2, .parallel = modes[m]});
        search_set_state(t.search, &t.state);
        double started = clock_cpu_seconds();
        search_run(t.search, &(SearchBudget){.deadline = deadline_in(0.1)});
        cr_assert_lt(clock_cpu_seconds() - started, 1);
        bool stopped = false;
        pthread_t thread;
        pthread_create(&thread, NULL, stop_soon, &stopped);
        search_run(t.search, &(SearchBudget){.deadline = deadline_in(50), .stopped = &stopped});
        pthread_join(thread, NULL);
        cr_assert_lt(clock_cpu_seconds() - started, 5);
        search_result(t.search, &t.result);
        cr_assert_gt(t.result.playouts, 0);
        table_release(&t);
    }
}

Test(parallel, methods_that_learn_from_play_outs_have_a_tree_each) {
    static const char *const methods[] = {"grave", "mast", "random", "legal"};
    for (size_t i = 0; i < COUNT(methods); i++) {
        SearchTable t = table_create(game_named("connect_four", NULL), methods[i], 0,
                                     (SearchOptions){.threads = 2});
        search_set_state(t.search, &t.state);
        think(&t, 501);
        cr_assert_eq(t.result.moves.count, 7);
        cr_assert_eq(t.result.playouts, i < 2 ? 501 : 0);
        cr_assert_eq(t.result.best, t.result.moves.items[0].move);
        table_release(&t);
    }
    Game *game = game_named("connect_four", NULL);
    Report report = {0};
    SearchOptions options = {.threads = 2, .parallel = PARALLEL_TREE};
    cr_assert_null(strategy_create_named("mast", game, 0, &options, &report));
    cr_assert(report_failed(&report));
    report_free(&report);
    game_free(game);
}

Test(parallel, interpreted_games_are_played) {
    static const char *const moves[] = {"(mark 1 1)", "noop",       "noop",
                                        "(mark 2 2)", "(mark 1 2)", "noop"};
    for (size_t m = 0; m < MODES; m++) {
        Game *game = game_named("tic_tac_toe", &(GameOptions){.interpreter_only = true});
        SearchTable t =
            table_create(game, "uct", 1, (SearchOptions){.threads = 2, .parallel = modes[m]});
        make_moves(&t, moves, COUNT(moves));
        search_set_state(t.search, &t.state);
        think(&t, 2000);
        assert_best(&t, "(mark 1 3)");
        table_release(&t);
    }
}
