/* The GPU against the processor, game by game: the same statistics of random play, and how much
 * faster. Transfers are in the times, building is not.
 *
 *     build/tests/gpu_check [--seconds S] [--threads N] [--variants] [--leaves] GAME.kif...
 *
 * Both play in batches, each with a seed of its own. Every frequency of a goal and the mean length
 * are compared; what is printed is the largest difference, in standard errors, and how much the
 * batches of the GPU spread, in parts of what independent matches would. At the end all differences
 * are taken together: without a fault, their mean square is near 1. --variants tries both kernels,
 * and the one for large games with blocks of several sizes; --leaves plays from positions instead,
 * as searches do. The exit status is 1 if anything differs by more than four standard errors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/table.h"
#include "game/batch.h"
#include "game/matches.h"
#include "gpu/leaves.h"
#include "gpu/playouts.h"

enum {
    BATCHES = 16,
    FEWEST = 4096, /* matches of a batch */
    MAX_STEPS = 10000,
    COMPILED_GATES = 12000,
    RARE = 1000 /* too few of all matches for a normal law to hold four errors out */
};

typedef struct {
    Gpu *gpu;
    double seconds;
    unsigned threads; /* of the processor */
    bool variants, leaves;
    /* Over all that was compared: */
    double squares, largest;
    unsigned long count;
} Check;

typedef struct {
    GpuPlayer *player;
    Report report;
} Device;

static void play_on_device(void *context, const PlayoutBudget *budget, PlayoutCounts *counts) {
    Device *d = context;
    gpu_player_play(d->player, budget, counts, &d->report);
}

static double speed(const MatchStatistics *m) {
    return m->cpu_seconds > 0 ? (double)matches_count(m) / m->cpu_seconds : 0;
}

/* Matches in batches, whose means tell how far the mean of all can be trusted. */
typedef struct {
    MatchStatistics all;
    MatchStatistics batches[BATCHES];
    double seconds; /* of the clock */
} Played;

/* As many matches in every batch as the first one finds time for: what ends a batch is a number,
 * not the clock, which some matches would be too long for. */
static Played play_batches(MatchPlan plan) {
    Played played = {0};
    plan.seconds /= BATCHES;
    for (uint64_t i = 0; i < BATCHES; i++) {
        double started = clock_wall_seconds();
        plan.seed = hash_finish(hash_mix(1, i));
        matches_play(&plan, &played.batches[i]);
        if (i == 0) { /* only tells how many */
            plan.seconds = 0;
            plan.playouts = matches_count(&played.batches[0]);
            if (plan.playouts < FEWEST)
                plan.playouts = FEWEST;
            matches_free(&played.batches[0]);
            started = clock_wall_seconds();
            matches_play(&plan, &played.batches[0]);
        }
        played.seconds += clock_wall_seconds() - started;
        matches_add(&played.all, &played.batches[i]);
    }
    return played;
}

static void free_played(Played *played) {
    for (size_t i = 0; i < BATCHES; i++)
        matches_free(&played->batches[i]);
    matches_free(&played->all);
}

/* Returns the variance of the lengths of matches, estimated from the differences between batches of
 * one kind. Both kinds are pooled: if nearly all matches have the same length, one kind may have
 * met no other. */
static double variance_of_length(const Played *x, const Played *y) {
    const Played *both[] = {x, y};
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double mean = matches_mean_length(&both[k]->all);
        for (size_t i = 0; i < BATCHES; i++) {
            double apart = matches_mean_length(&both[k]->batches[i]) - mean;
            sum += (double)matches_count(&both[k]->batches[i]) * apart * apart;
        }
    }
    return sum / (2 * (BATCHES - 1));
}

/* Remembers a difference in standard errors; the largest of the game so far. */
static double note(Check *check, double apart, double largest) {
    check->squares += apart * apart;
    check->count++;
    if (apart > check->largest)
        check->largest = apart;
    return apart > largest ? apart : largest;
}

static bool is_common(double p, double matches) {
    return p * matches >= RARE && (1 - p) * matches >= RARE;
}

/* The largest difference of a frequency or of the mean length, in standard errors. */
static double difference(Check *check, const Played *x, const Played *y) {
    const MatchStatistics *a = &x->all, *b = &y->all;
    double na = (double)matches_count(a), nb = (double)matches_count(b), largest = 0;
    for (size_t i = 0; i < a->goals.count && i < b->goals.count; i++) {
        double pa = (double)a->goals.items[i].count / na, pb = (double)b->goals.items[i].count / nb;
        double p = (pa * na + pb * nb) / (na + nb), error = sqrt(p * (1 - p) * (1 / na + 1 / nb));
        if (is_common(p, fmin(na, nb)))
            largest = note(check, fabs(pa - pb) / error, largest);
    }
    double error = sqrt(variance_of_length(x, y) * (1 / na + 1 / nb));
    double apart = fabs(matches_mean_length(a) - matches_mean_length(b));
    return error > 1e-9 ? note(check, apart / error, largest) : largest;
}

