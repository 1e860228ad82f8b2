/* Tests UCT and its variants on positions whose answers are known, and that they keep their
 * budgets. */
#include <math.h>

#include "../play_search.h"
#include "search/uct/uct.h"

TestSuite(uct, .timeout = 600);

static const char *const methods[] = {"uct", "grave", "mast"};
enum { METHODS = sizeof methods / sizeof *methods };
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void assert_finds(const char *name, uint32_t role, const char *const *moves, size_t count,
                         const char *best) {
    for (size_t m = 0; m < METHODS; m++) {
        SearchTable t = table_create(game_named(name, NULL), methods[m], role, (SearchOptions){0});
        make_moves(&t, moves, count);
        search_set_state(t.search, &t.state);
        think(&t, 20000);
        assert_best(&t, best);
        table_release(&t);
    }
}

Test(uct, takes_a_win_in_one) {
    static const char *const moves[] = {"(mark 1 1)", "noop", "noop", "(mark 2 1)",
                                        "(mark 1 2)", "noop", "noop", "(mark 2 2)"};
    assert_finds("tic_tac_toe", 0, moves, COUNT(moves), "(mark 1 3)");
    static const char *const drops[] = {"(drop 4)", "noop", "noop", "(drop 1)",
                                        "(drop 4)", "noop", "noop", "(drop 1)",
                                        "(drop 4)", "noop", "noop", "(drop 1)"};
    assert_finds("connect_four", 0, drops, COUNT(drops), "(drop 4)");
}

Test(uct, blocks_a_loss_in_one) {
    static const char *const moves[] = {"(mark 1 1)", "noop",       "noop",
                                        "(mark 2 2)", "(mark 1 2)", "noop"};
    assert_finds("tic_tac_toe", 1, moves, COUNT(moves), "(mark 1 3)");
    static const char *const drops[] = {"(drop 4)", "noop", "noop",     "(drop 1)", "(drop 4)",
                                        "noop",     "noop", "(drop 2)", "(drop 4)", "noop"};
    assert_finds("connect_four", 1, drops, COUNT(drops), "(drop 4)");
}

Test(uct, proves_that_tic_tac_toe_is_a_draw) {
    SearchTable t = table_create(game_named("tic_tac_toe", NULL), "uct", 0, (SearchOptions){0});
    search_set_state(t.search, &t.state);
    think(&t, 4000000);
    cr_assert_eq(t.result.moves.count, 9);
    cr_assert(t.result.moves.items[0].is_proven);
    cr_assert_float_eq(t.result.moves.items[0].value, 50, 1e-9);
    cr_assert_leq(t.result.nodes, 5478);
    cr_assert_lt(t.result.playouts, 4000000, "stops when all is known");
    table_release(&t);
}

/* The root has a mean for each of its moves; the proof that follows does not depend on them. */
Test(uct, amaf_knows_the_moves_of_playouts) {
    static const UctOptions own = {.amaf_bias = 0.001, .amaf_visits = 8};
    SearchTable t = table_create(game_named("tic_tac_toe", NULL), "uct", 0,
                                 (SearchOptions){.own = &own, .leaf_playouts = 12, .batch = 16});
    search_set_state(t.search, &t.state);
    think(&t, 2000);
    const Uct *uct = (const Uct *)t.search;
    const Circuit *c = t.game->circuit;
    const float *totals = uct->root->extra, *counts = totals + c->move_count;
    cr_assert_not_null(totals);
    for (uint32_t m = 0; m < c->move_count; m++) {
        cr_expect_leq(totals[m], counts[m]);
        cr_expect_leq(counts[m], (float)t.result.playouts);
    }
    const Arm *arms = tree_arms(uct->root, 0);
    for (uint32_t a = 0; a < tree_arm_count(uct->root, 0); a++)
        cr_expect_geq(counts[c->first_move[0] + arms[a].move], (float)arms[a].visits / 2);
    think(&t, 4000000);
    cr_assert(t.result.is_decided);
    cr_assert_float_eq(t.result.moves.items[0].value, 50, 1e-9);
    table_release(&t);
}

