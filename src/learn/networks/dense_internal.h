/* Shared by evaluation and training: vectors of floats, which the compiler maps to the registers of
 * the processor, and the forward pass over a tile of four rows. */
#pragma once

#include "base/cpu.h"
#include "learn/networks/dense_layers.h"

enum { FLOATS = 16, TILE_ROWS = 4 };

typedef float Floats __attribute__((vector_size(FLOATS * sizeof(float))));
/* A vector at any address, without alignment. */
typedef float LooseFloats
    __attribute__((vector_size(FLOATS * sizeof(float)), aligned(sizeof(float)), may_alias));

/* Passes up to TILE_ROWS rows. layers[l] gets the activations of layer l, for TILE_ROWS rows. */
void dense_pass_tile(const Dense *dense, const DenseBatch *batch, uint32_t first, uint32_t rows,
                     float *const *layers, float *sums);
