/* Tests the search of untried nodes, by which the trees go on when the values of moves carry no
 * information. */
#include "mtmcts_support.h"

/* Two lines of 15 places, with a step on one of them per turn, and a clock. */
#define PLACES                                                                                     \
    "(role r) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)"        \
    "(succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14)"        \
    "(succ 14 15) (succ 15 16) (succ 16 17) (succ 17 18) (succ 18 19) (succ 19 20) (succ 20 21)"   \
    "(succ 21 22) (succ 22 23) (succ 23 24) (succ 24 25) (succ 25 26) (succ 26 27) (succ 27 28)"   \
    "(succ 28 29) (succ 29 30) (succ 30 31) (succ 31 32) (init (step 0))"                          \
    "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t)) (<= terminal (true (step 32)))"           \
    "(place 1) (place 2) (place 3) (place 4) (place 5) (place 6) (place 7) (place 8) (place 9)"    \
    "(place 10) (place 11) (place 12) (place 13) (place 14) (init (x 0)) (init (y 0))"             \
    "(<= (beside ?i ?j) (succ ?i ?j) (place ?j)) (<= (beside ?j ?i) (succ ?i ?j) (place ?j))"      \
    "(<= (legal r (go x ?j)) (true (x ?i)) (beside ?i ?j))"                                        \
    "(<= (legal r (go y ?j)) (true (y ?i)) (beside ?i ?j))"                                        \
    "(<= (next (x ?j)) (does r (go x ?j))) (<= (next (y ?j)) (does r (go y ?j)))"                  \
    "(<= (next (x ?i)) (true (x ?i)) (does r (go y ?j)))"                                          \
    "(<= (next (y ?i)) (true (y ?i)) (does r (go x ?j)))"                                          \
    "(<= there (true (x 14)) (true (y 14))) (<= terminal there)"                                   \
    "(<= (goal r 100) there (true (step 28))) (<= (goal r 0) (not there))"                         \
    "(<= (goal r 99) there (true (step ?s)) (distinct ?s 28))"

/* Puts the trees in the state after ten thousand playouts of the same score. */
static void go_blind(MtmctsTrees *trees) {
    trees->was_uninformative = true;
    trees->equal_playouts = 10000;
}

/* Places are met in order of their distance, each with one playout, so the far corner is found by a
 * shortest line. */
Test(mtmcts_untried, what_is_far_is_found_in_order) {
    Fixture f = open_text(PLACES);
    put(&f, "(x", 0);
    put(&f, "(y", 0);
    for (uint64_t seed = 0; seed < 6; seed++) {
        TreesOptions options = seed % 2 ? by_depth() : by_passage();
        options.seed = seed;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        for (uint32_t before = 0; !mtmcts_trees_is_solved(trees); before = trees->deepest) {
            go_blind(trees);
            run(trees, 1);
            cr_assert(trees->deepest == before || trees->deepest == before + 1);
            cr_assert_leq(trees->nodes.count, mtmcts_trees_counts(trees).playouts + 1);
        }
        cr_expect_eq(replay_score(&f, mtmcts_trees_best_line(trees)), 100);
        cr_expect_eq(mtmcts_trees_best_line(trees)->count, 28);
        cr_expect_leq(trees->nodes.count, options.keys == KEYS_DEPTH ? 225 * 28 : 225);
        check_shape(trees);
        mtmcts_trees_free(trees);
    }
    fixture_free(&f);
}

/* With a tree for each line, both trees soon have no untried node, and values decide again. */
Test(mtmcts_untried, when_all_is_tried_values_decide) {
    Fixture f = open_text(PLACES);
    put(&f, "(x", 0);
    put(&f, "(y", 1);
    for (uint64_t seed = 0; seed < 4; seed++) {
        TreesOptions options = by_passage();
        options.seed = seed;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        while (!trees->has_no_untried && mtmcts_trees_counts(trees).playouts < 100) {
            go_blind(trees);
            run(trees, 1);
        }
        cr_expect(trees->has_no_untried);
        cr_expect_geq(trees->nodes.count, 15 + 15);
        run(trees, 20000);
        cr_expect(mtmcts_trees_is_solved(trees));
        check_shape(trees);
        mtmcts_trees_free(trees);
    }
    fixture_free(&f);
}

/* Random play practically never solves eight_puzzle, so all its values are alike. */
Test(mtmcts_untried, values_that_say_nothing_are_noticed) {
    Fixture f;
    open_file(&f, "eight_puzzle");
    for (uint32_t i = 0; i < f.game->circuit->fluent_count; i++)
        f.subgame_of[i] = PARTS_NOWHERE;
    put(&f, "(cell", 0);
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        TreesOptions options = by_passage();
        options.ignores_untried = i > 0;
        MtmctsTrees *trees = mtmcts_trees_create(f.game, &f.parts, &options);
        run(trees, 10100);
        nodes[i] = trees->nodes.count;
        run(trees, 400);
        nodes[i] = trees->nodes.count - nodes[i];
        mtmcts_trees_free(trees);
    }
    cr_expect_eq(nodes[0], 400);
    cr_expect_lt(nodes[1], 300);
    fixture_free(&f);
}
