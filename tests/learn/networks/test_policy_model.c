/* Tests models with a policy: rows, answers, files, and a search that uses the policy. */
#include "learn/networks/policy_model.h"

#include <math.h>

#include "../../game/play.h"
#include "learn/play/evaluator.h"
#include "search/search.h"

TestSuite(policy, .timeout = 600);

/* Makes a model whose output weights are not zero. */
static Model *model_for(Game *game) {
    Model *m = policy_create(game, 2, 32, 5);
    const DenseShape *s = &m->dense->shape;
    Random random;
    random_seed(&random, 6);
    for (size_t i = dense_output_weights(s); i < dense_parameter_count(s); i++)
        m->dense->parameters[i] = (float)(random_double(&random) - 0.5);
    return m;
}

typedef struct {
    GameWork *work;
    State state;
    U32Vector moves, starts;
    double goals[4];
    float shares[200];
    Advice advice;
} Question;

/* Makes a question about the state after `turns` turns of first legal moves. */
static Question question_about(Game *game, int turns) {
    Question q = {.work = game_work_create(game, REASONER_AUTO)};
    U32Vector legal = {0};
    game_initial(q.work, &q.state);
    for (int i = 0; i <= turns; i++) {
        uint32_t joint[4];
        vector_clear(&q.moves);
        vector_clear(&q.starts);
        for (uint32_t r = 0; r < game->role_count; r++) {
            game_legal(q.work, &q.state, r, &legal);
            joint[r] = legal.items[0];
            vector_push(&q.starts, (uint32_t)q.moves.count);
            for (size_t k = 0; k < legal.count; k++)
                vector_push(&q.moves, legal.items[k]);
        }
        vector_push(&q.starts, (uint32_t)q.moves.count);
        if (i < turns)
            game_next(q.work, &q.state, joint, &q.state);
    }
    vector_free(&legal);
    return q;
}

static void ask(const Model *m, Game *game, Question *q) {
    SearchEvaluation evaluation = policy_interface(m);
    void *own = evaluation.open(evaluation.context, game);
    q->advice = (Advice){&q->state, q->moves.items, q->starts.items, q->goals, q->shares};
    evaluation.advise(own, &q->advice, 1);
    evaluation.close(own);
}

static void free_question(Question *q) {
    game_work_free(q->work);
    state_free(&q->state);
    vector_free(&q->moves);
    vector_free(&q->starts);
}

Test(policy, advice_is_about_what_is_legal) {
    Game *game = game_named("tic_tac_toe", NULL);
    Model *m = model_for(game);
    for (int turns = 0; turns < 5; turns++) {
        Question q = question_about(game, turns);
        ask(m, game, &q);
        cr_assert_eq(q.moves.count, (size_t)(9 - turns + 1));
        for (uint32_t r = 0; r < 2; r++) {
            double sum = 0;
            for (uint32_t i = q.starts.items[r]; i < q.starts.items[r + 1]; i++)
                sum += (double)q.shares[i];
            cr_assert_float_eq(sum, 1, 1e-5);
            cr_assert(q.goals[r] >= 0 && q.goals[r] <= 100);
        }
        free_question(&q);
    }
    model_free(m);
    game_free(game);
}

static Model *read_again(const Model *m) {
    Text text = {0};
    Report report = {0};
    model_write(m, &text);
    Model *again = model_read(source_from_text("test", text.items, text.count, &report), &report);
    cr_assert_not_null(again);
    vector_free(&text);
    return again;
}

Test(policy, a_file_advises_the_same) {
    Game *game = game_named("tic_tac_toe", NULL);
    Model *m = model_for(game), *again = read_again(m);
    Question a = question_about(game, 3), b = question_about(game, 3);
    ask(m, game, &a);
    ask(again, game, &b);
    cr_assert_arr_eq(a.goals, b.goals, 2 * sizeof *a.goals);
    cr_assert_arr_eq(a.shares, b.shares, a.moves.count * sizeof *a.shares);
    free_question(&a);
    free_question(&b);
    model_free(m);
    model_free(again);
    game_free(game);
}

