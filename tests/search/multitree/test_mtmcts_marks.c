/* Tests marked and closed moves of the trees: nothing better lies below them, the search ends when
 * everything is closed, and it leaves a series of dead ends. */
#include "mtmcts_support.h"
#include "search/exact/exact.h"

static double best_after(Fixture *f, uint32_t move) {
    State state = {0}, next = {0};
    ExactResult exact;
    ExactBudget budget = {.deadline = deadline_in(60)};
    game_initial(f->work, &state);
    game_next(f->work, &state, &move, &next);
    exact_solve(f->game, &next, &budget, &exact);
    cr_assert_eq(exact.end, EXACT_SOLVED);
    double best = exact.values[0];
    exact_result_free(&exact);
    state_free(&state);
    state_free(&next);
    return best;
}

/* No proof is known that marks are right. In games small enough to be enumerated they are: nothing
 * better than the best score so far lies below a move that all trees have marked. */
Test(mtmcts_marks, marked_moves_hide_nothing_better) {
    static const char *const names[] = {"buttons_and_lights", "maze", "blocks_world",
                                        "blocks_world_parallel", "joint_buttons_and_lights"};
    uint32_t games_with_marks = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Fixture f = {0};
        uint32_t marked = 0;
        open_file(&f, names[i]);
        deal_out(&f, RIGHT);
        for (uint64_t seed = 0; seed < 10; seed++) {
            MtmctsTrees *trees = trees_of(&f, seed);
            for (int step = 0; step < 40 && !mtmcts_trees_is_solved(trees); step++) {
                run(trees, 5);
                const TreesPosition *root = root_of(trees);
                for (uint32_t m = 0; m < root->move_count; m++) {
                    bool is_marked = true;
                    for (uint32_t k = 0; k < trees->parts.count; k++)
                        is_marked &=
                            bitset_get(explored_moves(trees, root->nodes[k]), root->moves[m]);
                    marked += is_marked;
                    if (is_marked)
                        cr_expect_leq(best_after(&f, root->moves[m]),
                                      mtmcts_trees_counts(trees).best_score, "%s", names[i]);
                }
            }
            mtmcts_trees_free(trees);
        }
        games_with_marks += marked > 0;
        fixture_free(&f);
    }
    cr_expect_geq(games_with_marks, 3); /* otherwise nothing was tested */
}

/* A move closed by passage stays closed: nothing better lies below it. A match that takes one
 * transition several times counts as one visit. */
Test(mtmcts_marks, closed_moves_hide_nothing_better) {
    static const char *const names[] = {"buttons_and_lights", "maze", "blocks_world",
                                        "blocks_world_parallel", "joint_buttons_and_lights"};
    uint32_t closed = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Fixture f = {0};
        open_file(&f, names[i]);
        deal_out(&f, RIGHT);
        for (uint64_t seed = 0; seed < 10; seed++) {
            TreesOptions options = by_passage();
            options.seed = seed;
            MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
            for (int step = 0; step < 40 && !mtmcts_trees_is_solved(trees); step++) {
                run(trees, 5);
                const TreesPosition *root = root_of(trees);
                for (uint32_t m = 0; m < root->move_count; m++) {
                    uint32_t move = root->moves[m];
                    if (bitset_get(root->ends, move) || bitset_get(root->open, move))
                        continue;
                    closed++;
                    cr_expect_leq(best_after(&f, move), mtmcts_trees_counts(trees).best_score, "%s",
                                  names[i]);
                }
            }
            for (size_t k = 0; k < trees->transitions.count; k++)
                cr_assert_leq(trees->transitions.items[k].visits,
                              mtmcts_trees_counts(trees).descents);
            mtmcts_trees_free(trees);
        }
        fixture_free(&f);
    }
    cr_expect_gt(closed, 0);
}

/* There are two lamps and a clock. The greatest goal needs both lamps after one move, so only an
 * exhausted search shows that 60 is the best score. After a move other than the best, the search
 * starts over. */
