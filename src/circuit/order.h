/* An order of evaluation with short lifetimes of values: gates between loops are listed depth first
 * from their readers, so that compilers of networks need few registers. */
#pragma once

#include "circuit/lut.h"

/* All gates, each after its operands; gates of loops keep their places. The caller frees it. */
uint32_t *order_gates(const LutNetwork *network);