Test(uct, proves_a_loss_and_still_moves) {
    static const char *const moves[] = {"(mark 1 1)", "noop", "noop", "(mark 1 2)",
                                        "(mark 2 2)", "noop", "noop", "(mark 3 3)",
                                        "(mark 2 1)", "noop"};
    SearchTable t = table_create(game_named("tic_tac_toe", NULL), "uct", 1, (SearchOptions){0});
    make_moves(&t, moves, COUNT(moves));
    search_set_state(t.search, &t.state);
    think(&t, 100000);
    for (size_t i = 0; i < t.result.moves.count; i++) {
        cr_assert(t.result.moves.items[i].is_proven);
        cr_assert_float_eq(t.result.moves.items[i].value, 0, 1e-9);
    }
    table_release(&t);
}

Test(uct, solves_single_player_games) {
    static const char *const names[] = {"maze", "buttons_and_lights"};
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t m = 0; m < METHODS; m++) {
            SearchTable t =
                table_create(game_named(names[i], NULL), methods[m], 0, (SearchOptions){0});
            search_set_state(t.search, &t.state);
            think(&t, 200000);
            cr_assert(t.result.moves.items[0].is_proven, "%s", names[i]);
            cr_assert_float_eq(t.result.moves.items[0].value, 100, 1e-9);
            for (size_t l = 0; l < t.result.line.count; l++)
                game_next(t.work, &t.state, &t.result.line.items[l], &t.state);
            cr_assert_eq(game_goal(t.work, &t.state, 0), 100);
            table_release(&t);
        }
}

/* Both pure strategies of matching pennies are bad, so visits have to be shared. */
static const char pennies_text[] =
    "(role even) (role odd) (init start)\n"
    "(<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))\n"
    "(<= (next same) (does even ?x) (does odd ?x)) (<= (next over) (true start))\n"
    "(<= (goal even 90) (true same)) (<= (goal even 10) (not (true same)))\n"
    "(<= (goal odd 10) (true same)) (<= (goal odd 90) (not (true same)))\n"
    "(<= terminal (true over))\n";

Test(uct, moves_at_the_same_time_are_mixed) {
    SearchTable t = table_create(game_of_text(pennies_text, NULL), "uct", 0,
                                 (SearchOptions){.batch = 1, .leaf_playouts = 1});
    search_set_state(t.search, &t.state);
    think(&t, 20000);
    for (int i = 0; i < 2; i++) {
        cr_assert_float_eq(t.result.moves.items[i].value, 50, 5);
        cr_assert_gt(t.result.moves.items[i].visits, 5000);
        cr_assert_not(t.result.moves.items[i].is_proven);
    }
    table_release(&t);
}

static const char prisoners_text[] =
    "(role a) (role b) (init start) (<= (next over) (true start)) (<= terminal (true over))\n"
    "(<= (legal ?r talk) (role ?r)) (<= (legal ?r hush) (role ?r))\n"
    "(<= (next (did ?r ?x)) (does ?r ?x)) (other a b) (other b a)\n"
    "(<= (goal ?r 20) (true (did ?r talk)) (other ?r ?s) (true (did ?s talk)))\n"
    "(<= (goal ?r 100) (true (did ?r talk)) (other ?r ?s) (true (did ?s hush)))\n"
    "(<= (goal ?r 0) (true (did ?r hush)) (other ?r ?s) (true (did ?s talk)))\n"
    "(<= (goal ?r 60) (true (did ?r hush)) (other ?r ?s) (true (did ?s hush)))\n";

Test(uct, a_dominant_move_is_found) {
    for (size_t m = 0; m < METHODS; m++) {
        SearchTable t =
            table_create(game_of_text(prisoners_text, NULL), methods[m], 1, (SearchOptions){0});
        search_set_state(t.search, &t.state);
        think(&t, 20000);
        assert_best(&t, "talk");
        table_release(&t);
    }
}

