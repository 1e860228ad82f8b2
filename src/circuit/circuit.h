/* The rules of a game as one circuit. Its inputs are fluents and moves; its outputs are terminal,
 * legal, next, goals and percepts. It is built from ground rules and simplified: rules are
 * factored, the moves of a role exclude each other (exactly one is made), and fluents that never
 * change become constants. */
#pragma once

#include "circuit/aig.h"
#include "ground/ground.h"

typedef struct {
    uint32_t role;
    Term term; /* goal value or percept */
    Signal signal;
} CircuitOutput;

typedef VECTOR(CircuitOutput) CircuitOutputs;

typedef struct {
    Aig aig;
    uint32_t fluent_count, move_count, role_count;
    uint32_t *first_move; /* by role: its first move; then move_count */
    Signal *fluents;      /* inputs */
    Signal *moves;        /* inputs, one for each move of the grounding */
    Signal *next;         /* by fluent */
    Signal *legal;        /* by move */
    Signal terminal;
    CircuitOutputs goals, percepts;
    bool *initial; /* by fluent */
    uint32_t constant_fluents;
    double cpu_seconds;
} Circuit;

typedef struct {
    bool factors; /* factor out common literals, and use that the moves of a role exclude each other
                   */
    bool finds_constants; /* find fluents that never change */
    double seconds;       /* limit of CPU time; 0: none */
    Deadline until;       /* limit by the wall clock; 0 in `at`: none */
    size_t max_gates;     /* limit of the number of gates; 0: none */
    const bool *stopped;  /* another thread sets it to stop the build; may be NULL */
} CircuitOptions;

/* NULL with an error in the report if the ground rules have a cycle through a negation, or with the
 * code "budget" if time or gates run out. */
Circuit *circuit_build(const Grounding *grounding, const CircuitOptions *options, Report *report);
void circuit_free(Circuit *circuit);

/* One byte per node: 1 if moves can influence it. The caller frees it. */
uint8_t *circuit_nodes_that_depend_on_moves(const Circuit *circuit);

/* All outputs in one list: next of every fluent, legal of every move, terminal, goals, percepts. */
void circuit_outputs(const Circuit *circuit, U32Vector *outputs);
/* Lists the goals only. */
void circuit_goal_signals(const Circuit *circuit, U32Vector *outputs);
