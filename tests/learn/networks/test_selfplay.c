/* Tests self-play, and that a network learns from it. */
#include "learn/networks/selfplay.h"

#include "../../game/play.h"
#include "learn/data/window.h"

TestSuite(selfplay, .timeout = 600);

static Model *learn(Game *game, unsigned threads, uint64_t matches, uint32_t visits,
                    SelfplayCounts *counts) {
    Model *m = policy_create(game, 2, 32, 3);
    Pool *pool = pool_create(threads);
    DenseTrainer *processor = dense_trainer_create(m->dense, pool);
    DenseEngine engine = dense_processor_engine(processor);
    SelfplayOptions options = {
        .matches = matches, .seed = 4, .visits = visits, .at_once = 20, .rate = 0.01, .pool = pool};
    cr_assert(selfplay_learn(game, m, &engine, &options, counts));
    dense_trainer_free(processor);
    pool_free(pool);
    return m;
}

Test(selfplay, threads_change_nothing) {
    Game *game = game_named("tic_tac_toe", NULL);
    SelfplayCounts one, three;
    Model *a = learn(game, 1, 200, 8, &one), *b = learn(game, 3, 200, 8, &three);
    cr_assert_eq(one.matches, 200);
    cr_assert_eq(one.given_up, 0);
    cr_assert_eq(one.positions, three.positions);
    cr_assert_eq(one.steps, three.steps);
    cr_assert_gt(one.steps, 0);
    cr_assert_arr_eq(a->dense->parameters, b->dense->parameters,
                     dense_parameter_count(&a->dense->shape) * sizeof(float));
    model_free(a);
    model_free(b);
    game_free(game);
}

/* One door of four is right at each of five steps, and only the end shows it. */
static const char doors_text[] =
    "(role you) (init (step 0)) (init alive)\n"
    "(next_step 0 1) (next_step 1 2) (next_step 2 3) (next_step 3 4) (next_step 4 5)\n"
    "(door a) (door b) (door c) (door d)\n"
    "(good 0 c) (good 1 a) (good 2 d) (good 3 b) (good 4 a)\n"
    "(<= (legal you (open ?d)) (door ?d))\n"
    "(<= (next (step ?m)) (true (step ?n)) (next_step ?n ?m))\n"
    "(<= (next alive) (true alive) (true (step ?n)) (good ?n ?d) (does you (open ?d)))\n"
    "(<= terminal (true (step 5)))\n"
    "(<= (goal you 100) (true alive)) (<= (goal you 0) (not (true alive)))\n";

/* One random line in 1,024 wins. A search with few visits does not find it, but with a trained
 * network it does. */
Test(selfplay, a_network_learns_a_way_that_searches_miss) {
    Game *game = game_of_text(doors_text, NULL);
    SelfplayCounts counts;
    Model *m = learn(game, 2, 600, 30, &counts);
    SearchEvaluation evaluation = policy_interface(m);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    void *own = evaluation.open(evaluation.context, game);
    game_initial(work, &state);
    for (int turn = 0; turn < 5; turn++) {
        U32Vector legal = {0};
        double goal;
        float shares[4];
        game_legal(work, &state, 0, &legal);
        uint32_t starts[2] = {0, (uint32_t)legal.count}, best = 0;
        Advice advice = {&state, legal.items, starts, &goal, shares};
        evaluation.advise(own, &advice, 1);
        for (uint32_t i = 1; i < legal.count; i++)
            best = shares[i] > shares[best] ? i : best;
        cr_assert_gt(goal, 50);
        game_next(work, &state, &legal.items[best], &state);
        vector_free(&legal);
    }
    cr_assert_eq(game_goal(work, &state, 0), 100);
    evaluation.close(own);
    state_free(&state);
    game_work_free(work);
    model_free(m);
    game_free(game);
}

/* ---- engines that fail, and runs that are stopped ---- */

/* The engine of the processor with one call that fails. It records which functions are called. */
typedef struct {
    DenseEngine real;
    unsigned failing; /* number of the call that fails, from 1; 0: none */
    unsigned calls;
    bool is_under_way[DENSE_SLOTS];
    bool *stops; /* set by the first step of training, unless NULL */
    unsigned steps;
} Fragile;

static bool fails(Fragile *f) {
    return ++f->calls == f->failing;
}

static bool fragile_start(void *context, unsigned slot, const DenseBatch *batch, float *sums) {
    Fragile *f = context;
    cr_assert(!f->is_under_way[slot]);
    f->is_under_way[slot] = !fails(f) && f->real.start(f->real.context, slot, batch, sums);
    return f->is_under_way[slot];
}

static bool fragile_finish(void *context, unsigned slot) {
    Fragile *f = context;
    cr_assert(f->is_under_way[slot], "nothing is under way in slot %u", slot);
    f->is_under_way[slot] = false;
    return !fails(f) && f->real.finish(f->real.context, slot);
}

