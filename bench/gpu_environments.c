/* Environments on the GPU against those of the processor, and how many steps a second they do.
 *
 *     build/tests/gpu_environments [--seconds S] [--count N] GAME.kif...
 *
 * First both play the same matches with the same moves, and every output of every step must be the
 * same (games with chance are left out of this). Then batches of 2^14, 2^17 and 2^20 matches, or
 * that of --count, step with moves drawn from the masks on the device; masks, bits of observations,
 * ends and rewards are delivered there. Prints steps of single matches a second of the clock: of
 * the whole loop, and of the step alone, which is the loop without the time that drawing takes. The
 * exit status is 1 if anything differs. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "gpu/gpu_environments.h"

enum { CHECKED = 2500, CHECKED_TURNS = 40, STEPS_AT_ONCE = 20 };

typedef struct {
    Gpu *gpu;
    Game *game;
    Report report;
} Bench;

static void stop_if(const Bench *b, bool has_failed) {
    if (!has_failed)
        return;
    fprintf(stderr, "%s\n",
            b->report.items.count ? b->report.items.items[0].message : "the device failed");
    exit(2);
}

static void *device_memory(Bench *b, size_t bytes) {
    GpuAddress address = gpu_alloc(b->gpu, bytes, &b->report);
    stop_if(b, !address);
    return (void *)(uintptr_t)address;
}

static void free_device_memory(const Bench *b, const void *memory) {
    gpu_free(b->gpu, (GpuAddress)(uintptr_t)memory);
}

/* An output: what it is called, and its bytes. */
typedef struct {
    const char *name;
    size_t bytes, offset; /* offset: of its pointer among the outputs */
} Output;

enum { OUTPUTS = 8 };

static void list_outputs(const EnvironmentShape *s, Output *outputs) {
    size_t rows = (size_t)s->count * s->roles, views = (size_t)s->count * s->views;
    const Output all[OUTPUTS] = {
        {"ends", s->count, offsetof(EnvironmentOutputs, ends)},
        {"rewards", rows * sizeof(int32_t), offsetof(EnvironmentOutputs, rewards)},
        {"masks", rows * s->mask_words * sizeof(uint64_t), offsetof(EnvironmentOutputs, masks)},
        {"observations", views * s->fact_words * sizeof(uint64_t),
         offsetof(EnvironmentOutputs, observations)},
        {"turns", s->count * sizeof(int32_t), offsetof(EnvironmentOutputs, turns)},
        {"illegal", s->count, offsetof(EnvironmentOutputs, illegal)},
        {"mask bytes", rows * s->moves, offsetof(EnvironmentOutputs, mask_bytes)},
        {"observation bytes", views * s->facts, offsetof(EnvironmentOutputs, observation_bytes)}};
    memcpy(outputs, all, sizeof all);
}

static void **pointer_of(EnvironmentOutputs *outputs, const Output *which) {
    return (void **)((char *)outputs + which->offset);
}

/* ---- the same matches ---- */

static bool is_equal(Bench *b, const Output *o, EnvironmentOutputs *here, EnvironmentOutputs *there,
                     int turn) {
    void *copy = memory_alloc(o->bytes + 1);
    stop_if(b, !gpu_read(b->gpu, copy, (GpuAddress)(uintptr_t)*pointer_of(there, o), o->bytes,
                         &b->report));
    bool same = memcmp(copy, *pointer_of(here, o), o->bytes) == 0;
    if (!same)
        printf("%s differ in turn %d\n", o->name, turn);
    free(copy);
    return same;
}

static bool plays_the_same(Bench *b) {
    EnvironmentOptions options = {.count = CHECKED, .step_limit = 30};
    Environments *e = environments_create(b->game, &options);
    GpuEnvironments *g = gpu_environments_create(b->gpu, b->game, &options, &b->report);
    stop_if(b, !g);
    const EnvironmentShape *s = environments_shape(e);
    size_t rows = (size_t)s->count * s->roles;
    Output outputs[OUTPUTS];
    EnvironmentOutputs here = {0}, there = {0};
    Random random;
    bool same = true;
    random_seed(&random, 1);
    list_outputs(s, outputs);
    for (int i = 0; i < OUTPUTS; i++) {
        *pointer_of(&here, &outputs[i]) = memory_zalloc(outputs[i].bytes + 1);
        *pointer_of(&there, &outputs[i]) = device_memory(b, outputs[i].bytes + 1);
    }
    uint32_t *moves = memory_alloc(rows * sizeof *moves);
    uint32_t *copied = device_memory(b, rows * sizeof *moves);
    environments_reset(e, NULL, &here);
    stop_if(b, !gpu_environments_reset(g, NULL, &there, NULL, &b->report));
    for (int turn = 0; turn <= CHECKED_TURNS && same; turn++) {
        for (int i = 0; i < OUTPUTS; i++)
            same &= is_equal(b, &outputs[i], &here, &there, turn);
        masks_draw(here.masks, rows, s->mask_words, &random, moves);
        for (size_t i = 0; i < rows; i += 50)
            moves[i] = (uint32_t)i;
        environments_step(e, moves, &here);
        stop_if(b, !gpu_write(b->gpu, (GpuAddress)(uintptr_t)copied, moves, rows * sizeof *moves,
                              &b->report) ||
                       !gpu_environments_step(g, copied, &there, NULL, &b->report));
    }
    for (int i = 0; i < OUTPUTS; i++) {
        free(*pointer_of(&here, &outputs[i]));
        free_device_memory(b, *pointer_of(&there, &outputs[i]));
    }
    free(moves);
    free_device_memory(b, copied);
    gpu_environments_free(g);
    environments_free(e);
    return same;
}

