/* Sizes of a circuit, for display. */
#pragma once

#include "circuit/circuit.h"

typedef struct {
    uint32_t depth, phases;
    size_t luts; /* gates with three inputs, in one network for all outputs */
} CircuitMeasures;

/* If `stopped` (may be NULL) is set meanwhile, `luts` is too large. */
CircuitMeasures circuit_measure(const Circuit *circuit, const bool *stopped);