static bool fragile_train(void *context, const DenseBatch *batch, const float *targets,
                          const DenseStep *step, double *loss) {
    Fragile *f = context;
    f->steps++;
    if (f->stops)
        *f->stops = true;
    return !fails(f) && f->real.train(f->real.context, batch, targets, step, loss);
}

static bool fragile_fetch(void *context, Dense *dense) {
    Fragile *f = context;
    return !fails(f) && f->real.fetch(f->real.context, dense);
}

/* Runs self-play. True if it ended well. */
static bool learn_with(Fragile *f, Game *game, SelfplayOptions options) {
    Model *m = policy_create(game, 1, 32, 3);
    SelfplayCounts counts;
    options.pool = pool_create(1);
    DenseTrainer *processor = dense_trainer_create(m->dense, options.pool);
    f->real = dense_processor_engine(processor);
    DenseEngine engine = {f, fragile_start, fragile_finish, fragile_train, fragile_fetch};
    bool ok = selfplay_learn(game, m, &engine, &options, &counts);
    dense_trainer_free(processor);
    pool_free(options.pool);
    model_free(m);
    return ok;
}

Test(selfplay, an_engine_that_fails_ends_the_run) {
    Game *game = game_named("tic_tac_toe", NULL);
    SelfplayOptions options = {.matches = 3, .seed = 4, .visits = 2, .at_once = 3};
    Fragile good = {0};
    cr_assert(learn_with(&good, game, options));
    cr_assert_gt(good.calls, 10);
    for (unsigned failing = 1; failing <= good.calls; failing++) {
        Fragile f = {.failing = failing};
        cr_assert(!learn_with(&f, game, options), "call %u", failing);
        for (unsigned slot = 0; slot < DENSE_SLOTS; slot++)
            cr_assert(!f.is_under_way[slot], "call %u leaves slot %u", failing, slot);
    }
    game_free(game);
}

Test(selfplay, whoever_stops_it_does_not_wait_for_training) {
    Game *game = game_named("tic_tac_toe", NULL);
    bool is_stopped = false;
    SelfplayOptions options = {.seed = 4, .visits = 2, .stopped = &is_stopped};
    Fragile f = {.stops = &is_stopped};
    cr_assert(learn_with(&f, game, options));
    cr_assert_eq(f.steps, 1);
    game_free(game);
}

/* The rate makes every number overflow: the initial network is left. */
Test(selfplay, training_that_diverges_leaves_the_last_sound_network) {
    Game *game = game_named("tic_tac_toe", NULL);
    Model *m = policy_create(game, 1, 32, 3), *first = policy_create(game, 1, 32, 3);
    Pool *pool = pool_create(1);
    DenseTrainer *processor = dense_trainer_create(m->dense, pool);
    DenseEngine engine = dense_processor_engine(processor);
    SelfplayOptions options = {.matches = 2000, .seed = 4, .visits = 2, .rate = 1e30, .pool = pool};
    SelfplayCounts counts;
    cr_assert(selfplay_learn(game, m, &engine, &options, &counts));
    cr_assert(counts.has_diverged);
    cr_assert_gt(counts.steps, 0);
    cr_assert_lt(counts.matches, 2000, "it goes on for nothing");
    cr_assert_eq(counts.sound_steps, 0);
    cr_assert_arr_eq(m->dense->parameters, first->dense->parameters,
                     dense_parameter_count(&m->dense->shape) * sizeof(float));
    dense_trainer_free(processor);
    pool_free(pool);
    model_free(m);
    model_free(first);
    game_free(game);
}

/* The games have simultaneous moves, chance, and roles with different numbers of moves. */
Test(selfplay, all_kinds_of_turns) {
    static const char *const names[] = {"rock_paper_scissors", "tic_tac_toe_parallel", "nim",
                                        "eight_puzzle", "cant_stop"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Game *game = game_named(names[i], NULL);
        SelfplayCounts counts;
        if (policy_suits(game)) {
            Model *m = learn(game, 2, 3, 4, &counts);
            cr_assert_eq(counts.matches + counts.given_up, 3, "%s", names[i]);
            model_free(m);
        }
        game_free(game);
    }
}

/* A match with hardly any memory keeps one position and is played to its end. */
Test(selfplay, positions_of_matches_under_way_are_bounded_in_bytes) {
    Game *game = game_named("tic_tac_toe", NULL);
    Model *m = policy_create(game, 1, 32, 3);
    Pool *pool = pool_create(1);
    DenseTrainer *processor = dense_trainer_create(m->dense, pool);
    DenseEngine engine = dense_processor_engine(processor);
    SelfplayOptions options = {.matches = 10,
                               .seed = 4,
                               .visits = 4,
                               .at_once = 3,
                               .training_position_bytes = 1,
                               .pool = pool};
    SelfplayCounts counts;
    cr_assert(selfplay_learn(game, m, &engine, &options, &counts));
    cr_assert_eq(counts.matches, 10);
    cr_assert_eq(counts.positions, 10);
    cr_assert_gt(counts.mean_length, 4);
    dense_trainer_free(processor);
    pool_free(pool);
    model_free(m);
    game_free(game);
}

