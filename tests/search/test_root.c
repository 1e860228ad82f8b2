/* Tests the rules by which several trees agree on a move. */
#include "search/search.h"

#include <criterion/criterion.h>

enum { TREES = 3, MOVES = 12 };

/* The trees differ in moves 0, 1 and 2; the others fill the ten best. */
static void fill(SearchResult *tree, uint32_t best, const uint64_t *visits, const double *values) {
    *tree = (SearchResult){.best = best};
    for (uint32_t m = 0; m < MOVES; m++)
        vector_push(&tree->moves, ((SearchMove){.move = m,
                                                .value = m < 3 ? values[m] : 10,
                                                .visits = m < 3 ? visits[m] : 20 + m}));
}

static uint32_t agreed(RootMerge merge, bool proven) {
    SearchResult trees[TREES], sum = {0};
    fill(&trees[0], 0, (uint64_t[]){100, 90, 1}, (double[]){50, 52, 99});
    fill(&trees[1], 0, (uint64_t[]){100, 90, 1}, (double[]){50, 52, 90});
    fill(&trees[2], 1, (uint64_t[]){1, 200, 1}, (double[]){10, 61, 95});
    if (proven) {
        trees[1].moves.items[5].is_proven = true;
        trees[1].moves.items[5].value = 100;
    }
    search_add_results(trees, TREES, false, merge, &sum);
    uint32_t best = sum.best;
    for (size_t i = 0; i < TREES; i++)
        search_result_free(&trees[i]);
    search_result_free(&sum);
    return best;
}

Test(root, merges_in_five_ways) {
    cr_expect_eq(agreed(MERGE_SUM, false), 1, "most visits of all trees together");
    cr_expect_eq(agreed(MERGE_SUM10, false), 1);
    cr_expect_eq(agreed(MERGE_BEST, false), 1, "the third tree expects 61, the others 50");
    cr_expect_eq(agreed(MERGE_RAW, false), 2, "the best mean, however few visits");
    cr_expect_eq(agreed(MERGE_VOTE, false), 0, "two trees of three");
}

Test(root, a_proof_goes_before_all) {
    for (RootMerge merge = MERGE_SUM; merge <= MERGE_VOTE; merge++)
        cr_expect_eq(agreed(merge, true), 5);
}

/* Move 0 has the most visits in all, but half of them in a tree where it is not among the ten
 * best. */
Test(root, visits_outside_the_ten_best_do_not_count) {
    SearchResult trees[2], sum = {0};
    fill(&trees[0], 11, (uint64_t[]){60, 1, 1}, (double[]){50, 50, 50});
    fill(&trees[1], 11, (uint64_t[]){40, 50, 50}, (double[]){50, 50, 50});
    for (uint32_t m = 3; m < MOVES; m++)
        trees[1].moves.items[m].visits = 45;
    search_add_results(trees, 2, false, MERGE_SUM, &sum);
    cr_expect_eq(sum.best, 0, "100 visits");
    search_add_results(trees, 2, false, MERGE_SUM10, &sum);
    cr_expect_eq(sum.best, 11, "31 and 45 visits, against 60 and none");
    for (size_t i = 0; i < 2; i++)
        search_result_free(&trees[i]);
    search_result_free(&sum);
}

/* A tree that has not run may list moves that the others have merged. */
Test(root, moves_that_some_trees_leave_out) {
    SearchResult trees[3], sum = {0};
    for (uint32_t i = 0; i < 3; i++)
        fill(&trees[i], 0, (uint64_t[]){10, 5, 5}, (double[]){50, 40, 30});
    trees[0].moves.count = 1;
    trees[1].moves.count = 2;
    search_add_results(trees, 3, false, MERGE_SUM, &sum);
    cr_assert_eq(sum.moves.count, MOVES);
    for (size_t i = 0; i < sum.moves.count; i++) {
        const SearchMove *move = &sum.moves.items[i];
        cr_expect_eq(move->visits, move->move == 0   ? 30
                                   : move->move == 1 ? 10
                                   : move->move == 2 ? 5
                                                     : 20 + move->move);
    }
    for (size_t i = 0; i < 3; i++)
        search_result_free(&trees[i]);
    search_result_free(&sum);
}

/* A proven terminal move is one value among others until a tree has decided that nothing is better.
 * Then that tree's line is followed, whatever values the others have. */
Test(root, a_decision_goes_before_promises) {
    for (int is_decided = 0; is_decided < 2; is_decided++) {
        SearchResult trees[2], sum = {0};
        fill(&trees[0], 1, (uint64_t[]){50, 100, 1}, (double[]){30, 70, 10});
        fill(&trees[1], 0, (uint64_t[]){0, 0, 0}, (double[]){40, 0, 0});
        trees[1].moves.items[0].is_proven = true;
        trees[1].is_decided = is_decided;
        vector_push(&trees[0].line, 1);
        vector_push(&trees[1].line, 0);
        search_add_results(trees, 2, false, MERGE_SUM, &sum);
        cr_expect_eq(sum.best, is_decided ? 0 : 1);
        cr_expect_eq(sum.line.items[0], sum.best);
        cr_expect_eq(sum.is_decided, is_decided);
        for (size_t i = 0; i < 2; i++)
            search_result_free(&trees[i]);
        search_result_free(&sum);
    }
}
