/* Tests `mtmcts` as a solver: games with one subgame, games decomposed in several ways, playouts
 * that do not give up, nodes by passage, and solving while moves are made. */
#include "search/multitree/mtmcts.h"
#include "search/trees.h"

/* ---- one tree ---- */

static MtmctsSolution solve_with(Game *game, MtmctsOptions options, uint64_t seed,
                                 uint64_t playouts) {
    MtmctsSolution solution;
    SearchBudget budget = {.deadline = deadline_never(), .playouts = playouts};
    options.trees.seed = seed;
    mtmcts_solve(game, &options, &budget, &solution);
    return solution;
}

/* Asserts that two searches made the same steps. */
static void assert_same_search(const MtmctsSolution *one, const MtmctsSolution *other) {
    cr_assert_eq(one->result.playouts, other->result.playouts);
    cr_assert_eq(one->counts.descents, other->counts.descents);
    cr_assert_eq(one->counts.work, other->counts.work);
    cr_assert_eq(one->counts.nodes, other->counts.nodes);
    cr_assert_eq(one->counts.transitions, other->counts.transitions);
    cr_assert_eq(one->result.score, other->result.score);
    cr_assert_eq(one->result.line.count, other->result.line.count);
    for (size_t i = 0; i < one->result.line.count; i++)
        cr_assert_eq(one->result.line.items[i], other->result.line.items[i]);
}

/* Returns the number of runs that reached the greatest goal. */
static uint32_t compare_with_uct1(Game *game, uint64_t seeds, uint64_t playouts) {
    MtmctsOptions uct1 = mtmcts_uct1_options(), decomposed = uct1;
    uint32_t solved = 0;
    decomposed.is_undivided = false;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        MtmctsSolution one = solve_with(game, uct1, seed, playouts);
        MtmctsSolution found = solve_with(game, decomposed, seed, playouts);
        cr_assert_eq(found.counts.subgames, 1);
        assert_same_search(&one, &found);
        solved += one.result.is_best;
        nested_result_free(&one.result);
        nested_result_free(&found.result);
    }
    return solved;
}

/* A game with a single subgame is searched as a whole, which by depth equals `uct1`: the same
 * playouts, the same tree, the same line. In the last game `quit` always ends the match with goal
 * 0, which decomposition finds out; by passage, playouts use that. */
Test(mtmcts_solve, one_part_is_the_whole_game) {
    static const char *const names[] = {"knights_tour", "queens_guided", "blocks_world",
                                        "buttons_and_lights"};
    enum { SEEDS = 30, PLAYOUTS = 100 };
    uint32_t solved = 0;
    for (size_t g = 0; g < sizeof names / sizeof *names; g++) {
        Fixture f;
        open_file(&f, names[g]);
        solved += compare_with_uct1(f.game, SEEDS, PLAYOUTS);
        fixture_free(&f);
    }
    cr_expect(solved >= 2 * SEEDS, "%u of the runs came to a goal", solved);
    Fixture f = open_text("(role r) (legal r a) (legal r b) (legal r c) (legal r quit)"
                          "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (init (at 0))"
                          "(fits 0 a) (fits 1 c) (fits 2 a) (fits 3 b) (fits 4 b) (back 1 b)"
                          "(back 2 c) (back 3 a) (back 4 c)"
                          "(<= (next (at ?m)) (true (at ?n)) (does r ?x) (fits ?n ?x) (succ ?n ?m))"
                          "(<= (next (at ?n)) (true (at ?n)) (does r ?x) (not (fits ?n ?x))"
                          "    (not (back ?n ?x)) (distinct ?x quit))"
                          "(<= (next (at 0)) (true (at ?n)) (does r ?x) (back ?n ?x))"
                          "(<= (next (at out)) (does r quit)) (<= terminal (true (at out)))"
                          "(<= terminal (true (at 5))) (<= (goal r 0) (true (at out)))"
                          "(<= (goal r 100) (true (at 5)) (not (true (at out))))"
                          "(<= (goal r 50) (not (true (at 5))) (not (true (at out))))");
    GameParts parts = mtmcts_find_parts(f.game, NULL, OVERLAP_NONE, 0, deadline_never());
    cr_assert(parts.last_resort_moves && bitset_get(parts.last_resort_moves, move_of(&f, "quit")));
    mtmcts_parts_free(&parts);
    cr_expect_eq(compare_with_uct1(f.game, SEEDS, 1000), SEEDS);
    uint64_t playouts[2] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int i = 0; i < 2; i++) {
            MtmctsOptions options = mtmcts_uct1_options();
            options.is_undivided = i == 0;
            options.trees.keys = KEYS_PASSAGE;
            MtmctsSolution solution = solve_with(f.game, options, seed, 1000);
            playouts[i] += solution.result.playouts;
            nested_result_free(&solution.result);
        }
    cr_expect_lt(playouts[1], playouts[0]);
    fixture_free(&f);
}

