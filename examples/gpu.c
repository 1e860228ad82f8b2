/* The example of include/marelle/gpu.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>

enum { MATCHES = 4096, STEPS = 100 };

static MarelleStatus play(MarelleGame *game, MarelleProblem *problem) {
    MarelleGpuEnvironments *e = NULL;
    MarelleEnvironmentOptions options = {.count = MATCHES};
    MarelleStatus status = marelle_gpu_environments_create(game, &options, &e, problem);
    if (status != MARELLE_OK)
        return status;
    MarelleEnvironmentShape shape = marelle_gpu_environments_shape(e);
    size_t rows = (size_t)MATCHES * shape.roles;
    void *masks = marelle_gpu_alloc(e, rows * shape.mask_words * sizeof(uint64_t));
    void *moves = marelle_gpu_alloc(e, rows * sizeof(uint32_t));
    MarelleEnvironmentOutputs outputs = {.masks = masks};
    status = marelle_gpu_environments_reset(e, NULL, &outputs, NULL, problem);
    for (uint64_t step = 0; status == MARELLE_OK && step < STEPS; step++) {
        status = marelle_gpu_masks_draw(e, masks, rows, step, moves, NULL, problem);
        if (status == MARELLE_OK)
            status = marelle_gpu_environments_step(e, moves, &outputs, NULL, problem);
    }
    if (status == MARELLE_OK)
        printf("%d steps of %d matches\n", STEPS, MATCHES);
    marelle_gpu_free(e, masks);
    marelle_gpu_free(e, moves);
    marelle_gpu_environments_free(e);
    return status;
}

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleProblem problem = {0};
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    if (status == MARELLE_OK)
        status = play(game, &problem);
    if (status != MARELLE_OK)
        fprintf(stderr, "%s %s\n", marelle_status_text(status), problem.text);
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
