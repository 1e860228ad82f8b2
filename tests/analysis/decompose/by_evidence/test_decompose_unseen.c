/* Tests that parts of a board that random play never reaches do not fall apart. */
#include "analysis/decompose/decompose_internal.h"
#include "analysis/worked_examples.h"

TestSuite(decompose_unseen, .timeout = 600);

/* 400 squares of which a match fills five: two of one column are worth something, but no pair of
 * neighbours is filled in most columns. */
Test(decompose_unseen, columns_of_a_large_board) {
    Text text = {0};
    for (int i = 1; i <= 20; i++)
        text_printf(&text, "(index %d) (succ %d %d)", i, i, i + 1);
    text_add(&text, "(role x) (init (step 1))"
                    "(<= (legal x (mark ?m ?n)) (index ?m) (index ?n) (not (true (cell ?m ?n))))"
                    "(<= (next (cell ?m ?n)) (does x (mark ?m ?n)))"
                    "(<= (next (cell ?m ?n)) (true (cell ?m ?n)))"
                    "(<= (next (bonus ?m ?n)) (true (cell ?m ?n)) (succ ?m ?k)"
                    "    (true (cell ?k ?n)))"
                    "(<= (next (bonus ?m ?n)) (true (bonus ?m ?n)))"
                    "(<= (next (step ?k)) (true (step ?m)) (succ ?m ?k))"
                    "(<= terminal (true (step 5)))"
                    "(<= (goal x 100) (true (bonus ?m ?n)))"
                    "(<= (goal x 0) (not (goal x 100)))");
    Game *game = game_of_text(text_string(&text), NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Decomposition *d = decompose(game, &(DecomposeOptions){.seed = 1});
    cr_assert_not_null(d);
    cr_expect(decomposition_counts(d).with_actions <= 20, "%u",
              decomposition_counts(d).with_actions);
    for (int n = 1; n <= 20; n++)
        for (int m = 2; m <= 20; m++) {
            char first[32], other[32];
            snprintf(first, sizeof first, "(cell 1 %d)", n);
            snprintf(other, sizeof other, "(cell %d %d)", m, n);
            cr_expect_eq(subgame_with(work, d, first), subgame_with(work, d, other), "%s", other);
        }
    cr_expect(d->unseen_count > 0);
    cr_expect(d->confidence < 1);
    decomposition_free(d);
    game_work_free(work);
    game_free(game);
    vector_free(&text);
}

/* Two armies on eight files that meet in no random match, because it ends too early. Whether a
 * white and a black piece have met on a file is all that counts. */
Test(decompose_unseen, armies_that_never_meet) {
    Text text = {0};
    for (int i = 1; i < 16; i++)
        text_printf(&text, "(succ %d %d)", i, i + 1);
    for (int n = 1; n <= 8; n++)
        text_printf(&text, "(init (cell 1 %d x)) (init (cell 16 %d o))", n, n);
    text_add(&text, "(role x) (role o) (init (control x)) (init (step 1))"
                    "(<= (legal x (go ?m ?n)) (true (control x)) (true (cell ?m ?n x))"
                    "    (succ ?m ?k))"
                    "(<= (legal o (go ?m ?n)) (true (control o)) (true (cell ?m ?n o))"
                    "    (succ ?k ?m))"
                    "(<= (legal x noop) (true (control o)))"
                    "(<= (legal o noop) (true (control x)))"
                    "(<= (next (cell ?k ?n x)) (does x (go ?m ?n)) (succ ?m ?k))"
                    "(<= (next (cell ?k ?n o)) (does o (go ?m ?n)) (succ ?k ?m))"
                    "(<= (next (cell ?m ?n ?p)) (true (cell ?m ?n ?p)) (not (left ?m ?n)))"
                    "(<= (left ?m ?n) (does ?p (go ?m ?n)))"
                    "(<= (next (control x)) (true (control o)))"
                    "(<= (next (control o)) (true (control x)))"
                    "(<= (next (step ?k)) (true (step ?m)) (succ ?m ?k))"
                    "(<= terminal (true (step 12)))"
                    "(<= met (true (cell ?m ?n x)) (true (cell ?m ?n o)))"
                    "(<= (goal x 100) met) (<= (goal x 0) (not met))"
                    "(<= (goal o 100) (not met)) (<= (goal o 0) met)");
    Game *game = game_of_text(text_string(&text), NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Decomposition *d = decompose(game, &(DecomposeOptions){.seed = 1});
    cr_assert_not_null(d);
    for (int n = 1; n <= 8; n++) {
        char white[32], black[32];
        snprintf(white, sizeof white, "(cell 1 %d x)", n);
        snprintf(black, sizeof black, "(cell 16 %d o)", n);
        cr_expect_eq(subgame_with(work, d, white), subgame_with(work, d, black), "file %d", n);
    }
    cr_expect(d->unseen_count > 0);
    cr_expect(d->confidence < 1);
    cr_assert_eq(d->kept_together.count, 1); /* the armies of a file, or those of all */
    cr_expect_gt(d->kept_together.items[0].count, 1);
    for (size_t i = 0; i < d->kept_together.items[0].count; i++)
        cr_expect_eq(d->subgame_of[d->kept_together.items[0].items[i]], 0);
    decomposition_free(d);
    game_work_free(work);
    game_free(game);
    vector_free(&text);
}
