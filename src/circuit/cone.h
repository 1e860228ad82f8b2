/* A network for some outputs of a circuit, with the fluents of a phase constant if wanted. */
#pragma once

#include "circuit/lut.h"
#include "circuit/phases.h"

typedef struct {
    const Phases *phases; /* NULL, or the phase below is put in */
    uint32_t phase;
    bool with_moves; /* moves are inputs after the fluents; without, none is done */
    /* One byte a move: 0 if it is never legal in the phase, else not 0; NULL if unknown. Moves that
     * are never legal are taken as not done, the only possible one of a role as done. */
    const uint8_t *legality;
    unsigned gate_inputs; /* inputs per gate, 2 or 3 (kernel_gate_inputs) */
} ConeOptions;

/* Inputs are all fluents in order, then perhaps all moves. `constants` (one byte an output, may be
 * NULL) is filled with 0, 1, or 2 for outputs that are not constant; with it, constant outputs are
 * left out of the network. */
LutNetwork *cone_network(const Circuit *circuit, const Signal *outputs, size_t output_count,
                         const ConeOptions *options, uint8_t *constants);
