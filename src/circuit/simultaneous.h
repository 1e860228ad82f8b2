/* What several moves of one role do when they are made at once, for plans that leave the order of
 * moves open. The circuit itself cannot say: it was simplified for exactly one move. So every
 * move's own effect on every fluent is cut out of it, and what any of the moves made would change
 * is changed; with exactly one move that is what the circuit says. */
#pragma once

#include "circuit/circuit.h"

typedef struct {
    Aig aig;
    Signal *fluents, *moves; /* inputs */
    Signal *next;            /* by fluent */
} Together;

/* False, with nothing to free, if it would take too long. The circuit must have one role. */
bool together_build(Together *together, const Circuit *circuit);
void together_free(Together *together);