/* Descents are counted exactly, also if they end between two checks of the budget. */
Test(mtmcts_solve, no_more_descents_than_allowed) {
    static const uint64_t limits[] = {1, 999, 1000, 1500, 2001};
    Fixture f;
    open_file(&f, "nonogram_cube");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        MtmctsOptions options = {.trees = mtmcts_trees_default_options()};
        options.trees.descent_limit = limits[i];
        MtmctsSolution solution = solve_with(f.game, options, 0, 0);
        cr_expect_eq(solution.counts.descents, limits[i]);
        nested_result_free(&solution.result);
    }
    fixture_free(&f);
}

/* All moves with the same successor share a transition: nine of ten moves only let time pass. A
 * game that is not decomposed spends no time on decomposition. */
Test(mtmcts_solve, uct1_shares_transitions) {
    Fixture f =
        open_text("(role r)" STEPS "(idle a) (idle b) (idle c) (idle d) (idle e) (idle f) (idle g)"
                  "(idle h) (idle i) (<= (legal r (wait ?x)) (idle ?x)) (legal r go)"
                  "(init (at 0)) (<= (next (at ?m)) (true (at ?n)) (does r go) (succ ?n ?m))"
                  "(<= (next (at ?n)) (true (at ?n)) (does r (wait ?x)))"
                  "(<= terminal (true (step 3))) (<= (goal r 100) (true (at 3)))"
                  "(<= (goal r 0) (not (true (at 3))))");
    for (uint64_t seed = 0; seed < 30; seed++) {
        MtmctsSolution solution = solve_with(f.game, mtmcts_uct1_options(), seed, 100);
        cr_assert(solution.result.is_best);
        cr_expect_eq(replay_score(&f, &solution.result.line), 100);
        /* There are 1, 2 and 3 states at depths 0, 1 and 2, with two transitions each. */
        cr_expect_leq(solution.counts.transitions, 2 * (1 + 2 + 3));
        cr_expect_leq(solution.counts.nodes, 1 + 2 + 3 + 4);
        cr_expect_eq(solution.decomposition_seconds, 0);
        nested_result_free(&solution.result);
    }
    fixture_free(&f);
}

/* ---- another cut ---- */

/* One subgame of nonogram_cube has 21 cells, and its tree finds no line. After some time the game
 * is also cut by sub-goals, which soon solve it, with the same result each time. */
Test(mtmcts_solve, what_finds_nothing_is_cut_again) {
    Fixture f;
    open_file(&f, "nonogram_cube");
    MtmctsOptions options = {.trees = mtmcts_trees_default_options(), .first_slice = 2000};
    MtmctsSolution solutions[2];
    for (int i = 0; i < 2; i++) {
        solutions[i] = solve_with(f.game, options, 3, 40000);
        cr_assert(solutions[i].result.is_best);
        cr_expect_eq(replay_score(&f, &solutions[i].result.line), 100);
        cr_expect_gt(solutions[i].result.playouts, 2000);
        cr_expect_leq(solutions[i].result.playouts, solutions[i].counts.descents);
    }
    assert_same_search(&solutions[0], &solutions[1]);
    for (int i = 0; i < 2; i++)
        nested_result_free(&solutions[i].result);
    fixture_free(&f);
}

/* A board of 6 x 6 cells in which few cells are decided by lines: sub-goals do not cut its subgame
 * of 17 cells. Rows and columns, which the greatest goal demands, soon solve it. */
