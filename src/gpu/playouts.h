/* Random play on a GPU, from the initial state or from many states at once (flight.h). Small games
 * are compiled to a kernel of their own (thread.cu); large ones are programs that a fixed kernel
 * interprets (block.cu). The number of gates decides. A new kernel first plays a few matches that
 * the processor repeats, and is rejected if they differ. */
#pragma once

#include "game/sliced.h"
#include "gpu/block.h"

/* Indices of the counters, as in the kernels; one counter per goal of the circuit follows. */
enum { GPU_PLAYOUTS, GPU_TURNS, GPU_STUCK, GPU_TOO_LONG, GPU_FIRST_GOAL };

static inline size_t gpu_counters(const TurnNetworks *turn) {
    return GPU_FIRST_GOAL + turn->circuit->goals.count;
}

/* Has the layout of Play in unit.cuh, with addresses on the device. */
typedef struct {
    uint64_t seed;
    uint64_t starts, results, totals, phases;
    uint32_t units, stride, each, extra, step_limit;
} GpuPlay;

enum { GPU_UNIT_LANES = 32, GPU_UNITS_PER_PHASE = 32 };

typedef enum { GPU_KERNEL_AUTO, GPU_KERNEL_THREAD, GPU_KERNEL_BLOCK } GpuKernelKind;

typedef struct GpuPlayer GpuPlayer;

typedef struct {
    GpuKernelKind kind;    /* auto: by the number of gates */
    GpuBlockOptions block; /* used by block.cu only */
    uint64_t seed;
} GpuPlayerOptions;

/* NULL with an error in the report if there is no kernel for this game. The device and the networks
 * must outlive it. One thread may use it at a time. */
GpuPlayer *gpu_player_create(Gpu *gpu, const TurnNetworks *turn, const GpuPlayerOptions *options,
                             Report *report);
void gpu_player_free(GpuPlayer *player);

/* Plays from the initial state and adds to the counts, like sliced_play. False with an error in the
 * report if the device fails; matches played before are counted. */
bool gpu_player_play(GpuPlayer *player, const PlayoutBudget *budget, PlayoutCounts *counts,
                     Report *report);

/* For flights: a new seed, and a launch. The launch sets the stride if there are no start
 * states. */
uint64_t gpu_player_next_seed(GpuPlayer *player);
bool gpu_player_launch(GpuPlayer *player, GpuPlay *play, GpuStream *stream, Report *report);
Gpu *gpu_player_gpu(const GpuPlayer *player);
const TurnNetworks *gpu_player_turn(const GpuPlayer *player);
/* The number of words of a start state, 32 kept fluents per word. */
size_t gpu_start_words(const TurnNetworks *turn);

GpuKernelKind gpu_player_kind(const GpuPlayer *player);
/* The number of matches that play at the same time. */
uint64_t gpu_player_lanes(const GpuPlayer *player);
/* Threads per block. */
uint32_t gpu_player_threads(const GpuPlayer *player);
/* Seconds to write, compile and check the kernel. */
double gpu_player_build_seconds(const GpuPlayer *player);
