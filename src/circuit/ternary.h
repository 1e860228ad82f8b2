/* Three-valued evaluation: what is certain when some inputs are unknown. A value is two bits, "may
 * be false" and "may be true". */
#pragma once

#include "circuit/circuit.h"

typedef uint8_t Ternary;
enum { TERNARY_FALSE = 1, TERNARY_TRUE = 2, TERNARY_UNKNOWN = 3 };

static inline Ternary ternary_not(Ternary v) {
    return (Ternary)((v >> 1) | ((v & 1) << 1));
}

/* Evaluates every gate. `values` has one entry per node; those of the inputs are given. */
void ternary_evaluate(const Aig *aig, Ternary *values);

static inline Ternary ternary_of(const Ternary *values, Signal s) {
    Ternary v = values[signal_node(s)];
    return signal_is_complemented(s) ? ternary_not(v) : v;
}

/* By fluent: the values it can have in reachable states, over-approximated. The caller frees the
 * array. */
Ternary *ternary_reachable(const Circuit *circuit);
/* By fluent: the values it can have after a given state, a bitset of fluents. */
Ternary *ternary_reachable_from(const Circuit *circuit, const uint64_t *words);

/* Removes gates that no output needs and, with `constants`, fluents that never change. */
void circuit_sweep(Circuit *circuit, bool constants);