Test(mtmcts_marks, a_search_ends_when_all_is_known) {
    Fixture f = open_text("(role r)" STEPS "(legal r a) (legal r b) (legal r wait)"
                          "(<= (next one) (does r a)) (<= (next one) (true one))"
                          "(<= (next two) (does r b)) (<= (next two) (true two))"
                          "(<= (next prize) (true one) (true two) (true (step 1)))"
                          "(<= (next prize) (true prize))"
                          "(<= terminal (true (step 4))) (<= (goal r 100) (true prize))"
                          "(<= (goal r 60) (true one) (not (true two)))"
                          "(<= (goal r 30) (true two) (not (true one)))"
                          "(<= (goal r 0) (true one) (true two))"
                          "(<= (goal r 0) (not (true one)) (not (true two)))");
    put(&f, "one", 0);
    put(&f, "two", 1);
    uint32_t b = move_of(&f, "b");
    for (uint64_t seed = 0; seed < 20; seed++) {
        TreesOptions options = by_passage();
        options.seed = seed;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        run(trees, 100000);
        cr_assert(mtmcts_trees_is_exhausted(trees) && !mtmcts_trees_is_solved(trees));
        cr_expect_eq(mtmcts_trees_counts(trees).best_score, 60);
        cr_expect_eq(replay_score(&f, mtmcts_trees_best_line(trees)), 60);
        State state = {0}, next = {0};
        game_initial(f.work, &state);
        game_next(f.work, &state, &b, &next);
        mtmcts_trees_advance(trees, &next);
        cr_assert_not(mtmcts_trees_is_exhausted(trees));
        run(trees, 100000);
        cr_assert(mtmcts_trees_is_exhausted(trees));
        cr_expect_eq(mtmcts_trees_counts(trees).best_score, 30);
        state_free(&state);
        state_free(&next);
        mtmcts_trees_free(trees);
    }
    MtmctsOptions options = {.trees = by_passage()};
    MtmctsSolution solution;
    SearchBudget budget = {.deadline = deadline_never(), .playouts = 100000};
    mtmcts_solve(f.game, &options, &budget, &solution);
    cr_expect(solution.result.is_best);
    cr_expect_eq(solution.result.score, 60);
    nested_result_free(&solution.result);
    fixture_free(&f);
}

static bool has_marks(const MtmctsTrees *trees) {
    return bitset_any(trees->mark_sets.items, trees->mark_sets.count);
}

/* After a long series of dead ends, trees by passage start over with twice the limit, and trees by
 * depth remove marks. The search still comes to its end. */
Test(mtmcts_marks, a_series_of_dead_ends_is_left) {
    Fixture f = open_text("(role r)" STEPS "(legal r a) (legal r b) (legal r wait)"
                          "(<= (next (one ?n)) (does r a) (true (one ?o)) (succ ?o ?n))"
                          "(<= (next (one ?o)) (not (does r a)) (true (one ?o)))"
                          "(<= (next (two ?n)) (does r b) (true (two ?o)) (succ ?o ?n))"
                          "(<= (next (two ?o)) (not (does r b)) (true (two ?o)))"
                          "(init (one 0)) (init (two 0)) (<= terminal (true (step 5)))"
                          "(<= win (true (one 3)) (true (two 3))) (<= (goal r 100) win)"
                          "(<= (goal r 40) (true (one 2)) (not win))"
                          "(<= (goal r 0) (not (true (one 2))) (not win))");
    put(&f, "(one", 0);
    put(&f, "(two", 1);
    uint32_t times[2] = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        TreesOptions options = seed % 2 ? by_passage() : by_depth();
        options.seed = seed;
        options.descent_limit = 1;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        trees->dead_end_limit = 2;
        for (int step = 0; step < 20000 && !mtmcts_trees_is_exhausted(trees); step++) {
            uint64_t series = trees->dead_ends, limit = trees->dead_end_limit;
            bool had_marks = has_marks(trees);
            run(trees, 0);
            bool is_left =
                seed % 2 ? trees->dead_end_limit != limit : had_marks && !has_marks(trees);
            if (!is_left)
                continue;
            times[seed % 2]++;
            cr_assert(series + 1 == limit && trees->dead_ends == 0);
            cr_assert_eq(trees->dead_end_limit, seed % 2 ? 2 * limit : limit);
            cr_assert_eq(trees->nodes.count == 0, seed % 2 == 1);
        }
        cr_expect_eq(mtmcts_trees_is_exhausted(trees), seed % 2 == 1);
        cr_expect_eq(mtmcts_trees_counts(trees).best_score, 40);
        cr_expect_eq(replay_score(&f, mtmcts_trees_best_line(trees)), 40);
        mtmcts_trees_free(trees);
    }
    cr_expect(times[0] > 0 && times[1] > 0);
    fixture_free(&f);
}
