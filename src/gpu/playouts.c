/* A launch plays a share of the matches to their end and adds up the counters on the device; only
 * the sums are copied back. Launches take about a twentieth of a second, so that their overhead
 * (start, clearing, copying, the last busy lanes) is small. */
#include "gpu/playouts.h"

#include <assert.h>
#include <string.h>

#include "base/table.h"
#include "gpu/flight.h"
#include "gpu/kernel_source.h"
#include "gpu/reference.h"

enum {
    COMPILED_GATES = 20000,        /* most gates of a game for thread.cu: larger ones compile too
                                      slowly (study: docs/results/gpu.md) */
    COMPILED_NETWORK_GATES = 6000, /* most gates of its largest network, for the same reason */
    MAX_MATCHES_PER_UNIT = 1 << 20 /* per launch: its counters have 32 bits */
};
static const double launch_seconds = 0.05; /* wall-clock time of a launch (untuned) */

struct GpuPlayer {
    Gpu *gpu;
    const TurnNetworks *turn;
    GpuKernelKind kind;
    GpuKernel *kernel; /* owned for thread.cu, else blocks.kernel */
    GpuBlocks blocks;
    uint32_t threads, units_of_block, resident_blocks;
    GpuAddress totals;
    uint64_t seed, launches;
    double matches_per_second; /* speed of the last launch; 0 before the first */
    double build_seconds;
};

uint64_t gpu_player_next_seed(GpuPlayer *p) {
    return hash_finish(hash_mix(p->seed, p->launches++));
}

/* ---- making a kernel ---- */

static bool make_thread_kernel(GpuPlayer *p, Report *report) {
    Text networks = {0};
    GpuBinary binary = {0};
    gpu_source_write(p->turn, &networks);
    const GpuHeader headers[] = {{"unit.cuh", gpu_source_unit},
                                 {"network.cuh", gpu_source_network},
                                 {"networks.h", text_string(&networks)}};
    p->threads = p->units_of_block = GPU_BLOCK;
    if (gpu_binary(p->gpu, gpu_source_thread, headers, 3, &binary, report))
        p->kernel = gpu_kernel_create(p->gpu, &binary, "play", 0, report);
    vectors_free(&binary, &networks);
    return p->kernel != NULL;
}

static bool make_block_kernel(GpuPlayer *p, const GpuBlockOptions *options, Report *report) {
    if (!gpu_blocks_open(&p->blocks, p->gpu, p->turn, options, "play", report))
        return false;
    p->kernel = p->blocks.kernel;
    p->threads = p->blocks.program->threads;
    p->units_of_block = GPU_UNITS;
    return true;
}

/* ---- launches ---- */

bool gpu_player_launch(GpuPlayer *p, GpuPlay *play, GpuStream *stream, Report *report) {
    assert(play->units);
    void *arguments[] = {play, &p->blocks.argument};
    uint32_t blocks = (play->units + p->units_of_block - 1) / p->units_of_block;
    if (!play->starts)
        play->stride = blocks * p->units_of_block;
    return gpu_launch(p->kernel, stream, blocks, p->threads, arguments, report);
}

size_t gpu_start_words(const TurnNetworks *turn) {
    return (turn->kept.count + 31) / 32;
}

/* True if a flight from the initial state and the reference have equal counters in all units. */
static bool is_equal(GpuPlayer *p, GpuFlight *flight, const GpuReference *how, Report *report) {
    size_t rows = gpu_counters(p->turn);
    uint32_t *bits = memory_zalloc((gpu_start_words(p->turn) + 1) * sizeof *bits);
    uint32_t *expected = memory_zalloc(how->unit_count * rows * sizeof *expected);
    for (size_t i = 0; i < p->turn->kept.count; i++)
        if (p->turn->circuit->initial[p->turn->kept.items[i]])
            bits[i / 32] |= UINT32_C(1) << i % 32;
    gpu_flight_set_phase(flight, 0, 0);
    for (uint32_t u = 0; u < how->unit_count; u++)
        gpu_flight_set(flight, u, bits);
    bool ok = gpu_flight_start(flight, how->unit_count, how->seed, how->step_limit, report) &&
              gpu_flight_land(flight, report);
    gpu_reference_play(p->turn, how, expected);
    bool is_same = true;
    for (uint32_t u = 0; ok && u < how->unit_count; u++)
        for (size_t r = 0; r < rows; r++)
            is_same &= gpu_flight_counter(flight, u, r) == expected[u * rows + r];
    if (ok && !is_same)
        report_error(report, "gpu-differs", "the GPU plays other matches than the processor");
    memory_free(bits, expected);
    return ok && is_same;
}

/* Compares a few short matches with those of the processor. */
static bool is_right(GpuPlayer *p, Report *report) {
    enum { UNITS = 8, WORK = 2000000, MIN_TURNS = 4, MAX_TURNS = 200 };
    size_t largest, turns = WORK / (gpu_source_gates(p->turn, &largest) + 1);
    turns = turns < MIN_TURNS ? MIN_TURNS : turns > MAX_TURNS ? MAX_TURNS : turns;
    GpuReference how = {.seed = gpu_player_next_seed(p),
                        .threads = p->kind == GPU_KERNEL_BLOCK ? p->threads : 0,
                        .unit_count = p->kind == GPU_KERNEL_BLOCK ? GPU_UNITS : UNITS,
                        .each = GPU_UNIT_LANES,
                        .step_limit = (uint32_t)turns};
    GpuFlight *flight = gpu_flight_create(p, how.unit_count, report);
    bool ok = flight && is_equal(p, flight, &how, report);
    gpu_flight_free(flight);
    return ok;
}

