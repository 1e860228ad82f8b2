/* Models and constraint networks through the public interface. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "api_games.h"

static MarelleModel *model_of(MarelleGame *game, const MarelleTrainingOptions *options) {
    MarelleModel *model;
    MarelleProblem problem;
    cr_assert_eq(marelle_model_train(game, options, &model, &problem), MARELLE_OK, "%s",
                 problem.text);
    return model;
}

static void note_step(void *context, const MarelleTraining *training) {
    char *steps = context;
    strcat(steps, training->step);
    strcat(steps, " ");
}

Test(models, an_evaluation_is_learnt_and_used) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarellePlay *play = marelle_play_create(game);
    MarelleState *state = marelle_state_create();
    char steps[100] = "";
    MarelleTrainingOptions options = {.seconds = 1, .progress = note_step, .context = steps};
    MarelleModel *model = model_of(game, &options);
    /* the second round collects data, too, and trains on them if they suffice */
    cr_assert_eq(strncmp(steps, "data training data ", strlen("data training data ")), 0, "%s",
                 steps);
    cr_assert_not_null(strstr(steps, "matches "));
    MarelleModelFacts facts = marelle_model_facts(model);
    cr_assert_not(facts.is_policy);
    cr_assert_eq(facts.roles, 2);
    double goals[2];
    float shares[40];
    MarelleProblem problem;
    marelle_initial(play, state);
    cr_assert_eq(marelle_model_evaluate(model, play, state, goals, NULL, NULL), MARELLE_OK);
    cr_assert(goals[0] >= -50 && goals[0] <= 150, "%g", goals[0]);
    cr_assert_eq(marelle_model_evaluate(model, play, state, goals, shares, &problem),
                 MARELLE_UNFIT);
    MarelleSearch *search;
    cr_assert_eq(marelle_search_create(game, 0, "uct", model, &search, NULL), MARELLE_OK);
    marelle_model_free(model);
    cr_assert_eq(marelle_search_run(search, &(MarelleBudget){.playouts = 200}, NULL), MARELLE_OK);
    cr_assert_neq(marelle_search_result(search)->best, MARELLE_NO_MOVE);
    marelle_search_free(search);
    marelle_state_free(state);
    marelle_play_free(play);
    marelle_game_free(game);
}

