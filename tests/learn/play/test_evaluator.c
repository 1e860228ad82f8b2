/* Tests models in a search: incremental values equal values computed from scratch; priors,
 * evaluations at leaves, and acceptance. */
#include "../../search/play_search.h"
#include "../material.h"
#include "learn/data/collect.h"
#include "learn/data/mirror.h"
#include "learn/learners/learner.h"
#include "learn/play/acceptance.h"
#include "learn/play/evaluator.h"
#include "learn/play/model_training.h"

TestSuite(evaluator, .timeout = 600);

static DataSet *data_of(Game *game, uint64_t matches, CollectSource source, CollectStates states) {
    Pool *pool = pool_create(1);
    CollectOptions options = {.source = source,
                              .states = states,
                              .matches = matches,
                              .seed = 1,
                              .playouts = source == COLLECT_UCT ? 256 : 64,
                              .value_share = -1};
    DataSet *set = collect(game, &options, pool);
    pool_free(pool);
    cr_assert_not_null(set);
    return set;
}

static Model *model_of(Game *game, const DataSet *set, const char *learner, uint32_t effort) {
    Model *model = model_create(learner, set);
    Pool *pool = pool_create(1);
    LearnOptions options = {.seed = 1, .effort = effort, .hidden = 5, .pool = pool};
    features_add_facts(&model->features, set, NULL);
    features_add_counts(&model->features, set);
    features_add_subgoals(&model->features, game, 500);
    features_add_mobility(&model->features, game, set);
    Examples *examples =
        examples_of_features(&model->features, game, set, model->ranges, WEIGH_BY_ROOT);
    learner_train(learner_find(learner), examples, &options, &model->network);
    cr_assert(network_is_sound(&model->network));
    examples_free(examples);
    pool_free(pool);
    return model;
}

