/* The networks of a game as text for thread.cu: all in one function, so that the state and
 * everything computed from it stay in registers. */
#pragma once

#include "base/text.h"
#include "circuit/turn.h"

enum { GPU_BLOCK = 128 /* threads of thread.cu that are started together */ };

/* Appends what thread.cu includes as `networks.h`. */
void gpu_source_write(const Turn *turn, Text *out);
/* Gates of all networks of a turn, and of the largest. */
size_t gpu_source_gates(const Turn *turn, size_t *largest);

/* The device code itself. */
extern const char gpu_source_unit[], gpu_source_thread[], gpu_source_block[], gpu_source_dense[];
