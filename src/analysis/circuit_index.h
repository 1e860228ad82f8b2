/* Tables that map the nodes and moves of a circuit back to fluents, moves and roles, and a function
 * that copies a circuit into a new graph. Analyses that walk or copy the circuit share them. */
#pragma once

#include "circuit/circuit.h"

typedef struct {
    uint32_t *fluent_of; /* by node: the fluent whose input it is, or UINT32_MAX */
    uint32_t *move_of;   /* by node: the move whose input it is, or UINT32_MAX */
    Signal *update_of;   /* by node: the update of a loop's variable, or SIGNAL_NONE */
} CircuitIndex;

CircuitIndex circuit_index_create(const Circuit *circuit);
void circuit_index_free(CircuitIndex *index);

/* Returns the role of each move of the circuit. The caller frees the array. */
uint32_t *circuit_roles_of_moves(const Circuit *circuit);

/* Copies the marked nodes into an empty graph, whose first inputs become the fluents, then the
 * moves. Returns the signals of the copy by node of the circuit, SIGNAL_NONE for nodes left out;
 * the caller frees the array. `marks` is NULL to copy all nodes. */
Signal *circuit_copy(const Circuit *circuit, const uint8_t *marks, Aig *copy);