/* The player takes a safe 60 or tosses a coin for 100 or 0. */
static const char coin_text[] =
    "(role you) (role random) (init (at 1))\n"
    "(<= (legal you safe) (true (at 1))) (<= (legal you bet) (true (at 1)))\n"
    "(<= (legal you wait) (true (at 2))) (<= (legal random wait) (true (at 1)))\n"
    "(<= (legal random heads) (true (at 2))) (<= (legal random tails) (true (at 2)))\n"
    "(<= (next (at 2)) (does you bet)) (<= (next kept) (does you safe))\n"
    "(<= (next won) (does random heads)) (<= (next lost) (does random tails))\n"
    "(<= terminal (true kept)) (<= terminal (true won)) (<= terminal (true lost))\n"
    "(<= (goal you 60) (true kept)) (<= (goal you 100) (true won)) (<= (goal you 0) (true lost))\n"
    "(goal random 0)\n";

Test(uct, chance_is_averaged) {
    SearchTable t = table_create(game_of_text(coin_text, NULL), "uct", 0, (SearchOptions){0});
    search_set_state(t.search, &t.state);
    think(&t, 20000);
    assert_best(&t, "safe");
    cr_assert_float_eq(t.result.moves.items[0].value, 60, 1e-4);
    cr_assert_float_eq(t.result.moves.items[1].value, 50, 1e-4);
    cr_assert(t.result.moves.items[0].is_proven && t.result.moves.items[1].is_proven);
    table_release(&t);
}

/* Three roles in turn take one or two; the role that takes the last of seven wins. */
static const char three_text[] =
    "(role a) (role b) (role c) (follows a b) (follows b c) (follows c a)\n"
    "(init (left 7)) (init (turn a))\n"
    "(less 7 1 6) (less 6 1 5) (less 5 1 4) (less 4 1 3) (less 3 1 2) (less 2 1 1) (less 1 1 0)\n"
    "(less 7 2 5) (less 6 2 4) (less 5 2 3) (less 4 2 2) (less 3 2 1) (less 2 2 0)\n"
    "(<= (legal ?r (take ?k)) (true (turn ?r)) (true (left ?n)) (less ?n ?k ?m))\n"
    "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))\n"
    "(<= (next (left ?m)) (does ?r (take ?k)) (true (left ?n)) (less ?n ?k ?m))\n"
    "(<= (next (turn ?s)) (true (turn ?r)) (follows ?r ?s))\n"
    "(<= (next (last ?r)) (does ?r (take ?k)))\n"
    "(<= terminal (true (left 0)))\n"
    "(<= (goal ?r 100) (true (last ?r))) (<= (goal ?r 0) (role ?r) (not (true (last ?r))))\n";

Test(uct, plays_with_three_roles) {
    static const char *const moves[] = {"(take 2)", "wait", "wait", "wait",    "(take 2)",
                                        "wait",     "wait", "wait", "(take 1)"};
    for (size_t m = 0; m < METHODS; m++) {
        SearchTable t =
            table_create(game_of_text(three_text, NULL), methods[m], 0, (SearchOptions){0});
        make_moves(&t, moves, COUNT(moves));
        search_set_state(t.search, &t.state);
        think(&t, 5000);
        assert_best(&t, "(take 2)");
        cr_assert(t.result.moves.items[0].is_proven);
        cr_assert_float_eq(t.result.moves.items[0].value, 100, 1e-9);
        table_release(&t);
    }
}

Test(uct, a_budget_of_nodes_is_kept) {
    static const size_t budgets[] = {1, 1000, 20000, 300000};
    for (size_t m = 0; m < METHODS; m++)
        for (size_t i = 0; i < COUNT(budgets); i++) {
            SearchTable t = table_create(game_named("connect_four", NULL), methods[m], 0,
                                         (SearchOptions){.node_bytes = budgets[i]});
            const Tree *tree = &((Uct *)t.search)->tree;
            search_set_state(t.search, &t.state);
            for (int turn = 0; turn < 20; turn++) {
                think(&t, 2000);
                cr_assert(tree->bytes <= budgets[i] || tree->count == 1);
            }
            cr_assert_eq(t.result.moves.count, 7);
            cr_assert_eq(t.result.playouts, 40000);
            table_release(&t);
        }
}

