/* Tests which conditions hold places together. The descriptions are of our own, in shapes that once
 * fell apart; what is right follows from their goals by hand. */
#include "analysis/decompose/subgoals.h"

#include "analysis/worked_examples.h"

TestSuite(subgoals, .timeout = 600);

/* Two players mark nine squares in turn until none is left. */
#define MARKING                                                                                    \
    "(role x) (role o) (init (control x)) (index 1) (index 2) (index 3)"                           \
    "(<= (init (cell ?m ?n b)) (index ?m) (index ?n))"                                             \
    "(<= (legal ?w (mark ?m ?n)) (true (cell ?m ?n b)) (true (control ?w)))"                       \
    "(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))"                \
    "(<= (next (cell ?m ?n ?w)) (does ?w (mark ?m ?n)))"                                           \
    "(<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w)) (distinct ?w b))"                           \
    "(<= (next (cell ?m ?n b)) (true (cell ?m ?n b)) (not (marked ?m ?n)))"                        \
    "(<= (marked ?m ?n) (does ?w (mark ?m ?n)))"                                                   \
    "(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))"        \
    "(<= open (true (cell ?m ?n b))) (<= terminal (not open))"
#define LINES                                                                                      \
    "(<= (line ?w) (true (cell ?m 1 ?w)) (true (cell ?m 2 ?w)) (true (cell ?m 3 ?w)))"             \
    "(<= (line ?w) (true (cell 1 ?n ?w)) (true (cell 2 ?n ?w)) (true (cell 3 ?n ?w)))"             \
    "(<= (line ?w) (true (cell 1 1 ?w)) (true (cell 2 2 ?w)) (true (cell 3 3 ?w)))"

static void expect(const char *what, const char *text, const char *counts) {
    Game *game = game_of_text(text, NULL);
    for (uint64_t seed = 0; seed < 3; seed++) {
        Decomposition *d = decompose(game, &(DecomposeOptions){.seed = seed});
        cr_assert_not_null(d);
        expect_counts(what, d, counts);
        decomposition_free(d);
    }
    game_free(game);
}

/* A line is worth more than a mark, although every mark is worth something, and although several
 * goal values hold at once. */
Test(subgoals, demanding_ones_are_seen_behind_easy_ones) {
    expect("a mark and a line",
           MARKING LINES
           "(<= (goal ?w 100) (line ?w)) (<= (goal ?w 30) (true (cell ?m ?n ?w)) (role ?w))"
           "(<= (goal ?w 0) (role ?w))",
           "1 0 1 1");
    expect("one value at once",
           MARKING LINES "(<= (any ?w) (true (cell ?m ?n ?w))) (<= (goal ?w 100) (line ?w))"
                         "(<= (goal ?w 30) (role ?w) (any ?w) (not (line ?w)))"
                         "(<= (goal ?w 0) (role ?w) (not (any ?w)) (not (line ?w)))",
           "1 0 1 1");
    expect("a mark, a pair and a line",
           MARKING LINES "(<= (pair ?w) (true (cell ?m 1 ?w)) (true (cell ?m 2 ?w)))"
                         "(<= (goal ?w 100) (line ?w)) (<= (goal ?w 40) (pair ?w))"
                         "(<= (goal ?w 20) (true (cell ?m ?n ?w)) (role ?w)) (goal x 0) (goal o 0)",
           "1 0 1 1");
}

/* What one player needs in two places, while the other needs one of them, is one condition. */
Test(subgoals, competitors_need_all_their_places) {
    expect("lines through the middle",
           MARKING "(<= (line ?w) (true (cell 2 2 ?w)) (true (cell 1 1 ?w)) (true (cell 3 3 ?w)))"
                   "(<= (line ?w) (true (cell 2 2 ?w)) (true (cell 1 3 ?w)) (true (cell 3 1 ?w)))"
                   "(<= (line ?w) (true (cell 2 2 ?w)) (true (cell 1 2 ?w)) (true (cell 3 2 ?w)))"
                   "(<= (line ?w) (true (cell 2 2 ?w)) (true (cell 2 1 ?w)) (true (cell 2 3 ?w)))"
                   "(<= (goal x 100) (line x)) (<= (goal o 100) (line o))"
                   "(<= (goal x 0) (line o)) (<= (goal o 0) (line x))"
                   "(<= (goal ?w 50) (role ?w) (not (line x)) (not (line o)))",
           "1 0 1 1");
    /* x needs two squares, o one of them or the other with a third. Six squares count for nothing.
     */
    expect("two against one",
           MARKING
           "(<= (win x) (true (cell 1 1 x)) (true (cell 2 2 x)))"
           "(<= (win o) (true (cell 2 2 o))) (<= (win o) (true (cell 1 1 o)) (true (cell 3 3 o)))"
           "(<= (goal ?w 100) (win ?w) (other ?w ?v) (not (win ?v)))"
           "(<= (goal ?w 0) (win ?v) (other ?w ?v) (not (win ?w)))"
           "(<= (goal ?w 50) (win x) (win o) (role ?w))"
           "(<= (goal ?w 50) (not (win x)) (not (win o)) (role ?w)) (other x o) (other o x)",
           "7 0 1 1");
}

/* The rows are boards: two of three squares are an achievement, and what counts is how many. */
Test(subgoals, achievements_hold_nothing_together) {
    expect("rows won",
           MARKING "(<= (row ?m ?w) (index ?m) (true (cell ?m 1 ?w)) (true (cell ?m 2 ?w)))"
                   "(<= (row ?m ?w) (index ?m) (true (cell ?m 2 ?w)) (true (cell ?m 3 ?w)))"
                   "(<= (row ?m ?w) (index ?m) (true (cell ?m 1 ?w)) (true (cell ?m 3 ?w)))"
                   "(<= (all ?w) (row 1 ?w) (row 2 ?w) (row 3 ?w)) (<= (any ?w) (row ?m ?w))"
                   "(<= (goal ?w 100) (all ?w)) (<= (goal ?w 0) (role ?w) (not (any ?w)))"
                   "(<= (goal ?w 50) (any ?w) (not (all ?w)))",
           "3 0 1 1");
}
