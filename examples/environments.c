/* The example of include/marelle/environments.h, word for word after this comment. */
#include <marelle/marelle.h>
#include <stdio.h>
#include <stdlib.h>

enum { MATCHES = 1024, STEPS = 100 };

int main(int argc, char **argv) {
    MarelleRules *rules;
    MarelleGame *game = NULL;
    MarelleEnvironments *environments = NULL;
    MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
    if (status == MARELLE_OK)
        status = marelle_game_build(rules, NULL, &game);
    if (status == MARELLE_OK) {
        MarelleEnvironmentOptions options = {.count = MATCHES};
        status = marelle_environments_create(game, &options, &environments, NULL);
    }
    if (status == MARELLE_OK) {
        MarelleEnvironmentShape shape = marelle_environments_shape(environments);
        size_t rows = (size_t)MATCHES * shape.roles;
        uint64_t *masks = malloc(rows * shape.mask_words * sizeof *masks);
        uint32_t *moves = malloc(rows * sizeof *moves);
        uint8_t ends[MATCHES];
        uint64_t random[4], ended = 0;
        MarelleEnvironmentOutputs outputs = {.ends = ends, .masks = masks};
        marelle_random_seed(1, random);
        marelle_environments_reset(environments, NULL, &outputs);
        for (int step = 0; step < STEPS; step++) {
            marelle_masks_draw(masks, rows, shape.mask_words, random, moves);
            marelle_environments_step(environments, moves, &outputs);
            for (int i = 0; i < MATCHES; i++)
                ended += ends[i] == MARELLE_END_TERMINAL;
        }
        printf("%llu matches ended\n", (unsigned long long)ended);
        free(masks);
        free(moves);
    }
    marelle_environments_free(environments);
    marelle_game_free(game);
    marelle_rules_free(rules);
    return status;
}
