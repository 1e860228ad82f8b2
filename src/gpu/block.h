/* A program (program.h) in the memory of a GPU, ready to be run by a kernel of block.cu. */
#pragma once

#include "gpu/device.h"
#include "gpu/program.h"

/* Has the layout of Program in block.cu, with addresses on the device. */
typedef struct {
    uint64_t gates, segments, phases, lists, initial, arenas, taken;
    uint32_t phase_count, kept, roles, goal_count, fluents, slots, shared, arena_count;
} GpuProgramArgument;

typedef struct {
    Gpu *gpu;
    GpuProgram *program;
    GpuKernel *kernel;
    GpuProgramArgument argument;
    uint32_t resident; /* blocks that the whole device runs at the same time */
} GpuBlocks;

typedef struct {
    uint32_t threads; /* threads of a block; 0: both options are chosen automatically */
    uint32_t shares;  /* blocks that share a multiprocessor if values are spilled; 0 means 1 */
} GpuBlockOptions;

/* Uploads the program of a game and compiles the kernel of this name. False with an error in the
 * report if that fails. Call gpu_blocks_close in either case. */
bool gpu_blocks_open(GpuBlocks *blocks, Gpu *gpu, const TurnNetworks *turn,
                     const GpuBlockOptions *options, const char *kernel, Report *report);
void gpu_blocks_close(GpuBlocks *blocks);

/* The argument of the kernels without its addresses, which stay 0. */
GpuProgramArgument gpu_program_argument(const GpuProgram *program, const TurnNetworks *turn);
