/* The example of include/marelle/models.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>

static void tell(void *context, const MarelleTraining *training) {
    (void)context;
    printf("%s, after %.1f s\n", training->step, training->seconds);
}

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleModel *model = NULL;
    MarelleSearch *search = NULL;
    MarelleProblem problem = {""};
    MarelleTrainingOptions options = {.seconds = 3, .progress = tell};
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    if (status == MARELLE_OK)
        status = marelle_model_train(game, &options, &model, &problem);
    if (status == MARELLE_OK)
        status = marelle_search_create(game, 0, "uct", model, &search, &problem);
    if (status == MARELLE_OK)
        status = marelle_search_run(search, &(MarelleBudget){.playouts = 1000}, &problem);
    if (status == MARELLE_OK)
        printf("move %u\n", marelle_search_result(search)->best);
    else
        fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
    marelle_search_free(search);
    marelle_model_free(model);
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
