/* One whole turn of random play as networks of gates: from a state and random bits to the next
 * state, with flags that tell which lanes have ended. There is one pair of networks per phase. */
#pragma once

#include "circuit/kernel.h"
#include "circuit/phases.h"

/* The step kernel of a phase reads the kept fluents, then its random bits. It writes the kept
 * fluents of the next state, `terminal`, one flag per role that is true if the role has no legal
 * move, and with show_moves the chosen moves in the order of the circuit. The goal kernel reads the
 * kept fluents and writes the goals in the order of the circuit. */
typedef struct {
    Kernel *step, *goals;
    uint32_t random_bits;
    U32Vector open_moves; /* moves of the circuit that may or may not be made in this phase */
} TurnPhase;

typedef struct {
    const Circuit *circuit; /* not owned */
    Phases phases;
    U32Vector kept; /* fluents that influence an output and are not constant in the phases */
    TurnPhase *by_phase;
    size_t gates;        /* gates of all step kernels, as mapped for the kind of kernel */
    size_t ands;         /* conjunctions of all step networks before mapping: equal for all kinds */
    uint32_t max_inputs; /* most inputs of a kernel, in Lanes */
    uint32_t max_outputs;
    size_t scratch_lanes;
    bool shows_moves; /* the chosen moves are outputs of the step kernels */
} TurnNetworks;

typedef struct {
    KernelKind kernel;
    const bool *stopped; /* as for lut_map; may be NULL */
    bool only_generated; /* code is generated for the kind, whether or not this machine has it; the
                            kernels cannot be run (kernel_generate) */
    bool keep_all_fluents; /* also keep fluents that no output needs and those that cycle; implies
                              one phase */
    bool one_phase;        /* one network for states of all phases */
    bool show_moves;       /* the chosen moves are outputs of the step kernels */
    const uint32_t *best_goals; /* by role: the goal for whose sake a move is preferred, as in
                                   circuit/decisive.h; NULL: all moves are equally likely */
} TurnOptions;

TurnNetworks *turn_create(const Circuit *circuit, const TurnOptions *options);
void turn_free(TurnNetworks *turn);
