/* The GPU against one core of the processor, game by game: the same statistics of random play, and
 * how much faster. Transfers are in the times, building is not.
 *
 *     build/tests/gpu_check [--seconds S] [--variants] GAME.kif...
 *
 * --variants tries both kernels, and the one for large games with blocks of several sizes. The exit
 * status is 1 if a mean of the two differs by more than four standard errors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/table.h"
#include "game/matches.h"
#include "gpu/playouts.h"

enum {
    BATCHES = 16,
    MOST_STEPS = 10000,
    COMPILED_GATES = 12000,
    RARE = 20 /* too few for a normal law */
};

typedef struct {
    Gpu *gpu;
    double seconds;
    bool variants, differs;
} Check;

typedef struct {
    GpuPlayer *player;
    Report report;
} Device;

static void play_on_device(void *context, const PlayoutBudget *budget, PlayoutCounts *counts) {
    Device *d = context;
    gpu_player_play(d->player, budget, counts, &d->report);
}

static double speed(const Matches *m) {
    return m->cpu_seconds > 0 ? (double)matches_count(m) / m->cpu_seconds : 0;
}

/* Matches in batches, whose means tell how far the mean of all can be trusted. */
typedef struct {
    Matches all;
    double lengths[BATCHES];
    size_t batches;
} Played;

static void add_batch(Played *to, const Matches *batch) {
    Matches *all = &to->all;
    if (!matches_count(batch))
        return;
    to->lengths[to->batches++] = matches_mean_length(batch);
    all->playouts += batch->playouts;
    all->stuck += batch->stuck;
    all->too_long += batch->too_long;
    all->moves += batch->moves;
    all->cpu_seconds += batch->cpu_seconds;
    for (size_t i = 0; i < batch->goals.count; i++) {
        if (all->goals.count <= i)
            vector_push(&all->goals, batch->goals.items[i]);
        else
            all->goals.items[i].count += batch->goals.items[i].count;
    }
}

static Played play_batches(MatchPlan plan) {
    Played played = {0};
    double seconds = plan.seconds;
    plan.seconds = seconds / BATCHES;
    for (uint64_t i = 0; i < BATCHES; i++) {
        Matches batch;
        plan.seed = hash_finish(hash_mix(1, i));
        matches_play(&plan, &batch);
        add_batch(&played, &batch);
        matches_free(&batch);
    }
    return played;
}

static double squared_error_of_length(const Played *p) {
    double sum = 0, squares = 0, n = (double)p->batches;
    for (size_t i = 0; i < p->batches; i++) {
        sum += p->lengths[i];
        squares += p->lengths[i] * p->lengths[i];
    }
    return n > 1 ? (squares - sum * sum / n) / (n * (n - 1)) : 0;
}

/* The largest difference of a frequency or of the mean length, in standard errors. */
static double difference(const Played *x, const Played *y) {
    const Matches *a = &x->all, *b = &y->all;
    double na = (double)matches_count(a), nb = (double)matches_count(b), largest = 0;
    for (size_t i = 0; i < a->goals.count && i < b->goals.count; i++) {
        double pa = (double)a->goals.items[i].count / na, pb = (double)b->goals.items[i].count / nb;
        double p = (pa * na + pb * nb) / (na + nb), error = sqrt(p * (1 - p) * (1 / na + 1 / nb));
        if (p * fmin(na, nb) >= RARE && fabs(pa - pb) / error > largest)
            largest = fabs(pa - pb) / error;
    }
    double error = sqrt(squared_error_of_length(x) + squared_error_of_length(y));
    double apart = fabs(matches_mean_length(a) - matches_mean_length(b));
    return error > 1e-9 && apart / error > largest ? apart / error : largest;
}

static void try_kernel(Check *check, Game *game, const Played *cpu,
                       const GpuPlayerOptions *options) {
    static const char *const kinds[] = {"auto", "thread", "block"};
    Device device = {0};
    MatchDevice hook = {play_on_device, &device};
    Played gpu = {0};
    device.player = gpu_player_create(check->gpu, game_turn(game), options, &device.report);
    if (device.player) {
        MatchPlan plan = {.game = game,
                          .reasoner = REASONER_GPU,
                          .device = &hook,
                          .seconds = check->seconds,
                          .seed = 1,
                          .step_limit = MOST_STEPS};
        gpu = play_batches(plan);
    }
    if (report_failed(&device.report)) {
        printf("    %s\n", device.report.items.items[0].message);
    } else {
        double apart = difference(cpu, &gpu);
        printf(
            "    %-6s %5u threads %9lu lanes  %14.0f matches/s  %8.1f times  %5.2f errors apart  "
            "built in %.1f s\n",
            kinds[gpu_player_kind(device.player)], gpu_player_threads(device.player),
            (unsigned long)gpu_player_lanes(device.player), speed(&gpu.all),
            speed(&gpu.all) / speed(&cpu->all), apart, gpu_player_build_seconds(device.player));
        check->differs |= apart > 4;
    }
    fflush(stdout);
    matches_free(&gpu.all);
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
    if (game_turn(game)->gates < COMPILED_GATES)
        try_kernel(check, game, cpu, &options);
    options.kind = GPU_KERNEL_BLOCK;
    try_kernel(check, game, cpu, &options);
    for (options.threads = 32; options.threads <= 1024; options.threads *= 2)
        try_kernel(check, game, cpu, &options);
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
    MatchPlan plan = {.game = game,
                      .reasoner = REASONER_SLICED,
                      .seconds = check->seconds,
                      .step_limit = MOST_STEPS};
    Played cpu = play_batches(plan);
    printf("%s: %zu gates a turn, %zu fluents, %.1f turns; one core %.0f matches/s\n", path,
           game_turn(game)->gates / game_turn(game)->phases.count, game_turn(game)->kept.count,
           matches_mean_length(&cpu.all), speed(&cpu.all));
    try_variants(check, game, &cpu);
    matches_free(&cpu.all);
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
        else if (!strcmp(words[i], "--seconds") && i + 1 < count)
            check.seconds = atof(words[++i]);
        else
            check_game(&check, words[i]);
    }
    gpu_close(check.gpu);
    report_free(&report);
    puts(check.differs ? "some means differ" : "all means agree");
    return check.differs;
}