Test(mtmcts_solve, what_sub_goals_leave_whole_is_cut_by_demands) {
    Fixture f;
    open_file(&f, "../tests/search/sparse_nonogram");
    MtmctsCuts cuts = mtmcts_find_cuts(f.game, 0, deadline_never());
    MtmctsOptions options = {.trees = mtmcts_trees_default_options(), .first_slice = 1000};
    cr_expect_eq(cuts.items[1].count, 12, "six rows and six columns come before sub-goals");
    mtmcts_cuts_free(&cuts);
    for (uint64_t seed = 0; seed < 3; seed++) {
        MtmctsSolution solution = solve_with(f.game, options, seed, 20000);
        cr_expect(solution.result.is_best);
        cr_expect_eq(replay_score(&f, &solution.result.line), 100);
        cr_expect(solution.work[0] > 0 && solution.work[1] > 0 && solution.work[2] == 0);
        nested_result_free(&solution.result);
    }
    fixture_free(&f);
}

/* The turns of the cuts have equal work, though a descent through the trees of sub-goals is more
 * than twice as long. By depth there is only one cut. */
Test(mtmcts_solve, cuts_have_turns_of_equal_work) {
    Fixture f;
    open_file(&f, "nonogram_cube");
    MtmctsOptions options = {.trees = mtmcts_trees_default_options(), .first_slice = 50};
    MtmctsSolution solution;
    double work[MTMCTS_CUTS] = {0};
    options.trees.descent_limit = 1500;
    for (uint64_t seed = 0; seed < 10; seed++) {
        solution = solve_with(f.game, options, seed, 0);
        cr_expect_eq(solution.counts.work, solution.work[0] + solution.work[1] + solution.work[2]);
        for (int c = 0; c < MTMCTS_CUTS; c++)
            work[c] += (double)solution.work[c];
        nested_result_free(&solution.result);
    }
    cr_expect(work[0] < 1.5 * work[1] && work[1] < 1.5 * work[0], "%g %g", work[0], work[1]);
    options.trees.keys = KEYS_DEPTH;
    solution = solve_with(f.game, options, 0, 0);
    cr_expect(solution.work[0] > 0 && solution.work[1] == 0);
    nested_result_free(&solution.result);
    fixture_free(&f);
}

/* When another cut gets half of the memory, larger trees are reduced to the rest. */
Test(mtmcts_solve, trees_shrink_to_a_new_limit) {
    Fixture f;
    open_file(&f, "nonogram_cube");
    GameParts parts = mtmcts_find_parts(f.game, NULL, OVERLAP_NONE, 0, deadline_never());
    TreesOptions options = by_passage();
    MtmctsTrees *trees = mtmcts_trees_create(f.game, &parts, &options);
    mtmcts_trees_limit_descents(trees, 500);
    mtmcts_trees_run(trees, &(SearchBudget){.deadline = deadline_never()});
    cr_assert_eq(mtmcts_trees_counts(trees).descents, 500);
    size_t positions = trees->positions.count, nodes = trees->nodes.count;
    mtmcts_trees_limit_descents(trees, 1);
    mtmcts_trees_run(trees, &(SearchBudget){.deadline = deadline_never()});
    cr_expect_geq(trees->positions.count, positions);
    mtmcts_trees_limit_bytes(trees, trees->position_arena.bytes);
    mtmcts_trees_run(trees, &(SearchBudget){.deadline = deadline_never()});
    cr_expect_lt(trees->positions.count, positions);
    mtmcts_trees_limit_bytes(trees, 1);
    mtmcts_trees_run(trees, &(SearchBudget){.deadline = deadline_never()});
    cr_expect_lt(trees->nodes.count, nodes);
    mtmcts_trees_free(trees);
    mtmcts_parts_free(&parts);
    fixture_free(&f);
}

/* In nonogram_chequers no line is a sub-goal, so there is one way to cut it; in nonogram_cube there
 * are two. The order of subgames does not matter. */
Test(mtmcts_solve, the_same_subgames_are_recognised) {
    static const char *const names[] = {"nonogram_chequers", "nonogram_cube"};
    for (int g = 0; g < 2; g++) {
        Fixture f;
        open_file(&f, names[g]);
        GameParts parts = mtmcts_find_parts(f.game, NULL, OVERLAP_NONE, 0, deadline_never());
        GameParts goals = mtmcts_find_parts(f.game, NULL, OVERLAP_SUBGOALS, 0, deadline_never());
        TreesOptions options = by_passage();
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &parts, &options);
        cr_expect(mtmcts_trees_has_parts(trees, &parts));
        cr_expect_eq(mtmcts_trees_has_parts(trees, &goals), g == 0);
        for (uint32_t i = 0; i < f.game->circuit->fluent_count; i++)
            if (parts.subgame_of[i] < parts.count)
                f.subgame_of[i] = parts.count - 1 - parts.subgame_of[i];
        f.parts.count = parts.count;
        cr_expect(mtmcts_trees_has_parts(trees, &f.parts));
        f.subgame_of[0] = (f.subgame_of[0] + 1) % parts.count;
        cr_expect_not(mtmcts_trees_has_parts(trees, &f.parts));
        f.parts.count = 1;
        cr_expect_not(mtmcts_trees_has_parts(trees, &f.parts));
        mtmcts_trees_free(trees);
        mtmcts_parts_free(&parts);
        mtmcts_parts_free(&goals);
        fixture_free(&f);
    }
}