/* Compares predictions for rows with incremental values along random matches. */
Test(evaluator, increments_add_up_to_the_whole) {
    Game *game = game_named("connect_four", NULL);
    DataSet *set = data_of(game, 20, COLLECT_RANDOM, COLLECT_ALL);
    Model *model = model_of(game, set, "mlp", 3);
    Evaluator *evaluator = evaluator_create(model);
    cr_assert(evaluator_fits(evaluator, game));
    EvaluatorWork *work = evaluator_work(evaluator, game);
    Examples *examples = model_examples(model, game, set, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(examples);
    float *predictions = memory_zalloc(matrix->stride * 2 * sizeof *predictions);
    network_predict(&model->network, matrix, predictions);
    State state = {0};
    for (int round = 0; round < 8; round++)
        for (size_t i = 0; i < dataset_rows(set); i++) {
            double goals[2];
            for (uint32_t w = 0; w < state.word_count; w++)
                state.words[w] = 0;
            for (uint32_t k = 0; k < dataset_size(set, i); k++)
                state_set(&state, dataset_facts(set, i)[k]);
            evaluator_evaluate(work, &state, goals);
            for (uint32_t r = 0; r < 2; r++)
                cr_assert_float_eq(goals[r], 100 * (double)predictions[r * matrix->stride + i],
                                   0.02);
        }
    state_free(&state);
    free(predictions);
    matrix_free(matrix);
    examples_free(examples);
    evaluator_work_free(work);
    evaluator_free(evaluator);
    model_free(model);
    dataset_free(set);
    game_free(game);
}

/* Values of all moves, computed at once, equal the values of the successors one by one; terminal
 * states have the goals of the rules. */
Test(evaluator, moves_abreast_are_states_one_by_one) {
    Game *game = game_named("breakthrough", NULL);
    DataSet *set = data_of(game, 2, COLLECT_RANDOM, COLLECT_BEFORE_ENDS);
    Model *model = model_of(game, set, "mlp", 3);
    Evaluator *evaluator = evaluator_create(model);
    SearchEvaluation evaluation = evaluator_interface(evaluator);
    void *own = evaluation.open(evaluation.context, game);
    EvaluatorWork *other = evaluator_work(evaluator, game);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Random random;
    State state = {0}, next = {0};
    U32Vector legal = {0}, single = {0};
    uint32_t turns, ends = 0;
    random_seed(&random, 1);
    for (int match = 0; match < 3; match++)
        for (game_initial(work, &state); !game_is_terminal(work, &state);
             game_play_randomly(work, &state, &random, 1, &turns)) {
            uint32_t joint[2];
            for (uint32_t r = 0; r < 2; r++) {
                game_legal(work, &state, r, &legal);
                joint[r] = legal.items[0];
                if (legal.count == 1)
                    continue;
                double goals[512], wanted[2];
                cr_assert(evaluation.evaluate_moves(own, &state, r, &legal, goals));
                game_legal(work, &state, 1 - r, &single);
                joint[1 - r] = single.items[0];
                for (size_t i = 0; i < legal.count; i++) {
                    joint[r] = legal.items[i];
                    game_next(work, &state, joint, &next);
                    evaluator_evaluate(other, &next, wanted);
                    bool is_end = game_is_terminal(work, &next);
                    ends += is_end;
                    cr_assert_float_eq(goals[i], is_end ? game_goal(work, &next, r) : wanted[r],
                                       0.02);
                }
            }
        }
    cr_assert_gt(ends, 0);
    vector_free(&legal);
    vector_free(&single);
    state_free(&state);
    state_free(&next);
    game_work_free(work);
    evaluator_work_free(other);
    evaluation.close(own);
    evaluator_free(evaluator);
    model_free(model);
    dataset_free(set);
    game_free(game);
}

/* The eight lines of each player are gates of the circuit. */
Test(evaluator, the_rules_show_the_lines) {
    Game *game = game_named("tic_tac_toe", NULL);
    Features features = {0};
    size_t triples = 0;
    features_add_subgoals(&features, game, 1000);
    for (size_t i = 0; i < features.items.count; i++) {
        const Feature *f = &features.items.items[i];
        bool is_positive = true;
        for (uint32_t k = 0; k < f->count; k++)
            is_positive = is_positive && !literal_is_absence(features.literals.items[f->first + k]);
        triples += f->kind == FEATURE_ALL && f->count == 3 && is_positive;
    }
    cr_assert_geq(triples, 8);
    features_free(&features);
    game_free(game);
}

Test(evaluator, models_of_other_games_do_not_fit) {
    Game *game = game_named("tic_tac_toe", NULL), *other = game_named("connect_four", NULL);
    DataSet *set = data_of(game, 5, COLLECT_RANDOM, COLLECT_ALL);
    Model *model = model_of(game, set, "logistic", 2);
    Evaluator *evaluator = evaluator_create(model);
    cr_assert(evaluator_fits(evaluator, game));
    cr_assert(!evaluator_fits(evaluator, other));
    evaluator_free(evaluator);
    model_free(model);
    dataset_free(set);
    game_free(game);
    game_free(other);
}

/* A search with the model finds a win in one move, and the model's priors reach the tree. */
Test(evaluator, searches_listen) {
    static const char *const moves[] = {"(mark 1 1)", "noop", "noop", "(mark 3 3)",
                                        "(mark 1 2)", "noop", "noop", "(mark 3 2)"};
    Game *game = game_named("tic_tac_toe", NULL);
    DataSet *set = data_of(game, 200, COLLECT_UCT, COLLECT_BEFORE_ENDS);
    Model *model = model_of(game, set, "mlp", 30);
    Evaluator *evaluator = evaluator_create(model);
    SearchEvaluation evaluation = evaluator_interface(evaluator);
    cr_assert_not_null(evaluation.evaluate_moves);
    SearchOptions options = {0};
    acceptance_set_options(&evaluation, &options);
    SearchTable t = table_create(game, "uct", 0, options);
    make_moves(&t, moves, 8);
    search_set_state(t.search, &t.state);
    think(&t, 200);
    assert_best(&t, "(mark 1 3)");
    search_result_free(&t.result);
    search_free(t.search);
    state_free(&t.state);
    game_work_free(t.work);
    evaluator_free(evaluator);
    model_free(model);
    dataset_free(set);
    game_free(game);
}

/* Some use of the model is chosen, and its matches are recorded. */
Test(evaluator, a_use_is_chosen) {
    Game *game = game_named("tic_tac_toe", NULL);
    DataSet *set = data_of(game, 100, COLLECT_GUIDED, COLLECT_BEFORE_ENDS);
    Model *model = model_of(game, set, "logistic", 10);
    Pool *pool = pool_create(1);
    acceptance_choose_use(game, model, &(AcceptanceOptions){.playouts = 50, .matches = 6}, pool);
    cr_assert_geq(model->acceptance.matches, 2);
    cr_assert_leq(model->acceptance.matches, 6);
    cr_assert_eq(model_helps(model), acceptance_is_given(&model->acceptance));
    pool_free(pool);
    model_free(model);
    dataset_free(set);
    game_free(game);
}

static Model *written_and_read(const Model *model) {
    Report report = {0};
    Text text = {0};
    model_write(model, &text);
    Model *read = model_read(source_from_text("file", text.items, text.count, &report), &report);
    cr_assert_not_null(read);
    vector_free(&text);
    report_free(&report);
    return read;
}

/* Without time for matches the model stays switched off, also when it is read from a file. */
Test(evaluator, no_matches_no_acceptance) {
    Game *game = game_named("tic_tac_toe", NULL);
    DataSet *set = data_of(game, 100, COLLECT_GUIDED, COLLECT_BEFORE_ENDS);
    Model *model = model_of(game, set, "logistic", 10);
    Pool *pool = pool_create(1);
    cr_assert(model_helps(model));
    acceptance_choose_use(
        game, model,
        &(AcceptanceOptions){.playouts = 50, .matches = 6, .deadline = deadline_in(-1)}, pool);
    cr_assert_eq(model->acceptance.matches, 0);
    cr_assert_not(model_helps(model));
    Model *read = written_and_read(model);
    cr_assert(read->needs_acceptance && !model_helps(read));
    model_free(read);
    model->needs_acceptance = false; /* as in files of models that were never measured */
    read = written_and_read(model);
    cr_assert(!read->needs_acceptance && model_helps(read));
    model_free(read);
    pool_free(pool);
    model_free(model);
    dataset_free(set);
    game_free(game);
}

/* A model that wins is accepted after a few matches. */
Test(evaluator, matches_end_once_they_have_decided) {
    Game *game = game_named("connect_four", NULL);
    DataSet *set = data_of(game, 300, COLLECT_GUIDED, COLLECT_BEFORE_ENDS);
    Model *model = model_of(game, set, "logistic", 30);
    Pool *pool = pool_create(1);
    AcceptanceOptions options = {.playouts = 64, .matches = 400, .seed = 3};
    acceptance_choose_use(game, model, &options, pool);
    cr_assert(model_helps(model));
    cr_assert_geq(model->acceptance.matches, 6);
    cr_assert_lt(model->acceptance.matches, 60);
    pool_free(pool);
    model_free(model);
    dataset_free(set);
    game_free(game);
}

/* Values of a model are explored less than playouts, unless the user says how much, or the model
 * advises on moves. */
Test(evaluator, judged_leaves_are_explored_less) {
    SearchEvaluation judge = {.playout_turns = 0}, mix = {.playout_turns = 9999};
    SearchOptions judged = {0}, mixed = {0}, told = {.exploration = 0.7};
    acceptance_set_options(&judge, &judged);
    acceptance_set_options(&mix, &mixed);
    acceptance_set_options(&judge, &told);
    cr_assert_float_eq(judged.exploration, 0.1, 1e-12);
    cr_assert_eq(mixed.exploration, 0);
    cr_assert_float_eq(told.exploration, 0.7, 1e-12);
}

Test(evaluator, acceptance_counts_points) {
    Game *game = game_named("connect_four", NULL);
    Pool *pool = pool_create(2);
    SearchOptions strong = {.batch = 1, .leaf_playouts = 1}, weak = strong;
    AcceptanceOptions options = {.playouts = 100, .matches = 60, .seed = 3};
    weak.exploration = 100;
    AcceptanceResult one, two;
    acceptance_measure(game, &strong, &weak, &options, pool, &one);
    acceptance_measure(game, &strong, &weak, &options, pool, &two);
    cr_assert_eq(one.matches, 60);
    cr_assert_eq(one.wins, two.wins);
    cr_assert_geq(acceptance_share(&one), 0.5);
    AcceptanceResult wins = {60, 40, 5}, even = {60, 28, 4}, none = {0};
    AcceptanceResult few = {4, 4, 0}, six = {6, 6, 0}, lucky = {10, 6, 0};
    cr_assert(acceptance_is_given(&wins) && !acceptance_is_given(&even) &&
              !acceptance_is_given(&none));
    cr_assert(!acceptance_is_given(&few) && acceptance_is_given(&six) &&
              !acceptance_is_given(&lucky));
    cr_assert_float_eq(acceptance_share(&wins), 42.5 / 60, 1e-12);
    pool_free(pool);
    game_free(game);
}

/* Searches record more states than those of the match, and all of them are nonterminal. */
Test(evaluator, searches_tell_what_they_looked_at) {
    Game *game = game_named("tic_tac_toe", NULL);
    DataSet *set = data_of(game, 20, COLLECT_UCT, COLLECT_BEFORE_ENDS);
    cr_assert_gt(dataset_rows(set), 20 * 10);
    for (size_t i = 0; i < dataset_rows(set); i++) {
        const double *scores = dataset_scores(set, i);
        cr_assert(!set->ends.items[i]);
        cr_assert(scores[0] >= 0 && scores[0] <= 100);
        cr_assert_float_eq(scores[0] + scores[1], 100, 1e-9);
    }
    dataset_free(set);
    game_free(game);
}

/* Images of terminal states are terminal, and if roles change places so do their goals. */
Test(evaluator, images_are_worth_the_same) {
    Game *game = game_named("tic_tac_toe", NULL);
    DataSet *set = data_of(game, 30, COLLECT_RANDOM, COLLECT_ENDS);
    Mirror *mirror = mirror_create(game, 8, 5);
    DataSet *all = mirror_data(mirror, set);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    size_t swapped = 0;
    cr_assert_eq(dataset_rows(all), 8 * dataset_rows(set));
    for (size_t i = 0; i < dataset_rows(all); i++) {
        const double *scores = dataset_scores(all, i);
        for (uint32_t w = 0; w < state.word_count; w++)
            state.words[w] = 0;
        for (uint32_t k = 0; k < dataset_size(all, i); k++)
            state_set(&state, dataset_facts(all, i)[k]);
        cr_assert(game_is_terminal(work, &state));
        for (uint32_t r = 0; r < 2; r++)
            cr_assert_eq(game_goal(work, &state, r), (int)scores[r]);
        swapped += fabs(scores[0] - dataset_scores(all, i / 8 * 8)[0]) > 1;
    }
    cr_assert_gt(swapped, 0);
    state_free(&state);
    game_work_free(work);
    dataset_free(set);
    dataset_free(all);
    mirror_free(mirror);
    game_free(game);
}

static void assert_same_row(const ExampleRow *a, const ExampleRow *b, uint32_t outputs) {
    cr_assert_eq(a->count, b->count);
    for (uint32_t k = 0; k < a->count; k++) {
        cr_assert_eq(a->entries[k].input, b->entries[k].input);
        cr_assert_eq(a->entries[k].value, b->entries[k].value);
    }
    for (uint32_t o = 0; o < outputs; o++)
        cr_assert_eq(a->targets[o], b->targets[o]);
    cr_assert_eq(a->weight, b->weight);
}

/* Rows of images take no memory: they are computed when they are read. In any order and from any
 * thread, they equal the data with all images included. */
Test(evaluator, images_are_made_when_they_are_read) {
    Game *game = game_named("tic_tac_toe", NULL);
    DataSet *set = data_of(game, 20, COLLECT_RANDOM, COLLECT_ALL);
    Mirror *mirror = mirror_create(game, 4, 5);
    DataSet *all = mirror_data(mirror, set);
    Features features = {0}, of_all = {0};
    const ScoreRange ranges[2] = {{0, 100}, {0, 200}};
    features_add_facts(&features, set, mirror);
    features_add_facts(&of_all, all, NULL);
    cr_assert_eq(features.items.count, of_all.items.count);
    for (size_t i = 0; i < features.literals.count; i++)
        cr_assert_eq(features.literals.items[i], of_all.literals.items[i]);
    features_add_counts(&features, set);
    features_add_subgoals(&features, game, 100);
    features_add_mobility(&features, game, all);
    cr_assert_gt(features.groups.count, 0);
    FactLiteral absences[2] = {literal_of(0, true), literal_of(1, true)};
    features_add(&features, FEATURE_ALL, absences, 2);
    features_add(&features, FEATURE_SHARE, absences, 2);
    Examples *kept = examples_of_features(&features, game, all, ranges, WEIGH_BY_ROOT);
    Examples *made = examples_of_images(&features, game, set, mirror, ranges, WEIGH_BY_ROOT);
    ExampleReader readers[3] = {0};
    size_t rows = examples_rows(kept);
    cr_assert_eq(rows, 4 * dataset_rows(set));
    cr_assert_eq(examples_rows(made), rows);
    cr_assert_eq(made->entries.count, 0);
    for (size_t i = 0; i < rows; i++) {
        size_t row = i * 7919 % rows;
        ExampleRow wanted = examples_read(kept, row, &readers[2]);
        ExampleRow read = examples_read(made, row, &readers[i % 2]);
        assert_same_row(&read, &wanted, 2);
    }
    for (int i = 0; i < 3; i++)
        example_reader_free(&readers[i]);
    examples_free(kept);
    examples_free(made);
    features_free(&features);
    features_free(&of_all);
    dataset_free(set);
    dataset_free(all);
    mirror_free(mirror);
    game_free(game);
}

/* Facts are grouped by a word that they share; without knowing its meaning, this finds the pieces
 * of each player. */
Test(evaluator, counts_are_found_in_the_spelling) {
    Game *game = game_named("tic_tac_toe", NULL);
    DataSet *set = data_of(game, 5, COLLECT_RANDOM, COLLECT_ALL);
    Features features = {0};
    size_t nines = 0;
    features_add_counts(&features, set);
    for (size_t i = 0; i < features.items.count; i++) {
        cr_assert_eq(features.items.items[i].kind, FEATURE_SHARE);
        nines += features.items.items[i].count == 9;
    }
    cr_assert_geq(nines, 3); /* x, o and blank; rows and columns have nine facts as well */
    features_free(&features);
    dataset_free(set);
    game_free(game);
}

static void note_step(void *context, const char *step) {
    text_printf(context, "%s ", step);
}

/* After the start clock there is a model of two rounds, and its use has been measured. */
Test(evaluator, an_apprentice_learns_within_its_clock) {
    Text steps = {0};
    Game *game = game_named("connect_four", NULL), *alone = game_named("eight_puzzle", NULL);
    Pool *pool = pool_create(2);
    ModelLearnOptions options = {.seconds = 200,
                                 .rows = 900,
                                 .move_seconds = 0.001,
                                 .matches = 4,
                                 .seed = 1,
                                 .on_step = note_step,
                                 .context = &steps,
                                 .pool = pool};
    cr_assert(model_can_be_learnt(game) && !model_can_be_learnt(alone));
    Model *model = model_learn(game, &options);
    cr_assert_not_null(model);
    cr_assert_str_eq(text_string(&steps), "data training data training matches ");
    cr_assert_gt(model->acceptance.matches, 0);
    cr_assert_eq(model_helps(model), acceptance_is_given(&model->acceptance));
    vector_free(&steps);
    model_free(model);
    pool_free(pool);
    game_free(game);
    game_free(alone);
}