/* Numbers of facts and moves are private to the file; texts identify them. */
Test(policy, facts_and_moves_go_by_their_texts) {
    static const char forth[] =
        "(role you) (init (at 1)) (<= (legal you left) (true (at 1)))\n"
        "(<= (legal you right) (true (at 1))) (<= (next (at 2)) (does you left))\n"
        "(<= (next (at 3)) (does you right)) (<= terminal (true (at 2)))\n"
        "(<= terminal (true (at 3))) (<= (goal you 100) (true (at 2)))\n"
        "(<= (goal you 0) (true (at 3)))\n";
    static const char back[] =
        "(role you) (<= (goal you 0) (true (at 3))) (<= (goal you 100) (true (at 2)))\n"
        "(<= terminal (true (at 3))) (<= terminal (true (at 2)))\n"
        "(<= (next (at 3)) (does you right)) (<= (next (at 2)) (does you left))\n"
        "(<= (legal you right) (true (at 1))) (<= (legal you left) (true (at 1))) (init (at 1))\n";
    Game *a = game_of_text(forth, NULL), *b = game_of_text(back, NULL);
    Model *m = model_for(a);
    Question qa = question_about(a, 0), qb = question_about(b, 0);
    ask(m, a, &qa);
    ask(m, b, &qb);
    cr_assert_float_eq(qa.goals[0], qb.goals[0], 1e-9);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < 2; k++) {
            Text x = {0}, y = {0};
            game_move_text(qa.work, 0, qa.moves.items[i], &x);
            game_move_text(qb.work, 0, qb.moves.items[k], &y);
            if (strcmp(x.items, y.items) == 0)
                cr_assert_eq(qa.shares[i], qb.shares[k]);
            vector_free(&x);
            vector_free(&y);
        }
    free_question(&qa);
    free_question(&qb);
    model_free(m);
    game_free(a);
    game_free(b);
}

Test(policy, other_games_are_refused) {
    Game *game = game_named("tic_tac_toe", NULL), *other = game_named("nim", NULL);
    Game *hidden = game_named("kuhn_poker", NULL);
    Model *m = model_for(game);
    Evaluator *evaluator = evaluator_create(m);
    cr_assert(evaluator_fits(evaluator, game));
    cr_assert_not(evaluator_fits(evaluator, other));
    cr_assert_not(evaluator_fits(evaluator, hidden));
    cr_assert(policy_suits(game));
    cr_assert_not(policy_suits(hidden));
    cr_assert_null(policy_create(game, 2, 33, 1));
    evaluator_free(evaluator);
    model_free(m);
    game_free(game);
    game_free(other);
    game_free(hidden);
}

/* The seed of the fuzzer is still a valid model. */
Test(policy, the_seed_of_fuzzing_is_a_model) {
    Report report = {0};
    Model *m = model_read(source_read(MARELLE_TESTS "/fuzz/corpus/policy.model", &report), &report);
    cr_assert_not_null(m);
    cr_assert_not_null(m->dense);
    model_free(m);
    report_free(&report);
}

/* One large weight is valid; layers of large weights would overflow. */
Test(policy, weights_whose_sums_have_no_end_are_refused) {
    Game *game = game_named("tic_tac_toe", NULL);
    Model *m = model_for(game);
    m->dense->parameters[3] = 9e29F;
    cr_assert(dense_is_sound(m->dense));
    model_free(read_again(m));
    for (size_t i = 0; i < dense_parameter_count(&m->dense->shape); i++)
        m->dense->parameters[i] = i % 3 ? 9e29F : -9e29F;
    cr_assert(!dense_is_sound(m->dense));
    Text text = {0};
    Report report = {0};
    model_write(m, &text);
    cr_assert_null(model_read(source_from_text("test", text.items, text.count, &report), &report));
    cr_assert_str_eq(report.items.items[0].code, "bad-model");
    report_free(&report);
    vector_free(&text);
    for (size_t i = 0; i < dense_parameter_count(&m->dense->shape); i++)
        m->dense->parameters[i] = 0;
    cr_assert(dense_is_sound(m->dense));
    m->dense->parameters[dense_parameter_count(&m->dense->shape) - 1] = NAN;
    cr_assert(!dense_is_sound(m->dense));
    m->dense->parameters[dense_parameter_count(&m->dense->shape) - 1] = INFINITY;
    cr_assert(!dense_is_sound(m->dense));
    model_free(m);
    game_free(game);
}

Test(policy, damaged_files_are_refused_or_sound) {
    Game *game = game_named("tic_tac_toe", NULL);
    Model *m = model_for(game);
    Text text = {0};
    Random random;
    random_seed(&random, 2);
    model_write(m, &text);
    for (int i = 0; i < 300; i++) {
        Text damaged = {0};
        Report report = {0};
        text_add_bytes(&damaged, text.items, text.count);
        /* Most changes are near the beginning, where the counts are. */
        for (uint64_t k = random_below(&random, 3); k <= 3; k++)
            damaged.items[random_below(&random, i % 3 ? 1500 : damaged.count)] =
                i % 2 ? (char)random_next(&random) : "0123456789+- \n"[random_below(&random, 14)];
        if (i % 5 == 0)
            damaged.count = random_below(&random, damaged.count);
        Model *read =
            model_read(source_from_text("test", damaged.items, damaged.count, &report), &report);
        cr_assert_eq(read == NULL, report_failed(&report));
        cr_assert(!read || (read->dense && dense_is_possible(&read->dense->shape) &&
                            dense_is_sound(read->dense)));
        model_free(read);
        report_free(&report);
        vector_free(&damaged);
    }
    vector_free(&text);
    model_free(m);
    game_free(game);
}
