/* A program on the device, with one of the kernels of block.cu. */
#pragma once

#include "gpu/device.h"
#include "gpu/program.h"

/* The struct of the same layout in block.cu, with addresses on the device. */
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
    uint32_t threads; /* of a block; 0: chosen, and so is the next */
    uint32_t
        shares; /* blocks that share the memory of a processor where values are spilled; 0: 1 */
} GpuBlockOptions;

/* False with an error in the report; call gpu_blocks_close in either case. */
bool gpu_blocks_open(GpuBlocks *blocks, Gpu *gpu, const Turn *turn, const GpuBlockOptions *options,
                     const char *kernel, Report *report);
void gpu_blocks_close(GpuBlocks *blocks);

/* The argument without its addresses. */
GpuProgramArgument gpu_program_argument(const GpuProgram *program, const Turn *turn);
