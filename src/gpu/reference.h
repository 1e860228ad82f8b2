/* Plays on the processor the matches that the kernels must play: the same random numbers through
 * the same networks, one word of lanes at a time. A new kernel is used only if it agrees with this.
 */
#pragma once

#include "circuit/turn.h"

typedef struct {
    uint64_t seed;
    uint32_t threads;    /* of a block of block.cu; 0: for thread.cu, whose threads are units */
    uint32_t first_unit; /* of the threads or of the block */
    uint32_t unit_count; /* of thread.cu: as many as wanted; of a block: all of its units */
    uint32_t each;       /* matches per unit */
    bool is_refilled;    /* play from the initial state, with lanes that end refilled; else the
                            first 32 matches alone */
    uint32_t step_limit;
} GpuReference;

/* Writes the counters of all units, gpu_counters of each. */
void gpu_reference_play(const Turn *turn, const GpuReference *reference, uint32_t *counters);
