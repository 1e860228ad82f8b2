/* Writes the networks of a game as CUDA source for thread.cu. Each game gets code of its own, so
 * that the state and all values computed from it stay in registers. */
#pragma once

#include "base/text.h"
#include "circuit/turn.h"

enum { GPU_BLOCK = 128 /* threads per block of thread.cu (untuned) */ };

/* Appends the text of `networks.h`, which thread.cu includes. */
void gpu_source_write(const Turn *turn, Text *out);
/* The number of gates of all networks of a turn, and of the largest network. */
size_t gpu_source_gates(const Turn *turn, size_t *largest);

/* The texts of unit.cuh, thread.cu, block.cu and dense.cu, embedded by embed.py. */
extern const char gpu_source_unit[], gpu_source_thread[], gpu_source_block[], gpu_source_dense[];