Test(uct, a_small_tree_still_blocks) {
    static const char *const drops[] = {"(drop 4)", "noop", "noop",     "(drop 1)", "(drop 4)",
                                        "noop",     "noop", "(drop 2)", "(drop 4)", "noop"};
    SearchTable t = table_create(game_named("connect_four", NULL), "uct", 1,
                                 (SearchOptions){.node_bytes = 30000});
    make_moves(&t, drops, COUNT(drops));
    search_set_state(t.search, &t.state);
    think(&t, 50000);
    assert_best(&t, "(drop 4)");
    table_release(&t);
}

Test(uct, what_was_learnt_is_kept_between_moves) {
    SearchTable t = table_create(game_named("connect_four", NULL), "uct", 0, (SearchOptions){0});
    search_set_state(t.search, &t.state);
    think(&t, 50000);
    uint32_t joint[2] = {t.result.line.items[0], t.result.line.items[1]};
    uint64_t visits = t.result.moves.items[0].visits, kept = 0;
    game_next(t.work, &t.state, joint, &t.state);
    search_advance(t.search, joint, &t.state);
    cr_assert_eq(((Uct *)t.search)->root->visits, visits);
    joint[0] = t.result.line.items[2];
    joint[1] = t.result.line.items[3];
    game_next(t.work, &t.state, joint, &t.state);
    search_advance(t.search, joint, &t.state);
    search_result(t.search, &t.result);
    cr_assert_eq(t.result.playouts, 0);
    for (size_t i = 0; i < t.result.moves.count; i++)
        kept += t.result.moves.items[i].visits;
    cr_assert_gt(kept, 1000);
    table_release(&t);
}

/* Time is counted in passes of a batch, not by the clock: at most the current pass is finished. */
/* What a move leaves behind is dropped by the next run, and its memory is used again. */
Test(uct, what_cannot_be_reached_any_more_is_dropped) {
    SearchTable t = table_create(game_named("connect_four", NULL), "uct", 0, (SearchOptions){0});
    const Uct *uct = (const Uct *)t.search;
    search_set_state(t.search, &t.state);
    think(&t, 200000);
    size_t nodes = uct->tree.count, bytes = uct->tree.bytes;
    uint32_t joint[2] = {t.result.line.items[0], t.result.line.items[1]};
    uint64_t visits = t.result.moves.items[0].visits;
    game_next(t.work, &t.state, joint, &t.state);
    search_advance(t.search, joint, &t.state);
    think(&t, 512);
    cr_assert_lt(uct->tree.count, nodes);
    cr_assert_lt(uct->tree.bytes, bytes);
    cr_assert_geq(uct->root->visits, visits);
    size_t taken = uct->tree.memory.bytes;
    think(&t, 20000);
    cr_assert_eq(uct->tree.memory.bytes, taken, "it needs no new memory");
    table_release(&t);
}

Test(uct, a_deadline_and_a_stop_are_kept) {
    enum { BATCH = 64, LEAF = 8, SOME = 100000 };
    SearchTable t = table_create(game_named("breakthrough", NULL), "uct", 0,
                                 (SearchOptions){.batch = BATCH, .leaf_playouts = LEAF});
    bool stopped = true;
    SearchBudget over = {.deadline = deadline_in(-1)};
    SearchBudget halted = {.deadline = deadline_never(), .stopped = &stopped};
    SearchBudget ended = {.deadline = deadline_never(), .outer_stopped = &stopped};
    const SearchBudget *budgets[] = {&over, &halted, &ended};
    search_set_state(t.search, &t.state);
    think(&t, SOME);
    cr_assert_geq(t.result.playouts, SOME);
    for (size_t i = 0; i < COUNT(budgets); i++) {
        uint64_t before = t.result.playouts;
        search_run(t.search, budgets[i]);
        search_result(t.search, &t.result);
        cr_expect_leq(t.result.playouts - before, BATCH * LEAF, "budget %zu", i);
    }
    table_release(&t);
}

