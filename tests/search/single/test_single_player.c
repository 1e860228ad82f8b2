/* Tests searches for games with one role: the best line is found, kept, and played to its end. */

#include "../play_search.h"

TestSuite(single_player, .timeout = 600);

/* Plays to the end with few playouts per move. Returns the goal. */
static int play_to_the_end(SearchTable *t, uint64_t first, uint64_t each) {
    search_set_state(t->search, &t->state);
    think(t, first);
    while (!game_is_terminal(t->work, &t->state)) {
        uint32_t move = t->result.best;
        cr_assert_neq(move, MOVE_NONE);
        game_next(t->work, &t->state, &move, &t->state);
        search_advance(t->search, &move, &t->state);
        think(t, each);
    }
    return game_goal(t->work, &t->state, 0);
}

Test(single_player, puzzles) {
    static const struct {
        const char *name;
        int goal;
    } games[] = {{"maze", 100},          {"buttons_and_lights", 100},
                 {"lights_on", 100},     {"blocks_world", 100},
                 {"knights_tour", 100},  {"hamilton", 100},
                 {"queens_guided", 100}, {"hunter", 87}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        SearchTable t =
            table_create(game_named(games[i].name, NULL), "solo", 0, (SearchOptions){.seed = 2});
        cr_expect_eq(play_to_the_end(&t, 400000, 1), games[i].goal, "%s", games[i].name);
        table_release(&t);
    }
}

Test(single_player, without_a_circuit) {
    Game *game = game_named("maze", &(GameOptions){.interpreter_only = true});
    SearchTable t = table_create(game, "solo", 0, (SearchOptions){0});
    cr_expect_eq(play_to_the_end(&t, 500, 1), 100);
    table_release(&t);
}

/* The line found first is played although nothing is searched afterwards. */
Test(single_player, keeps_its_line) {
    SearchTable t = table_create(game_named("knights_tour", NULL), "solo", 0, (SearchOptions){0});
    search_set_state(t.search, &t.state);
    think(&t, 300000);
    cr_assert(t.result.moves.items[0].is_proven);
    cr_assert_eq(t.result.line.count, 29);
    U32Vector line = t.result.line;
    t.result.line = (U32Vector){0};
    for (size_t i = 0; i < line.count; i++) {
        search_result(t.search, &t.result);
        cr_assert_eq(t.result.best, line.items[i]);
        cr_assert_eq(t.result.line.count, line.count - i);
        game_next(t.work, &t.state, &line.items[i], &t.state);
        search_advance(t.search, &line.items[i], &t.state);
    }
    cr_expect_eq(game_goal(t.work, &t.state, 0), 100);
    vector_free(&line);
    table_release(&t);
}

/* If the manager reports another move, the line is discarded. */
Test(single_player, drops_a_line_that_was_left) {
    SearchTable t = table_create(game_named("maze", NULL), "solo", 0, (SearchOptions){0});
    U32Vector legal = {0};
    search_set_state(t.search, &t.state);
    think(&t, 100);
    do {
        game_legal(t.work, &t.state, 0, &legal);
        uint32_t move = legal.items[legal.count - 1];
        for (size_t i = 0; i < legal.count && move == t.result.best; i++)
            move = legal.items[i];
        game_next(t.work, &t.state, &move, &t.state);
        search_advance(t.search, &move, &t.state);
        search_result(t.search, &t.result);
    } while (legal.count == 1);
    cr_assert(!game_is_terminal(t.work, &t.state));
    think(&t, 200);
    State end = {0};
    state_copy(&end, &t.state);
    for (size_t i = 0; i < t.result.line.count; i++)
        game_next(t.work, &end, &t.result.line.items[i], &end);
    cr_expect(game_is_terminal(t.work, &end));
    cr_expect_float_eq(game_goal(t.work, &end, 0), t.result.moves.items[0].value, 1e-9);
    state_free(&end);
    vector_free(&legal);
    table_release(&t);
}

/* Giving up is worth 5 at once, which is proven; only one in 16384 lines is worth 100. */
static const char temptation_text[] =
    "(role p) (init (step 0)) (init good)\n"
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)\n"
    "(succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14)\n"
    "(legal p left) (legal p right) (<= (legal p quit) (true (step 0)))\n"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= (next over) (does p quit))\n"
    "(<= (next good) (true good) (does p left))\n"
    "(<= terminal (true over)) (<= terminal (true (step 14)))\n"
    "(<= (goal p 5) (true over)) (<= (goal p 100) (true (step 14)) (true good))\n"
    "(<= (goal p 0) (not (true over)) (not (true good)))\n";

Test(single_player, one_proven_move_is_not_all) {
    SearchTable t =
        table_create(game_of_text(temptation_text, NULL), "solo", 0, (SearchOptions){0});
    search_set_state(t.search, &t.state);
    think(&t, 200000);
    cr_expect_float_eq(t.result.moves.items[0].value, 100, 1e-9);
    assert_best(&t, "left");
    table_release(&t);
}

