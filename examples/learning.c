/* The example of include/marelle/learning.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>

static MarelleStatus learn(MarelleGame *game, MarelleProblem *problem) {
    MarelleCollectOptions options = {.source = "random", .matches = 200, .seed = 1};
    MarelleData *data, *train = NULL, *test = NULL;
    MarelleModel *model = NULL;
    MarelleErrors errors;
    MarelleStatus status = marelle_data_collect(game, &options, &data, problem);
    if (status == MARELLE_OK)
        status = marelle_data_split(data, 0.2, 1, &train, &test);
    if (status == MARELLE_OK)
        status = marelle_data_train(train, game, "linear:seed=1", NULL, &model, problem);
    if (status == MARELLE_OK)
        status = marelle_model_errors(model, game, test, false, &errors, problem);
    if (status == MARELLE_OK)
        printf("fitness %.2f\n", errors.fitness);
    marelle_model_free(model);
    marelle_data_free(train);
    marelle_data_free(test);
    marelle_data_free(data);
    return status;
}

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleProblem problem = {""};
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    if (status == MARELLE_OK)
        status = learn(game, &problem);
    if (status != MARELLE_OK)
        fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