/* ---- speed ---- */

typedef struct {
    GpuEnvironments *environments;
    EnvironmentOutputs out;
    uint32_t *moves;
    uint64_t rows, drawn;
} Loop;

/* Seconds of one repetition: a draw, and a step if wanted. */
static double seconds_of(Bench *b, Loop *l, bool steps, double seconds) {
    uint64_t count = 0, ignored;
    double started = clock_wall_seconds(), now = started;
    for (; now < started + seconds; now = clock_wall_seconds()) {
        bool ok = true;
        for (int i = 0; i < STEPS_AT_ONCE && ok; i++)
            ok = gpu_environments_draw(l->environments, l->out.masks, l->rows, l->drawn++, l->moves,
                                       NULL, &b->report) &&
                 (!steps ||
                  gpu_environments_step(l->environments, l->moves, &l->out, NULL, &b->report));
        stop_if(b, !ok || !gpu_environments_illegal_moves(l->environments, &ignored, &b->report));
        count += STEPS_AT_ONCE;
    }
    return (now - started) / (double)count;
}

static void measure(Bench *b, uint32_t count, double seconds) {
    Loop l = {.environments = gpu_environments_create(
                  b->gpu, b->game, &(EnvironmentOptions){.count = count}, &b->report)};
    stop_if(b, !l.environments);
    const EnvironmentShape *s = gpu_environments_shape(l.environments);
    Output outputs[OUTPUTS];
    list_outputs(s, outputs);
    for (int i = 0; i < 4; i++)
        *pointer_of(&l.out, &outputs[i]) = device_memory(b, outputs[i].bytes + 1);
    l.rows = (uint64_t)count * s->roles;
    l.moves = device_memory(b, l.rows * sizeof *l.moves);
    stop_if(b, !gpu_environments_reset(l.environments, NULL, &l.out, NULL, &b->report));
    seconds_of(b, &l, true, seconds / 4); /* until matches are at all stages */
    double loop = seconds_of(b, &l, true, seconds), draw = seconds_of(b, &l, false, seconds / 2);
    printf("  %8u matches: loop %9.3f M/s, step alone %9.3f M/s\n", count, count / loop / 1e6,
           count / (loop - draw) / 1e6);
    for (int i = 0; i < 4; i++)
        free_device_memory(b, *pointer_of(&l.out, &outputs[i]));
    free_device_memory(b, l.moves);
    gpu_environments_free(l.environments);
}

static bool has_chance(const Game *game) {
    return game->chance_role < game->role_count;
}

int main(int argc, char **argv) {
    Bench b = {0};
    double seconds = 1;
    uint32_t count = 0;
    bool same = true;
    b.gpu = gpu_open(&b.report);
    stop_if(&b, !b.gpu);
    printf("%s\n", gpu_properties(b.gpu)->name);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
            seconds = atof(argv[++i]);
            continue;
        }
        if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
            count = (uint32_t)strtoul(argv[++i], NULL, 10);
            continue;
        }
        b.game = game_open(argv[i], NULL, &b.report);
        stop_if(&b, !b.game);
        printf("%s\n", argv[i]);
        if (!has_chance(b.game)) {
            bool is_same = plays_the_same(&b);
            printf("  %s\n", is_same ? "the same as the processor" : "NOT the same");
            same &= is_same;
        }
        for (uint32_t n = count ? count : 1 << 14; n <= (count ? count : 1 << 20); n *= 8)
            measure(&b, n, seconds);
        game_free(b.game);
        fflush(stdout);
    }
    gpu_close(b.gpu);
    report_free(&b.report);
    return same ? 0 : 1;
}
