/* How large a circuit is, for people. */
#pragma once

#include "circuit/circuit.h"

typedef struct {
    uint32_t depth, phases;
    size_t luts; /* gates with three inputs */
} CircuitMeasures;

CircuitMeasures circuit_measure(const Circuit *circuit);
