/* An order of evaluation in which values live shortly: gates between loops are put in depth-first
 * order from what reads them, so that compilers of networks need few registers. */
#pragma once

#include "circuit/lut.h"

/* All gates, each after its operands; gates of loops keep their places. The caller frees it. */
uint32_t *order_gates(const LutNetwork *network);