/* `quit` ends the match without a score, so playouts choose it last. Dropping the gold in the maze
 * also ends a match, but scores. */
Test(mtmcts_solve, playouts_do_not_give_up) {
    Fixture f;
    open_file(&f, "futoshiki_4");
    GameParts parts = mtmcts_find_parts(f.game, NULL, OVERLAP_NONE, 0, deadline_never());
    uint32_t quit = game_find_move(f.work, 0, "quit", 4);
    cr_assert_not_null(parts.last_resort_moves);
    for (uint32_t m = 0; m < f.game->circuit->move_count; m++)
        cr_expect_eq(bitset_get(parts.last_resort_moves, m), m == quit);
    uint64_t playouts = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
        TreesOptions options = by_depth();
        options.seed = seed;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &parts, &options);
        mtmcts_trees_run(trees, &(SearchBudget){.deadline = deadline_never(), .playouts = 20000});
        cr_expect(mtmcts_trees_is_solved(trees));
        playouts += mtmcts_trees_counts(trees).playouts;
        mtmcts_trees_free(trees);
    }
    cr_expect_lt(playouts, 5 * 6618);
    mtmcts_parts_free(&parts);
    fixture_free(&f);
    open_file(&f, "incredible");
    parts = mtmcts_find_parts(f.game, NULL, OVERLAP_NONE, 0, deadline_never());
    cr_expect_null(parts.last_resort_moves);
    mtmcts_parts_free(&parts);
    fixture_free(&f);
}

/* To quit always scores 0, which the rules show. In one of the cases stopping has a positive
 * score. */
Test(mtmcts_solve, giving_up_is_told_from_stopping) {
    Fixture f =
        open_text("(role r) (lamp 1) (lamp 2) (legal r quit) (legal r stop)"
                  "(<= (legal r (push ?k)) (lamp ?k) (not (true (on ?k))))"
                  "(<= (next (on ?k)) (does r (push ?k))) (<= (next (on ?k)) (true (on ?k)))"
                  "(<= (next left) (does r quit)) (<= (next done) (does r stop))"
                  "(<= all (true (on 1)) (true (on 2)))"
                  "(<= terminal all) (<= terminal (true left)) (<= terminal (true done))"
                  "(<= (goal r 0) (true left)) (<= (goal r 100) all (not (true left)))"
                  "(<= (goal r 50) (true done) (true (on 1)) (not all))"
                  "(<= (goal r 0) (true done) (not (true (on 1))))");
    GameParts parts = mtmcts_find_parts(f.game, NULL, OVERLAP_NONE, 0, deadline_never());
    cr_assert_not_null(parts.last_resort_moves);
    for (uint32_t m = 0; m < f.game->circuit->move_count; m++)
        cr_expect_eq(bitset_get(parts.last_resort_moves, m), m == move_of(&f, "quit"));
    mtmcts_parts_free(&parts);
    fixture_free(&f);
}

/* If there is only one goal, reaching it is not giving up. */
Test(mtmcts_solve, the_only_goal_is_no_giving_up) {
    Fixture f = open_text("(role r) (init (n 0)) (succ 0 1) (succ 1 2) (legal r win)"
                          "(<= (legal r inc) (true (n ?i)) (succ ?i ?j))"
                          "(<= (next (n ?j)) (does r inc) (true (n ?i)) (succ ?i ?j))"
                          "(<= (next (n ?i)) (true (n ?i)) (does r win))"
                          "(<= (next won) (does r win)) (<= terminal (true won))"
                          "(<= terminal (true (n 2))) (<= (goal r 100) (true won))");
    GameParts parts = mtmcts_find_parts(f.game, NULL, OVERLAP_NONE, 0, deadline_never());
    cr_expect(!parts.last_resort_moves || !bitset_get(parts.last_resort_moves, move_of(&f, "win")));
    mtmcts_parts_free(&parts);
    fixture_free(&f);
}

