/* One whole turn of random play as networks of gates: from a state and random bits to the next
 * state, with flags that tell which lanes have ended. There is one pair of networks per phase. */
#pragma once

#include "circuit/kernel.h"
#include "circuit/phases.h"

/* The step kernel of a phase reads the kept fluents, then its random bits; it writes the kept
 * fluents of the next state, `terminal`, for each role whether it has no legal move, and if asked
 * for the moves that were chosen, in the order of the circuit. The goal
 * kernel reads the kept fluents and writes the goals in the order of the circuit. */
typedef struct {
    Kernel *step, *goals;
    uint32_t random_bits;
} TurnPhase;

typedef struct {
    const Circuit *circuit; /* not owned */
    Phases phases;
    U32Vector kept; /* fluents that matter and do not cycle */
    TurnPhase *by_phase;
    size_t gates;         /* of all step kernels, as mapped for the kernel */
    size_t ands;          /* of all step networks before mapping: the same for every kernel */
    uint32_t most_inputs; /* lanes that the input area of any kernel takes */
    uint32_t most_outputs;
    size_t scratch_lanes;
} Turn;

typedef struct {
    KernelKind kernel;
    bool keep_all_fluents; /* also those no output needs, and those that cycle: one phase */
    bool one_phase;        /* one network for states of all phases */
    bool show_moves;       /* as outputs of the step kernels */
} TurnOptions;

Turn *turn_create(const Circuit *circuit, const TurnOptions *options);
void turn_free(Turn *turn);
