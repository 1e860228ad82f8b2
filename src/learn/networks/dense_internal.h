/* What asking and training share: vectors of floats that the compiler makes of what the processor
 * has, and a pass over four rows. */
#pragma once

#include "base/cpu.h"
#include "learn/networks/dense_layers.h"

enum { FLOATS = 16, TILE_ROWS = 4 };

typedef float Floats __attribute__((vector_size(FLOATS * sizeof(float))));
/* The same anywhere in memory. */
typedef float LooseFloats
    __attribute__((vector_size(FLOATS * sizeof(float)), aligned(sizeof(float)), may_alias));

/* Up to TILE_ROWS rows; layers[l] has room for TILE_ROWS rows of units and gets what layer l says.
 */
void dense_pass_tile(const Dense *dense, const DenseBatch *batch, uint32_t first, uint32_t rows,
                     float *const *layers, float *sums);