/* A decided search knows no better than a score unless its best move is proven to be worth more.
 * Its line may end too early to show that. */
Test(single_player, a_proven_move_may_be_better_than_the_line) {
    SearchMove moves[] = {{.move = 3, .value = 80, .visits = 9, .is_proven = true},
                          {.move = 1, .value = 40, .visits = 5, .is_proven = true},
                          {.move = 2, .value = 95, .visits = 1}};
    SearchResult result = {.best = 3, .is_decided = true, .moves = {moves, 3, 3}};
    cr_expect(search_knows_no_better(&result, 80));
    cr_expect(search_knows_no_better(&result, 90));
    cr_expect(!search_knows_no_better(&result, 79));
    result.is_decided = false;
    cr_expect(!search_knows_no_better(&result, 80));
    result.is_decided = true;
    result.best = 2; /* this move is not proven */
    cr_expect(!search_knows_no_better(&result, 80));
    cr_expect(!search_knows_no_better(&(SearchResult){.is_decided = true}, 80));
}

/* There are ten pigeons and nine holes: to fill all holes scores 88, and no line scores 100. */
static const char pigeons_text[] =
    "(role r) (hole 1) (hole 2) (hole 3) (hole 4) (hole 5) (hole 6) (hole 7) (hole 8) (hole 9)"
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)"
    "(succ 8 9) (succ 9 10) (init (step 0)) (<= (init (free ?h)) (hole ?h))"
    "(<= (legal r (put ?h)) (true (free ?h)))"
    "(<= (next (free ?h)) (true (free ?h)) (not (does r (put ?h))))"
    "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))"
    "(<= room (true (free ?h))) (<= all (true (step 10)))"
    "(<= terminal all) (<= terminal (not room))"
    "(<= (goal r 100) all) (<= (goal r 88) (not all))";

/* When `mtmcts` has exhausted its trees, it knows that no line is better, and the search ends. */
Test(single_player, trees_that_have_seen_everything_know_no_better) {
    static const char *const methods[] = {"mtmcts", "solo"};
    for (int i = 0; i < 2; i++) {
        SearchTable t =
            table_create(game_of_text(pigeons_text, NULL), methods[i], 0, (SearchOptions){0});
        search_set_state(t.search, &t.state);
        think(&t, 1000);
        cr_expect(!search_knows_no_better(&t.result, 88), "%s", methods[i]);
        think(&t, 50000);
        cr_expect(search_knows_no_better(&t.result, 88), "%s", methods[i]);
        cr_expect(!search_knows_no_better(&t.result, 87), "%s", methods[i]);
        cr_expect_lt(t.result.playouts, 20000, "%s", methods[i]);
        table_release(&t);
    }
}

Test(single_player, one_seed_one_result) {
    uint32_t moves[2];
    double values[2];
    for (int i = 0; i < 2; i++) {
        SearchTable t =
            table_create(game_named("eight_puzzle", NULL), "solo", 0, (SearchOptions){.seed = 5});
        search_set_state(t.search, &t.state);
        think(&t, 20000);
        moves[i] = t.result.best;
        values[i] = t.result.moves.items[0].value;
        cr_expect_geq(t.result.playouts, 20000);
        table_release(&t);
    }
    cr_expect_eq(moves[0], moves[1]);
    cr_expect_eq(values[0], values[1]);
}

Test(single_player, keeps_to_the_clock) {
    SearchTable t =
        table_create(game_named("queens_unguided", NULL), "solo", 0, (SearchOptions){0});
    search_set_state(t.search, &t.state);
    double started = clock_thread_cpu_seconds();
    search_run(t.search, &(SearchBudget){.deadline = deadline_in(0.3)});
    cr_expect_lt(clock_thread_cpu_seconds() - started, 1);
    table_release(&t);
}

/* Preparing before the first move, by playouts or by time, ends as soon as no better line exists.
 * With several trees all of them search until one has found it. */
Test(single_player, prepares) {
    for (uint32_t threads = 1; threads <= 2; threads++)
        for (int by_time = 0; by_time < 2; by_time++) {
            SearchTable t = table_create(game_named("knights_tour", NULL), "solo", 0,
                                         (SearchOptions){.threads = threads});
            search_set_state(t.search, &t.state);
            search_prepare(
                t.search,
                &(SearchBudget){.deadline = deadline_never(), .playouts = by_time ? 0 : 600000},
                by_time ? 1000 : 0);
            search_result(t.search, &t.result);
            cr_expect(t.result.is_decided, "%u threads", threads);
            cr_expect_eq(t.result.line.count, 29);
            table_release(&t);
        }
}

Test(single_player, is_for_one_role) {
    Game *game = game_named("tic_tac_toe", NULL);
    Report report = {0};
    cr_expect_null(strategy_create_named("solo", game, 0, &(SearchOptions){0}, &report));
    cr_expect(report_failed(&report));
    report_free(&report);
    game_free(game);
}