/* How much the goals of batches vary, in parts of what they would if matches were independent. */
static double spread(const Played *played) {
    double sum = 0, count = 0, all = (double)matches_count(&played->all);
    for (size_t g = 0; g < played->all.goals.count; g++) {
        double p = (double)played->all.goals.items[g].count / all;
        for (size_t i = 0; is_common(p, all / BATCHES) && i < BATCHES; i++) {
            double n = (double)matches_count(&played->batches[i]);
            double apart = (double)played->batches[i].goals.items[g].count - n * p;
            sum += apart * apart / (n * p * (1 - p));
            count += (BATCHES - 1.0) / BATCHES;
        }
    }
    return count > 0 ? sum / count : 1;
}

static void try_kernel(Check *check, Game *game, const Played *cpu,
                       const GpuPlayerOptions *options) {
    static const char *const kinds[] = {"auto", "thread", "block"};
    Device device = {0};
    MatchDevice hook = {play_on_device, &device};
    Played gpu = {0};
    device.player =
        gpu_player_create(check->gpu, game_turn_networks(game), options, &device.report);
    if (device.player) {
        MatchPlan plan = {.game = game,
                          .reasoner = REASONER_GPU,
                          .device = &hook,
                          .seconds = check->seconds,
                          .seed = 1,
                          .step_limit = MAX_STEPS};
        gpu = play_batches(plan);
    }
    if (report_failed(&device.report)) {
        printf("    %s\n", device.report.items.items[0].message);
    } else {
        double apart = difference(check, cpu, &gpu);
        printf(
            "    %-6s %5u threads %9lu lanes  %14.0f matches/s  %8.1f times  %5.2f errors apart  "
            "spread %.2f  built in %.1f s\n",
            kinds[gpu_player_kind(device.player)], gpu_player_threads(device.player),
            (unsigned long)gpu_player_lanes(device.player), speed(&gpu.all),
            speed(&gpu.all) / speed(&cpu->all), apart, spread(&gpu),
            gpu_player_build_seconds(device.player));
    }
    fflush(stdout);
    free_played(&gpu);
    gpu_player_free(device.player);
    report_free(&device.report);
}

static void try_variants(Check *check, Game *game, const Played *cpu) {
    GpuPlayerOptions options = {.seed = 7};
    if (!check->variants) {
        try_kernel(check, game, cpu, &options);
        return;
    }
    options.kind = GPU_KERNEL_THREAD;
    if (game_turn_networks(game)->gates < COMPILED_GATES)
        try_kernel(check, game, cpu, &options);
    options.kind = GPU_KERNEL_BLOCK;
    try_kernel(check, game, cpu, &options);
    for (options.block.shares = 1; options.block.shares <= 2; options.block.shares++)
        for (options.block.threads = 32; options.block.threads <= 1024; options.block.threads *= 2)
            try_kernel(check, game, cpu, &options);
}

/* ---- from positions ---- */

enum { POSITIONS = 64, PLAYOUTS = 4096 };

/* States that random matches pass through. */
static void walk(Game *game, State *states) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Random random;
    random_seed(&random, 5);
    for (size_t i = 0; i < POSITIONS; i++) {
        uint32_t steps;
        game_initial(work, &states[i]);
        game_play_randomly(work, &states[i], &random, (uint32_t)random_below(&random, 20), &steps);
    }
    game_work_free(work);
}

static void play_on_processor(Game *game, const State *states, LeafSums *sums) {
    Batch *batch = batch_create(game, 3);
    PlayoutStart *starts = memory_zalloc(PLAYOUTS * sizeof *starts);
    PlayoutResult *results = memory_zalloc(PLAYOUTS * sizeof *results);
    int *goals = memory_zalloc((size_t)PLAYOUTS * game->role_count * sizeof *goals);
    for (size_t i = 0; i < POSITIONS; i++) {
        for (size_t k = 0; k < PLAYOUTS; k++) {
            starts[k].state = &states[i];
            results[k].goals = goals + k * game->role_count;
        }
        batch_play(batch, starts, PLAYOUTS, MAX_STEPS, results);
        for (size_t k = 0; k < PLAYOUTS; k++) {
            sums[i].ended += results[k].end == MATCH_TERMINAL;
            for (uint32_t r = 0; r < game->role_count; r++)
                sums[i].goals[r] += results[k].goals[r] > 0 ? results[k].goals[r] : 0;
        }
    }
    free(goals);
    free(results);
    free(starts);
    batch_free(batch);
}