/* By passage, far fewer playouts are needed if parts are met at many depths. */
Test(mtmcts_solve, passages_save_playouts) {
    Fixture f;
    open_file(&f, "nonogram_closed_chequers");
    GameParts parts = mtmcts_find_parts(f.game, NULL, OVERLAP_NONE, 0, deadline_never());
    uint64_t playouts[2] = {0};
    for (uint64_t seed = 0; seed < 6; seed++) {
        TreesOptions options = seed % 2 ? by_passage() : by_depth();
        options.seed = seed;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &parts, &options);
        mtmcts_trees_run(trees, &(SearchBudget){.deadline = deadline_never(), .playouts = 20000});
        cr_expect(mtmcts_trees_is_solved(trees));
        playouts[seed % 2] += mtmcts_trees_counts(trees).playouts;
        mtmcts_trees_free(trees);
    }
    cr_expect_lt(5 * playouts[1], playouts[0]);
    mtmcts_parts_free(&parts);
    fixture_free(&f);
}

/* Moves made between the runs are part of the line, and cells that they settle make others
 * independent. */
Test(mtmcts_solve, moves_made_on_the_way) {
    Fixture f;
    open_file(&f, "nonogram_chequers");
    for (int again = 0; again < 2; again++) {
        MtmctsOptions options = {
            .trees = by_depth(), .move_playouts = 200, .redecomposes = again == 1};
        MtmctsSolution solution;
        SearchBudget budget = {.deadline = deadline_never(), .playouts = 100000};
        mtmcts_solve(f.game, &options, &budget, &solution);
        cr_assert(solution.result.is_best);
        cr_expect_eq(replay_score(&f, &solution.result.line), solution.result.score);
        cr_expect_leq(solution.result.playouts, 100000);
        nested_result_free(&solution.result);
    }
    fixture_free(&f);
}

/* Three tiles on four places are solved in four moves, but the score is best after exactly ten. By
 * passage, a tree of the tiles without the clock finds that too, with fewer nodes. */
Test(mtmcts_solve, ways_back_behind_a_clock) {
    Fixture f = open_text(
        "(role r) (adj 1 2) (adj 2 1) (adj 2 4) (adj 4 2) (adj 4 3) (adj 3 4) (adj 3 1) (adj 1 3)"
        "(init (cell 1 b)) (init (cell 2 c)) (init (cell 3 a)) (init (cell 4 blank)) (init (step "
        "0))"
        "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)"
        "(succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)"
        "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))"
        "(<= (legal r (slide ?i)) (true (cell ?j blank)) (adj ?j ?i))"
        "(<= (next (cell ?i blank)) (does r (slide ?i)))"
        "(<= (next (cell ?j ?t)) (does r (slide ?i)) (true (cell ?i ?t)) (true (cell ?j blank)))"
        "(<= (next (cell ?k ?t)) (does r (slide ?i)) (true (cell ?k ?t)) (distinct ?k ?i)"
        "(distinct ?t blank))"
        "(<= solved (true (cell 1 a)) (true (cell 2 b)) (true (cell 3 c)))"
        "(<= terminal solved) (<= terminal (true (step 12)))"
        "(<= (goal r 100) solved (true (step 10))) (<= (goal r 0) (not solved))"
        "(<= (goal r 99) solved (true (step ?s)) (distinct ?s 10))");
    uint64_t nodes[2] = {0};
    for (uint64_t seed = 0; seed < 40; seed++) {
        MtmctsOptions options = {.trees = seed % 2 ? by_passage() : by_depth(), .drops_rest = true};
        MtmctsSolution solution;
        SearchBudget budget = {.deadline = deadline_never(), .playouts = 10000};
        options.trees.seed = seed;
        mtmcts_solve(f.game, &options, &budget, &solution);
        cr_expect_eq(solution.result.score, 100);
        cr_expect_eq(solution.result.line.count, 10);
        nodes[seed % 2] += solution.counts.nodes;
        nested_result_free(&solution.result);
    }
    cr_expect_lt(nodes[1], nodes[0], "%lu, %lu", (unsigned long)nodes[1], (unsigned long)nodes[0]);
    fixture_free(&f);
}
