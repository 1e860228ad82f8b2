/* The rules of a game as one circuit: fluents and moves in; terminal, legal, next, goals and
 * percepts out. Built from ground rules and simplified on the way: rules are factored, moves of a
 * role are known to exclude each other (exactly one is done), fluents that can never change are
 * constants. */
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
    uint32_t *first_move; /* of each role, and move_count at the end */
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
    bool factor;    /* factor common literals out, use that moves of a role exclude each other */
    bool constants; /* find fluents that never change */
    double seconds; /* limit of CPU time; 0 means none */
    size_t gates;   /* limit of the number of gates; 0 means none */
    const bool *cancelled; /* may be set by another thread; NULL if nobody will */
} CircuitOptions;

/* NULL with an error in the report if the ground rules negate round a cycle, or with the code
 * "budget" if time or gates run out. */
Circuit *circuit_build(const Grounding *grounding, const CircuitOptions *options, Report *report);
void circuit_free(Circuit *circuit);

/* One byte per node: 1 if moves can influence it. The caller frees it. */
uint8_t *circuit_nodes_that_depend_on_moves(const Circuit *circuit);

/* All outputs in one list: next of every fluent, legal of every move, terminal, goals, percepts. */
void circuit_outputs(const Circuit *circuit, U32Vector *outputs);
/* The goals alone. */
void circuit_goal_signals(const Circuit *circuit, U32Vector *outputs);