/* Goals lie between 0 and 100, so that a mean of goals has an error of half of that at most. */
static double leaves_apart(const Game *game, const LeafSums *a, const LeafSums *b) {
    double largest = 0, error = 50 * sqrt(2.0 / PLAYOUTS);
    for (size_t i = 0; i < POSITIONS; i++)
        for (uint32_t r = 0; r < game->role_count; r++)
            largest = fmax(largest, fabs(a[i].goals[r] - b[i].goals[r]) / PLAYOUTS / error);
    return largest;
}

static void check_leaves(Check *check, Game *game) {
    LeafDevice device = gpu_leaf_device(check->gpu);
    LeafOptions options = {.seed = 9,
                           .batches = 2,
                           .states = POSITIONS / 2,
                           .playouts = PLAYOUTS,
                           .step_limit = MAX_STEPS};
    Report report = {0};
    LeafPlayer *player = device.open(device.context, game, &options, &report);
    State states[POSITIONS] = {{0}};
    const State *pointers[POSITIONS];
    LeafSums here[POSITIONS] = {{0}}, there[POSITIONS] = {{0}};
    walk(game, states);
    for (size_t i = 0; i < POSITIONS; i++) {
        pointers[i] = &states[i];
        here[i].goals = memory_zalloc((game->role_count + 1) * sizeof(double));
        there[i].goals = memory_zalloc((game->role_count + 1) * sizeof(double));
    }
    double started = clock_wall_seconds();
    bool ok = player && device.start(player, 0, pointers, POSITIONS / 2) &&
              device.start(player, 1, pointers + POSITIONS / 2, POSITIONS / 2) &&
              device.finish(player, 0, there) && device.finish(player, 1, there + POSITIONS / 2);
    double seconds = clock_wall_seconds() - started;
    play_on_processor(game, states, here);
    double apart = ok ? leaves_apart(game, here, there) : 0;
    if (ok)
        printf("    leaves: %d playouts in %.4f s, %.2f errors apart\n", POSITIONS * PLAYOUTS,
               seconds, apart);
    else
        printf("    leaves: %s\n", report.items.count ? report.items.items[0].message : "failed");
    check->largest = fmax(check->largest, ok ? apart : INFINITY);
    for (size_t i = 0; i < POSITIONS; i++) {
        state_free(&states[i]);
        free(here[i].goals);
        free(there[i].goals);
    }
    if (player)
        device.close(player);
    report_free(&report);
}

static void check_game(Check *check, const char *path) {
    Report report = {0};
    Game *game = game_open(path, NULL, &report);
    if (!game || !game_has_circuit(game)) {
        printf("%s: %s\n", path, game ? game->why_interpreted : report.items.items[0].message);
        game_free(game);
        report_free(&report);
        return;
    }
    if (check->leaves) {
        printf("%s:\n", path);
        check_leaves(check, game);
        game_free(game);
        report_free(&report);
        return;
    }
    MatchPlan plan = {.game = game,
                      .reasoner = REASONER_SLICED,
                      .seconds = check->seconds,
                      .threads = check->threads,
                      .step_limit = MAX_STEPS};
    Played cpu = play_batches(plan);
    printf("%s: %zu gates a turn, %zu fluents, %.1f turns; one core %.0f matches/s\n", path,
           game_turn_networks(game)->gates / game_turn_networks(game)->phases.count,
           game_turn_networks(game)->kept.count, matches_mean_length(&cpu.all), speed(&cpu.all));
    try_variants(check, game, &cpu);
    free_played(&cpu);
    game_free(game);
    report_free(&report);
}

int main(int count, char **words) {
    Check check = {.seconds = 1};
    Report report = {0};
    check.gpu = gpu_open(&report);
    if (!check.gpu) {
        printf("%s\n", report.items.items[0].message);
        report_free(&report);
        return 3;
    }
    const GpuProperties *p = gpu_properties(check.gpu);
    printf("%s: %u processors, %zu KB of shared memory each\n", p->name, p->processors,
           p->shared_bytes >> 10);
    for (int i = 1; i < count; i++) {
        if (!strcmp(words[i], "--variants"))
            check.variants = true;
        else if (!strcmp(words[i], "--leaves"))
            check.leaves = true;
        else if (!strcmp(words[i], "--seconds") && i + 1 < count)
            check.seconds = atof(words[++i]);
        else if (!strcmp(words[i], "--threads") && i + 1 < count)
            check.threads = (unsigned)atoi(words[++i]);
        else
            check_game(&check, words[i]);
    }
    gpu_close(check.gpu);
    report_free(&report);
    if (check.count)
        printf("%lu differences, mean square %.3f, largest %.2f errors\n", check.count,
               check.squares / (double)check.count, check.largest);
    puts(check.largest > 4 ? "some means differ" : "all means agree");
    return check.largest > 4;
}