Test(uct, without_time_there_is_still_a_legal_move) {
    SearchTable t = table_create(game_named("breakthrough", NULL), "uct", 0, (SearchOptions){0});
    search_set_state(t.search, &t.state);
    search_run(t.search, &(SearchBudget){.deadline = deadline_in(0)});
    search_result(t.search, &t.result);
    cr_assert_neq(t.result.best, MOVE_NONE);
    cr_assert_eq(t.result.moves.count, 22);
    table_release(&t);
}

Test(uct, interpreted_games_are_played) {
    static const char *const moves[] = {"(mark 1 1)", "noop",       "noop",
                                        "(mark 2 2)", "(mark 1 2)", "noop"};
    for (size_t m = 0; m < METHODS; m++) {
        Game *game = game_named("tic_tac_toe", &(GameOptions){.interpreter_only = true});
        SearchTable t = table_create(game, methods[m], 1, (SearchOptions){0});
        make_moves(&t, moves, COUNT(moves));
        search_set_state(t.search, &t.state);
        think(&t, 1500);
        assert_best(&t, "(mark 1 3)");
        table_release(&t);
    }
}

Test(uct, one_seed_gives_one_result) {
    for (size_t m = 0; m < METHODS; m++) {
        SearchTable first = table_create(game_named("connect_four", NULL), methods[m], 0,
                                         (SearchOptions){.seed = 5});
        SearchTable second = table_create(game_named("connect_four", NULL), methods[m], 0,
                                          (SearchOptions){.seed = 5});
        search_set_state(first.search, &first.state);
        search_set_state(second.search, &second.state);
        think(&first, 20000);
        think(&second, 20000);
        cr_assert_eq(first.result.moves.count, second.result.moves.count);
        for (size_t i = 0; i < first.result.moves.count; i++) {
            const SearchMove *a = &first.result.moves.items[i], *b = &second.result.moves.items[i];
            cr_assert(a->move == b->move && a->visits == b->visits && a->value == b->value);
        }
        table_release(&first);
        table_release(&second);
    }
}

/* Positions repeat for ever unless the player stops. */
static const char ring_text[] =
    "(role you) (init (at 0)) (ring 0 1) (ring 1 2) (ring 2 0)\n"
    "(<= (legal you go) (true (at ?x))) (<= (legal you stop) (true (at 2)))\n"
    "(<= (next (at ?y)) (does you go) (true (at ?x)) (ring ?x ?y))\n"
    "(<= (next done) (does you stop)) (<= terminal (true done))\n"
    "(<= (goal you 80) (true done)) (<= (goal you 20) (not (true done)))\n";

Test(uct, positions_may_repeat) {
    for (size_t m = 0; m < METHODS; m++) {
        SearchTable t =
            table_create(game_of_text(ring_text, NULL), methods[m], 0, (SearchOptions){0});
        search_set_state(t.search, &t.state);
        think(&t, 5000);
        cr_assert(t.result.moves.items[0].is_proven);
        cr_assert_float_eq(t.result.moves.items[0].value, 80, 1e-9);
        table_release(&t);
    }
}

Test(uct, ends_and_stuck_positions_have_no_surprises) {
    static const char *const texts[] = {over_text, stuck_text, endless_text};
    for (size_t m = 0; m < METHODS; m++)
        for (size_t i = 0; i < COUNT(texts); i++) {
            SearchTable t = table_create(game_of_text(texts[i], NULL), methods[m], 0,
                                         (SearchOptions){.step_limit = 50});
            search_set_state(t.search, &t.state);
            think(&t, 500);
            cr_assert_eq(t.result.best == MOVE_NONE, i == 0);
            table_release(&t);
        }
}
