/* Plays on the processor the matches that the kernels must play: the same random numbers through
 * the same networks, one word of lanes at a time. A new kernel must agree with this. */
#pragma once

#include "circuit/turn.h"

typedef struct {
    uint64_t seed;
    uint32_t threads;    /* threads per block of block.cu; 0: thread.cu, a unit per thread */
    uint32_t first_unit; /* the first unit to play */
    uint32_t unit_count; /* thread.cu: any number; block.cu: GPU_UNITS, those of one block */
    uint32_t each;       /* matches per unit */
    bool is_refilled;    /* lanes whose match ends begin another, from the initial state */
    uint32_t step_limit;
} GpuReference;

/* Writes the counters of all units, gpu_counters per unit. */
void gpu_reference_play(const TurnNetworks *turn, const GpuReference *reference,
                        uint32_t *counters);
