/* Writes the networks of a game as CUDA source for thread.cu. Each game gets code of its own, so
 * that the state and all values computed from it stay in registers. */
#pragma once

#include "base/text.h"
#include "circuit/turn.h"

enum { GPU_BLOCK = 128 /* threads per block of thread.cu (untuned) */ };

/* Appends the functions of one network, called NAME followed by the phase. Its first `kept` inputs
 * are inputs of the function; the others are random bits, but for the variables of loops. Returns
 * the number of slots of `v`, the memory that the function wants. */
uint32_t gpu_source_write_network(const LutNetwork *network, const char *name, uint32_t phase,
                                  uint32_t kept, Text *out);
/* Appends the text of `networks.h`, which thread.cu includes. */
void gpu_source_write(const TurnNetworks *turn, Text *out);
/* The number of gates of all networks of a turn, and of the largest network. */
size_t gpu_source_gates(const TurnNetworks *turn, size_t *largest);

/* The texts of the device files, embedded by embed.py. */
extern const char gpu_source_unit[], gpu_source_network[], gpu_source_thread[], gpu_source_block[],
    gpu_source_environments[], gpu_source_dense[];