static GpuKernelKind choose_kind(const TurnNetworks *turn) {
    size_t largest, gates = gpu_source_gates(turn, &largest);
    return gates <= COMPILED_GATES && largest <= COMPILED_NETWORK_GATES ? GPU_KERNEL_THREAD
                                                                        : GPU_KERNEL_BLOCK;
}

GpuPlayer *gpu_player_create(Gpu *gpu, const TurnNetworks *turn, const GpuPlayerOptions *options,
                             Report *report) {
    double started = clock_wall_seconds();
    GpuPlayer *p = memory_zalloc(sizeof *p);
    p->gpu = gpu;
    p->turn = turn;
    p->seed = options->seed;
    p->kind = options->kind;
    if (p->kind == GPU_KERNEL_AUTO)
        p->kind = choose_kind(turn);
    bool ok = p->kind == GPU_KERNEL_THREAD ? make_thread_kernel(p, report)
                                           : make_block_kernel(p, &options->block, report);
    if (ok)
        p->totals = gpu_alloc(gpu, gpu_counters(turn) * sizeof(uint64_t), report);
    if (!p->totals || !is_right(p, report)) {
        gpu_player_free(p);
        return NULL;
    }
    p->resident_blocks = gpu_kernel_blocks(p->kernel, p->threads) * gpu_properties(gpu)->processors;
    p->build_seconds = clock_wall_seconds() - started;
    return p;
}

void gpu_player_free(GpuPlayer *p) {
    if (!p)
        return;
    gpu_free(p->gpu, p->totals);
    if (p->kind == GPU_KERNEL_THREAD)
        gpu_kernel_free(p->kernel);
    gpu_blocks_close(&p->blocks);
    free(p);
}

/* ---- many matches ---- */

static uint64_t most_units(const GpuPlayer *p) {
    return (uint64_t)p->resident_blocks * p->units_of_block;
}

/* The number of matches of the next launch. */
static uint64_t share_of_launch(const GpuPlayer *p, const PlayoutBudget *budget, uint64_t begun) {
    uint64_t fewest = most_units(p) * GPU_UNIT_LANES, most = most_units(p) * MAX_MATCHES_PER_UNIT;
    double left = deadline_left(budget->deadline);
    double matches = p->matches_per_second * (left < launch_seconds ? left : launch_seconds);
    uint64_t share = matches > (double)most ? most : (uint64_t)matches;
    if (share < fewest)
        share = fewest;
    if (budget->playouts && share > budget->playouts - begun)
        share = budget->playouts - begun;
    return share;
}

static void add_counts(const GpuPlayer *p, const uint64_t *totals, PlayoutCounts *counts) {
    counts->playouts += totals[GPU_PLAYOUTS];
    counts->turns += totals[GPU_TURNS];
    counts->stuck += totals[GPU_STUCK];
    counts->too_long += totals[GPU_TOO_LONG];
    for (size_t i = 0; i < p->turn->circuit->goals.count; i++)
        counts->goal_counts[i] += totals[GPU_FIRST_GOAL + i];
    counts->passes++;
}

static bool play_share(GpuPlayer *p, uint64_t share, uint32_t step_limit, uint64_t *totals,
                       Report *report) {
    assert(share);
    size_t bytes = gpu_counters(p->turn) * sizeof *totals;
    uint64_t units = (share + GPU_UNIT_LANES - 1) / GPU_UNIT_LANES;
    double started = clock_wall_seconds();
    if (units > most_units(p))
        units = most_units(p);
    GpuPlay play = {.seed = gpu_player_next_seed(p),
                    .totals = p->totals,
                    .units = (uint32_t)units,
                    .each = (uint32_t)(share / units),
                    .extra = (uint32_t)(share % units),
                    .step_limit = step_limit};
    bool ok = gpu_zero(p->gpu, p->totals, bytes, report) &&
              gpu_player_launch(p, &play, NULL, report) &&
              gpu_read(p->gpu, totals, p->totals, bytes, report);
    p->matches_per_second = (double)share / (clock_wall_seconds() - started + 1e-9);
    return ok;
}

bool gpu_player_play(GpuPlayer *p, const PlayoutBudget *budget, PlayoutCounts *counts,
                     Report *report) {
    uint64_t *totals = memory_zalloc(gpu_counters(p->turn) * sizeof *totals);
    uint64_t begun = 0;
    bool ok = true;
    while (ok && (!budget->playouts || begun < budget->playouts) &&
           !deadline_passed(budget->deadline) &&
           !(budget->stopped && budget->stopped(budget->context))) {
        uint64_t share = share_of_launch(p, budget, begun);
        ok = play_share(p, share, budget->step_limit, totals, report);
        if (ok)
            add_counts(p, totals, counts);
        begun += share;
    }
    free(totals);
    return ok;
}

Gpu *gpu_player_gpu(const GpuPlayer *p) {
    return p->gpu;
}

const TurnNetworks *gpu_player_turn(const GpuPlayer *p) {
    return p->turn;
}

GpuKernelKind gpu_player_kind(const GpuPlayer *p) {
    return p->kind;
}

uint64_t gpu_player_lanes(const GpuPlayer *p) {
    return most_units(p) * GPU_UNIT_LANES;
}

uint32_t gpu_player_threads(const GpuPlayer *p) {
    return p->threads;
}

double gpu_player_build_seconds(const GpuPlayer *p) {
    return p->build_seconds;
}