/* The search for images has no time limit: they are found however slow the processor is. */
Test(selfplay, images_are_looked_for_as_long_as_it_takes) {
    Game *game = game_named("tic_tac_toe", NULL);
    Window *window = window_create(game, &(WindowOptions){.images = 1000});
    cr_assert_eq(window_images(window), 16);
    window_free(window);
    game_free(game);
}

/* Rows with many moves soon fill the window: the oldest rows are removed, and one row stays however
 * large it is. */
Test(selfplay, the_window_is_bounded_in_bytes) {
    Game *game = game_named("tic_tac_toe", NULL);
    Window *window =
        window_create(game, &(WindowOptions){.images = 1, .seconds = 10, .bytes = 100000});
    for (uint32_t size = 100; size <= 100000; size *= 10) {
        for (uint32_t i = 0; i < 50; i++) {
            TrainingPosition training_position = {0};
            for (uint32_t r = 0; r < 2; r++)
                training_position_add_output(&training_position, r, 0.5F);
            training_position_end_group(&training_position);
            for (uint32_t k = 0; k < size; k++)
                training_position_add_output(&training_position, 2 + game->circuit->first_move[1],
                                             (float)i);
            training_position_end_group(&training_position);
            training_position_end_group(&training_position);
            cr_assert_geq(training_position_bytes(&training_position), 8 * size);
            window_add(window, &training_position);
        }
        size_t fit = 100000 / (8 * size);
        cr_assert_leq(window_rows(window), fit ? fit : 1);
        cr_assert_geq(window_rows(window), fit > 50 ? 50 : fit > 1 ? fit - 1 : 1);
    }
    Random random;
    DenseBatch batch = {0};
    FloatVector targets = {0};
    random_seed(&random, 1);
    dense_batch_clear(&batch, 3);
    window_draw(window, &random, &batch, &targets);
    cr_assert_eq(targets.items[2], 49, "the last one");
    dense_batch_free(&batch);
    vector_free(&targets);
    window_free(window);
    game_free(game);
}

/* Asserts that the moves of each role in the only row of the batch are those legal in its state. */
static void check_legal_moves(const DenseBatch *batch, const Game *game, GameWork *work) {
    State image = {0};
    U32Vector legal = {0};
    for (size_t k = 0; k < batch->facts.count; k++)
        state_set(&image, batch->facts.items[k]);
    for (uint32_t r = 0; r < 2; r++) {
        uint32_t first = batch->group_starts.items[1 + r], end = batch->group_starts.items[2 + r];
        game_legal(work, &image, r, &legal);
        cr_assert_eq(end - first, legal.count > 1 ? legal.count : 0);
        for (uint32_t k = first; k < end; k++) {
            uint32_t move = batch->outputs.items[k] - 2 - game->circuit->first_move[r];
            bool is_legal = false;
            for (size_t l = 0; l < legal.count; l++)
                is_legal = is_legal || legal.items[l] == move;
            cr_assert(is_legal);
        }
    }
    vector_free(&legal);
    state_free(&image);
}

/* The symmetric image of a position is a position, in which the moves of the training_position are
 * legal. */
Test(selfplay, images_are_positions) {
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Window *window = window_create(game, &(WindowOptions){.images = 8, .seconds = 10});
    State state = {0};
    U32Vector legal = {0};
    uint32_t joint[2];
    game_initial(work, &state);
    for (int turn = 0; turn < 4; turn++) {
        TrainingPosition training_position = {0};
        training_position_begin(&training_position, &state);
        for (uint32_t r = 0; r < 2; r++)
            training_position_add_output(&training_position, r, r ? 0.25F : 0.75F);
        training_position_end_group(&training_position);
        for (uint32_t r = 0; r < 2; r++) {
            game_legal(work, &state, r, &legal);
            joint[r] = legal.items[0];
            for (size_t k = 0; k < legal.count && legal.count > 1; k++)
                training_position_add_output(&training_position,
                                             2 + game->circuit->first_move[r] + legal.items[k],
                                             (float)(k == 0));
            training_position_end_group(&training_position);
        }
        window_add(window, &training_position);
        game_next(work, &state, joint, &state);
    }
    cr_assert_eq(window_rows(window), 4);
    cr_assert_eq(window_images(window), 8);
    Random random;
    random_seed(&random, 9);
    for (int i = 0; i < 200; i++) {
        DenseBatch batch = {0};
        FloatVector targets = {0};
        dense_batch_clear(&batch, 3);
        window_draw(window, &random, &batch, &targets);
        cr_assert_eq(batch.rows, 1);
        cr_assert_eq(targets.count, batch.outputs.count);
        check_legal_moves(&batch, game, work);
        dense_batch_free(&batch);
        vector_free(&targets);
    }
    vector_free(&legal);
    state_free(&state);
    window_free(window);
    game_work_free(work);
    game_free(game);
}