Test(models, a_policy_prefers_moves_and_goes_through_a_file) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleGame *other = game_from_file(GAME("connect_four"), false);
    MarellePlay *play = marelle_play_create(game), *wrong = marelle_play_create(other);
    MarelleState *state = marelle_state_create();
    MarelleTrainingOptions options = {
        .kind = "policy", .matches = 6, .visits = 10, .units = 64, .seed = 5};
    MarelleModel *model = model_of(game, &options), *same = model_of(game, &options), *read;
    char *text = marelle_model_write(model), *again = marelle_model_write(same);
    cr_assert_str_eq(text, again, "a seed gives one result");
    char path[] = "/tmp/marelle-model-XXXXXX";
    close(mkstemp(path));
    cr_assert_eq(marelle_model_save(model, path, NULL), MARELLE_OK);
    cr_assert_eq(marelle_model_load(path, &read, NULL), MARELLE_OK);
    unlink(path);
    marelle_initial(play, state);
    double goals[2], read_goals[2];
    float shares[20], sum = 0;
    cr_assert_eq(marelle_model_evaluate(model, play, state, goals, shares, NULL), MARELLE_OK);
    cr_assert_eq(marelle_model_evaluate(read, play, state, read_goals, NULL, NULL), MARELLE_OK);
    cr_assert_float_eq(goals[0], read_goals[0], 1e-6);
    for (int i = 0; i < 9; i++)
        sum += shares[i];
    cr_assert_float_eq(sum, 1, 1e-4);
    cr_assert_float_eq(shares[9], 1, 1e-4, "the other role has one move");
    MarelleProblem problem;
    marelle_initial(wrong, state);
    cr_assert_eq(marelle_model_evaluate(model, wrong, state, goals, NULL, &problem), MARELLE_UNFIT);
    cr_assert_str_eq(problem.text, "the model is about another game");
    MarelleSearch *search;
    cr_assert_eq(marelle_search_create(other, 0, "uct", model, &search, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert_eq(marelle_search_create(game, 0, "legal", model, &search, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert(strstr(problem.text, "takes no model"), "%s", problem.text);
    marelle_text_free(text);
    marelle_text_free(again);
    marelle_model_free(model);
    marelle_model_free(same);
    marelle_model_free(read);
    marelle_model_free(NULL);
    marelle_state_free(state);
    marelle_play_free(play);
    marelle_play_free(wrong);
    marelle_game_free(game);
    marelle_game_free(other);
}

Test(models, wrong_arguments_are_refused) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleGame *single = game_from_file(GAME("monty_hall"), false);
    MarelleModel *model;
    MarelleProblem problem;
    static const MarelleTrainingOptions wrong[] = {{.kind = "magic"},
                                                   {.seconds = NAN},
                                                   {.threads = 5000},
                                                   {.kind = "policy", .units = 7, .matches = 1},
                                                   {.reserved = {1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(marelle_model_train(game, &wrong[i], &model, &problem), MARELLE_BAD_ARGUMENT,
                     "%zu", i);
        cr_assert_gt(strlen(problem.text), 0);
        cr_assert_null(model);
    }
    cr_assert_eq(marelle_model_train(single, NULL, &model, &problem), MARELLE_UNFIT);
    cr_assert_eq(marelle_model_load("/dev/null/nothing", &model, &problem), MARELLE_UNREADABLE);
    cr_assert_eq(marelle_model_read("x", "nonsense", 8, &model, &problem), MARELLE_MALFORMED);
    cr_assert_gt(strlen(problem.text), 0);
    cr_assert_null(model);
    marelle_game_free(game);
    marelle_game_free(single);
}

static MarelleData *collected(MarelleGame *game, MarelleCollectOptions options) {
    MarelleData *data;
    MarelleProblem problem;
    cr_assert_eq(marelle_data_collect(game, &options, &data, &problem), MARELLE_OK, "%s",
                 problem.text);
    return data;
}

/* A set is the same from the same seed, however many threads there are, and after it was written.
 */
Test(data, sets_are_collected_written_and_read) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleCollectOptions options = {
        .source = "random", .states = "ends", .matches = 100, .seed = 5, .threads = 1};
    MarelleData *one = collected(game, options);
    options.threads = 3;
    MarelleData *other = collected(game, options);
    size_t length, other_length;
    char *text = marelle_data_write(one, "text", &length);
    char *same = marelle_data_write(other, "text", &other_length);
    cr_assert_str_eq(text, same);
    cr_assert_eq(marelle_data_facts(one).rows, 100);
    cr_assert_eq(marelle_data_facts(one).roles, 2);
    cr_assert(marelle_data_row(one, 7).is_end);
    cr_assert_eq(marelle_data_row(one, 100).fact_count, 0);
    cr_assert_null(marelle_data_fact_text(one, marelle_data_facts(one).facts));
    for (int i = 0; i < 2; i++) {
        char *bytes = marelle_data_write(one, i ? "compact" : "text", &length);
        MarelleData *again;
        cr_assert_eq(marelle_data_read("set", bytes, length, &again, NULL), MARELLE_OK);
        cr_assert_eq(marelle_data_facts(again).rows, 100);
        cr_assert_float_eq(marelle_data_row(again, 3).scores[0], marelle_data_row(one, 3).scores[0],
                           1e-9);
        marelle_text_free(bytes);
        marelle_data_free(again);
    }
    cr_assert_null(marelle_data_write(one, "png", &length));
    marelle_text_free(text);
    marelle_text_free(same);
    marelle_data_free(one);
    marelle_data_free(other);
    marelle_game_free(game);
}

Test(data, sets_are_made_of_others) {
    MarelleData *data = marelle_data_puzzle("tictactoe", 0, 0), *train, *test;
    uint64_t rows = marelle_data_facts(data).rows;
    cr_assert_eq(rows, 958);
    cr_assert_eq(marelle_data_split(data, 0.25, 1, &train, &test), MARELLE_OK);
    cr_assert_eq(marelle_data_facts(train).rows + marelle_data_facts(test).rows, rows);
    marelle_data_free(train);
    marelle_data_free(test);
    cr_assert_eq(marelle_data_split(data, NAN, 1, &train, &test), MARELLE_BAD_ARGUMENT);
    bool keep[958] = {[3] = true, [900] = true};
    MarelleData *two = marelle_data_select(data, keep);
    cr_assert_eq(marelle_data_facts(two).rows, 2);
    MarelleData *first = marelle_data_of_role(data, 0), *none = marelle_data_of_role(data, 64);
    cr_assert_eq(marelle_data_facts(first).roles, 1);
    cr_assert_null(none);
    MarelleData *fewer = marelle_data_without(data, "control");
    char *audit = marelle_data_audit(data, false), *alike = marelle_data_audit(fewer, true);
    cr_assert(strstr(audit, "\"baselines\"") && strstr(audit, "control"), "%s", audit);
    cr_assert_null(strstr(alike, "control"));
    MarelleData *distinct = marelle_data_distinct(two);
    cr_assert_eq(marelle_data_facts(distinct).rows, 2);
    cr_assert_null(marelle_data_puzzle("magic", 0, 0));
    marelle_text_free(audit);
    marelle_text_free(alike);
    marelle_data_free(distinct);
    marelle_data_free(fewer);
    marelle_data_free(first);
    marelle_data_free(two);
    marelle_data_free(data);
}

static MarelleModel *trained(const MarelleData *data, MarelleGame *game, const char *learner) {
    MarelleModel *model;
    MarelleProblem problem;
    cr_assert_eq(marelle_data_train(data, game, learner, NULL, &model, &problem), MARELLE_OK,
                 "%s: %s", learner, problem.text);
    return model;
}

Test(data, learners_beat_a_constant) {
    static const char *const learners[] = {"linear", "logistic:seed=1,alike=1,plain=1",
                                           "mlp:effort=20,hidden=8,seed=1,threads=2,counts=1"};
    MarelleData *data = marelle_data_puzzle("tictactoe", 0, 0);
    for (size_t i = 0; i < sizeof learners / sizeof *learners; i++) {
        MarelleModel *model = trained(data, NULL, learners[i]);
        MarelleErrors errors;
        cr_assert_eq(marelle_model_errors(model, NULL, data, false, &errors, NULL), MARELLE_OK);
        cr_assert_gt(errors.fitness, 70, "%s: %g", learners[i], errors.fitness);
        cr_assert_gt(marelle_model_facts(model).features, 0);
        cr_assert_gt(marelle_model_facts(model).edges, 0);
        char *picture = marelle_model_svg(model);
        cr_assert_eq(strncmp(picture, "<svg", 4), 0, "%.20s", picture);
        marelle_text_free(picture);
        marelle_model_free(model);
    }
    char *list = marelle_learners();
    cr_assert(strstr(list, "\"cascade\""), "%s", list);
    marelle_text_free(list);
    marelle_data_free(data);
}

Test(data, models_are_tried_in_matches) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleGame *other = game_from_file(GAME("nim"), false);
    MarelleData *data = collected(
        game, (MarelleCollectOptions){.matches = 40, .seed = 1, .playouts = 64, .merges = true});
    MarelleModel *model = trained(data, game, "linear:seed=1,moves=1,rules=1"), *tried;
    MarelleTrialOptions options = {.playouts = 64, .matches = 8, .seed = 1, .always = true};
    MarelleTrial trial, again;
    MarelleWorth worth;
    MarelleProblem problem;
    cr_assert_eq(marelle_model_duel(game, model, NULL, &options, &trial, &problem), MARELLE_OK,
                 "%s", problem.text);
    cr_assert_eq(trial.matches, 8);
    cr_assert_float_eq(trial.share, ((double)trial.wins + (double)trial.draws / 2) / 8, 1e-9);
    options.threads = 2;
    cr_assert_eq(marelle_model_duel(game, model, NULL, &options, &again, &problem), MARELLE_OK);
    cr_assert_eq(again.wins, trial.wins);
    cr_assert_eq(marelle_model_try(model, game, &options, &tried, &problem), MARELLE_OK, "%s",
                 problem.text);
    MarelleModelFacts facts = marelle_model_facts(tried);
    cr_assert_gt(facts.matches, 0);
    cr_assert(strstr(facts.use, "cutoff=") && strstr(facts.use, "prior="), "%s", facts.use);
    cr_assert_eq(marelle_model_worth(model, game, data, 20, 1, &worth, &problem), MARELLE_OK, "%s",
                 problem.text);
    cr_assert_gt(worth.states, 0);
    cr_assert_gt(worth.worth, 0);
    cr_assert_eq(marelle_model_worth(model, other, data, 20, 1, &worth, &problem), MARELLE_UNFIT);
    cr_assert_eq(marelle_model_duel(other, model, NULL, &options, &trial, &problem), MARELLE_UNFIT);
    marelle_model_free(tried);
    cr_assert_eq(marelle_data_train(data, other, "linear", NULL, &tried, &problem), MARELLE_UNFIT);
    options.method = "random";
    cr_assert_eq(marelle_model_try(model, game, &options, &tried, &problem), MARELLE_BAD_ARGUMENT);
    marelle_model_free(model);
    marelle_data_free(data);
    marelle_game_free(game);
    marelle_game_free(other);
}

Test(data, predictors_are_bred) {
    MarelleData *data = marelle_data_puzzle("exclusive_or", 0, 0);
    char *json;
    MarelleProblem problem;
    cr_assert_eq(marelle_evolve(data, "neat:seed=1,generations=200", NULL, &json, &problem),
                 MARELLE_OK, "%s", problem.text);
    cr_assert(strstr(json, "\"solved\":true") && strstr(json, "\"constant_links\""), "%s", json);
    marelle_text_free(json);
    cr_assert_eq(marelle_evolve(data, "genetic:generations=3,population=10,repaired=1", NULL, &json,
                                &problem),
                 MARELLE_OK);
    cr_assert(strstr(json, "\"near_generation\""), "%s", json);
    marelle_text_free(json);
    cr_assert_eq(marelle_evolve(NULL, "neat:task=poles,generations=2,seed=1", NULL, &json, NULL),
                 MARELLE_OK);
    marelle_text_free(json);
    cr_assert_eq(marelle_evolve(NULL, "neat", NULL, &json, &problem), MARELLE_BAD_ARGUMENT);
    cr_assert_str_eq(problem.text, "there is no data");
    cr_assert_eq(marelle_evolve(data, "magic", NULL, &json, &problem), MARELLE_BAD_ARGUMENT);
    cr_assert_null(json);
    marelle_data_free(data);
}

Test(data, wrong_arguments_are_refused) {
    static const char *const learners[] = {"magic", "linear:depth=1", "mlp:hidden=4000000000",
                                           "linear:rules=1", "linear:hidden=3"};
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleData *data = marelle_data_puzzle("exclusive_or", 0, 0), *none;
    MarelleProblem problem;
    MarelleModel *model;
    for (size_t i = 0; i < sizeof learners / sizeof *learners; i++) {
        cr_assert_eq(marelle_data_train(data, NULL, learners[i], NULL, &model, &problem),
                     MARELLE_BAD_ARGUMENT, "%s", learners[i]);
        cr_assert_null(model);
    }
    cr_assert_eq(marelle_data_read("x", "nonsense", 8, &none, &problem), MARELLE_MALFORMED);
    static const MarelleCollectOptions wrong[] = {{.source = "magic"}, {.states = "none"},
                                                  {.targets = "x"},    {.seconds = NAN},
                                                  {.threads = 5000},   {.reserved = {1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(marelle_data_collect(game, &wrong[i], &none, &problem), MARELLE_BAD_ARGUMENT);
        cr_assert_null(none);
    }
    bool stopped = true;
    MarelleCollectOptions options = {.stopped = &stopped, .seed = 1};
    cr_assert_eq(marelle_data_collect(game, &options, &none, NULL), MARELLE_SPENT);
    marelle_data_free(data);
    marelle_game_free(game);
}

Test(networks, monty_hall_is_won_by_two_thirds) {
    MarelleGame *game = game_from_file(GAME("monty_hall"), false);
    MarelleNetwork *network;
    MarellePolicy *policy;
    MarelleProblem problem;
    cr_assert_eq(marelle_network_build(game, 3, false, &network, &problem), MARELLE_OK, "%s",
                 problem.text);
    cr_assert_eq(marelle_network_solve(network, NULL, &policy, &problem), MARELLE_OK);
    cr_assert(policy->has_value);
    cr_assert_str_eq(policy->fraction, "2/3");
    cr_assert_float_eq(policy->value, 2.0 / 3, 1e-9);
    cr_assert_str_eq(policy->reason, "");
    cr_assert(strstr(policy->json, "\"nodes\""), "%s", policy->json);
    cr_assert_eq(strncmp(policy->graph, "digraph", 7), 0);
    marelle_policy_free(policy);
    char *json = marelle_network_json(network), *model = NULL;
    cr_assert(strstr(json, "\"variables\"") && strstr(json, "\"constraints\""));
    marelle_text_free(json);
    for (uint32_t r = 0; r < marelle_game_role_count(game) && !model; r++)
        model = marelle_network_write(network, "minizinc", r);
    cr_assert_not_null(model);
    marelle_text_free(model);
    cr_assert_null(marelle_network_write(network, "png", 0));
    cr_assert_null(marelle_network_write(network, "xcsp", 99));
    marelle_network_free(network);
    marelle_game_free(game);
}

Test(networks, wrong_arguments_are_refused) {
    MarelleGame *game = game_from_file(GAME("monty_hall"), false);
    MarelleGame *open = game_from_file(GAME("tic_tac_toe"), true);
    MarelleNetwork *network, *none;
    MarellePolicy *policy;
    MarelleProblem problem;
    cr_assert_eq(marelle_network_build(open, 3, false, &none, &problem), MARELLE_UNFIT);
    cr_assert_eq(marelle_network_build(game, 5000, false, &none, &problem), MARELLE_BAD_ARGUMENT);
    cr_assert_null(none);
    cr_assert_eq(marelle_network_build(game, 3, true, &network, NULL), MARELLE_OK);
    static const MarellePolicyOptions wrong[] = {{.role = 77},
                                                 {.rule = "nonsense"},
                                                 {.has_threshold = true, .threshold = 0.5},
                                                 {.has_threshold = true, .threshold = NAN},
                                                 {.seconds = -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(marelle_network_solve(network, &wrong[i], &policy, &problem),
                     MARELLE_BAD_ARGUMENT, "%zu", i);
        cr_assert_gt(strlen(problem.text), 0);
        cr_assert_null(policy);
    }
    marelle_network_free(network);
    marelle_network_free(NULL);
    marelle_policy_free(NULL);
    marelle_game_free(open);
    marelle_game_free(game);
}

Test(networks, symmetries_save_states) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleSavings savings;
    MarelleProblem problem;
    cr_assert_eq(marelle_network_savings(game, 200, 2, 1, NULL, &savings, &problem), MARELLE_OK);
    cr_assert(savings.is_translated);
    cr_assert_eq(savings.generators, 2);
    cr_assert_float_eq(savings.log10_order, log10(8), 1e-9);
    cr_assert_geq(savings.solved, savings.classes);
    cr_assert_eq(marelle_network_savings(game, 200, -1, 1, NULL, &savings, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert_eq(savings.generators, 0);
    marelle_game_free(game);
}
