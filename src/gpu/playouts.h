/* Random play on a GPU, from the initial state, or from many states at once (flight.h). Small games
 * run as machine code of their own (thread.cu), large ones as programs (block.cu); which one a game
 * gets is decided by its gates. A new kernel plays a few matches that the processor plays as well,
 * and is given up if they differ. */
#pragma once

#include "game/sliced.h"
#include "gpu/block.h"

/* What is counted, by the kernels too; the goals of the circuit follow. */
enum { GPU_PLAYOUTS, GPU_MOVES, GPU_STUCK, GPU_TOO_LONG, GPU_FIRST_GOAL };

static inline size_t gpu_counters(const Turn *turn) {
    return GPU_FIRST_GOAL + turn->circuit->goals.count;
}

/* As in unit.cuh, with addresses on the device. */
typedef struct {
    uint64_t seed;
    uint64_t starts, results, totals, phases;
    uint32_t units, stride, each, extra, step_limit;
} GpuPlay;

enum { GPU_UNIT_LANES = 32, GPU_UNITS_OF_PHASE = 32 };

typedef enum { GPU_KERNEL_AUTO, GPU_KERNEL_THREAD, GPU_KERNEL_BLOCK } GpuKernelKind;

typedef struct GpuPlayer GpuPlayer;

typedef struct {
    GpuKernelKind kind;    /* auto: by the number of gates */
    GpuBlockOptions block; /* of block.cu */
    uint64_t seed;
} GpuPlayerOptions;

/* NULL with an error in the report if there is no kernel for this game. The device and the networks
 * must outlive it. One thread may use it at a time. */
GpuPlayer *gpu_player_create(Gpu *gpu, const Turn *turn, const GpuPlayerOptions *options,
                             Report *report);
void gpu_player_free(GpuPlayer *player);

/* Plays from the initial state and adds to the counts, like sliced_play. False with an error in the
 * report if the device fails; what it had played by then is counted. */
bool gpu_player_play(GpuPlayer *player, const PlayoutBudget *budget, PlayoutCounts *counts,
                     Report *report);

/* For flights: a seed that no launch had, and a launch. Without starts it sets the stride. */
uint64_t gpu_player_next_seed(GpuPlayer *player);
bool gpu_player_launch(GpuPlayer *player, GpuPlay *play, GpuStream *stream, Report *report);
Gpu *gpu_player_gpu(const GpuPlayer *player);
const Turn *gpu_player_turn(const GpuPlayer *player);
/* Words of 32 kept fluents that make a state. */
size_t gpu_start_words(const Turn *turn);

GpuKernelKind gpu_player_kind(const GpuPlayer *player);
/* Lanes that play at the same time. */
uint64_t gpu_player_lanes(const GpuPlayer *player);
/* Threads of a block, for those who look inside. */
uint32_t gpu_player_threads(const GpuPlayer *player);
/* Seconds to write, compile and check the kernel. */
double gpu_player_build_seconds(const GpuPlayer *player);
