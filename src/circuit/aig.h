/* An and-inverter graph. Node 0 is constant false; the other nodes are inputs or conjunctions of
 * two signals. A signal is a node with a sign (signal = 2 * node + complemented), so negation is
 * free. Equal conjunctions are the same node (structural hashing), and obvious ones simplify away
 * while they are made. Nodes are numbered so that a conjunction comes after its operands. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/table.h"
#include "base/vector.h"

typedef uint32_t Signal;
#define SIGNAL_FALSE 0u
#define SIGNAL_TRUE 1u
#define SIGNAL_NONE UINT32_MAX

static inline Signal signal_not(Signal s) {
    return s ^ 1;
}
static inline uint32_t signal_node(Signal s) {
    return s >> 1;
}
static inline bool signal_is_complemented(Signal s) {
    return s & 1;
}

typedef struct {
    Signal a, b; /* operands, a < b; both SIGNAL_NONE for inputs and node 0 */
} AigNode;

/* Rules that recurse through what can change make *loops*: the recursive atoms are inputs of a
 * kind of their own. The gates between a loop's first and last node are evaluated repeatedly,
 * starting from false, until the loop's updates agree with its variables. No cycle contains a
 * negation, so this is the least fixpoint. */
typedef struct {
    uint32_t first_node, end_node; /* range of nodes to repeat, variables included */
    U32Vector variables;           /* nodes */
    U32Vector updates;             /* signals, one for each variable */
} AigLoop;

typedef struct {
    VECTOR(AigNode) nodes;
    VECTOR(AigLoop) loops;
    Table table;
    size_t and_count;
} Aig;

void aig_init(Aig *aig);
void aig_free(Aig *aig);
Signal aig_input(Aig *aig);
Signal aig_and(Aig *aig, Signal a, Signal b);

static inline Signal aig_or(Aig *aig, Signal a, Signal b) {
    return signal_not(aig_and(aig, signal_not(a), signal_not(b)));
}
Signal aig_xor(Aig *aig, Signal a, Signal b);
/* Builds balanced trees over many signals. Reorders the array. */
Signal aig_and_many(Aig *aig, Signal *signals, size_t count);
Signal aig_or_many(Aig *aig, Signal *signals, size_t count);
/* Sets *one to "at least one of the signals is true" and *two to "at least two are". */
void aig_count(Aig *aig, const Signal *signals, size_t count, Signal *one, Signal *two);

static inline bool aig_is_and(const Aig *aig, uint32_t node) {
    return aig->nodes.items[node].a != SIGNAL_NONE;
}

/* The longest path of conjunctions from the inputs to any of these signals; loops count once. */
uint32_t aig_depth(const Aig *aig, const Signal *outputs, size_t count);

/* Marks the nodes that these signals depend on, through loops as well. `marks` has one byte per
 * node and must be zero at the start. */
void aig_mark_cone(const Aig *aig, const Signal *outputs, size_t count, uint8_t *marks);

/* Copies the marked nodes of one graph to another in order, loops included. `map` has for each node
 * of the source a signal of the target. The caller sets it for inputs, and to SIGNAL_NONE
 * elsewhere; the function fills in the rest. */
void aig_copy_marked(Aig *to, const Aig *from, const uint8_t *marks, Signal *map);

static inline Signal signal_mapped(const Signal *map, Signal s) {
    return map[signal_node(s)] ^ (s & 1);
}
