/* A network for some outputs of a circuit, optionally with the fluents of a phase as constants. */
#pragma once

#include "circuit/lut.h"
#include "circuit/phases.h"

typedef struct {
    const Phases *phases; /* NULL for no constants, else the phase below is used */
    uint32_t phase;
    bool with_moves; /* moves are inputs after the fluents; if false, no move is made */
    /* By move: 0 if it is never legal in the phase; NULL if unknown. Moves that are never legal
     * count as not made, and the only possible move of a role counts as made. */
    const uint8_t *legality;
    GateSet gates;       /* what the network is mapped to (kernel_chosen_gates) */
    const bool *stopped; /* as for lut_map; may be NULL */
} ConeOptions;

/* The inputs are all fluents in order, then with `with_moves` all moves. `constants` (one byte per
 * output, may be NULL) receives 0 or 1 for a constant output, which the network omits, and 2 for
 * the others. */
LutNetwork *cone_network(const Circuit *circuit, const Signal *outputs, size_t output_count,
                         const ConeOptions *options, uint8_t *constants);
