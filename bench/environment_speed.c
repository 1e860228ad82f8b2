/* Steps of environments per CPU second, with moves drawn by the caller from the masks, masks, bits,
 * ends and rewards delivered:
 *
 *     build/tests/environment_speed MATCHES SECONDS KERNEL GAME-FILE...
 *
 * KERNEL is auto, avx2, ... Through the public interface, as a stranger would. A line for each
 * game: steps, which are those of single matches, per CPU second of one thread, and the nanoseconds
 * of a step and of drawing its moves. */
#include <marelle/marelle.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const char *name, MarelleEnvironments *e, double seconds) {
    MarelleEnvironmentShape s = marelle_environments_shape(e);
    size_t rows = (size_t)s.count * s.roles;
    uint64_t *masks = malloc(rows * s.mask_words * sizeof *masks);
    uint64_t *bits = malloc((size_t)s.count * s.views * s.fact_words * sizeof *bits);
    uint32_t *moves = malloc(rows * sizeof *moves);
    uint8_t *ends = malloc(s.count);
    int32_t *rewards = malloc(rows * sizeof *rewards);
    uint64_t random[4], steps = 0;
    double stepping = 0, drawing = 0;
    MarelleEnvironmentOutputs outputs = {
        .ends = ends, .rewards = rewards, .masks = masks, .observations = bits};
    marelle_random_seed(1, random);
    marelle_environments_reset(e, NULL, &outputs);
    while (stepping + drawing < seconds) {
        double a = cpu_seconds();
        marelle_masks_draw(masks, rows, s.mask_words, random, moves);
        double b = cpu_seconds();
        marelle_environments_step(e, moves, &outputs);
        drawing += b - a;
        stepping += cpu_seconds() - b;
        steps += s.count;
    }
    printf("%-40s %8.2f M steps/s, %6.1f ns a step, %6.1f ns a draw\n", name,
           (double)steps / (stepping + drawing) / 1e6, stepping / (double)steps * 1e9,
           drawing / (double)steps * 1e9);
    free(masks);
    free(bits);
    free(moves);
    free(ends);
    free(rewards);
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: %s MATCHES SECONDS KERNEL GAME-FILE...\n", argv[0]);
        return 2;
    }
    MarelleEnvironmentOptions options = {.count = (uint32_t)strtoul(argv[1], NULL, 10)};
    MarelleGameOptions how = {.kernel = argv[3]};
    for (int i = 4; i < argc; i++) {
        MarelleRules *rules;
        MarelleGame *game = NULL;
        MarelleEnvironments *environments = NULL;
        MarelleProblem problem = {""};
        MarelleStatus status = marelle_rules_read_file(argv[i], &rules);
        if (status == MARELLE_OK)
            status = marelle_game_build(rules, &how, &game);
        if (status == MARELLE_OK)
            status = marelle_environments_create(game, &options, &environments, &problem);
        if (status == MARELLE_OK)
            measure(argv[i], environments, strtod(argv[2], NULL));
        else
            fprintf(stderr, "%s: %s %s\n", argv[i], marelle_status_text(status), problem.text);
        marelle_environments_free(environments);
        marelle_game_free(game);
        marelle_rules_free(rules);
    }
    return 0;
}
