/* The effect of several moves of one role made at once, for plans that leave the order of moves
 * open. The circuit cannot be used, since it was simplified for exactly one move. So the effect of
 * each move on each fluent is extracted, and a fluent changes if any of the moves made would change
 * it. With exactly one move the result is that of the circuit. */
#pragma once

#include "circuit/circuit.h"

typedef struct {
    Aig aig;
    Signal *fluents, *moves; /* inputs */
    Signal *next;            /* by fluent */
} SimultaneousTurn;

/* For circuits of one role. False, with nothing to free, if the network would be too large. */
bool simultaneous_build(SimultaneousTurn *together, const Circuit *circuit);
void simultaneous_free(SimultaneousTurn *together);
