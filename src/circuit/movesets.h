/* Signals that depend only on the move of one role. Exactly one move of a role is made, so such a
 * signal is a set of moves: it is true if the move is in the set. Unions, intersections and
 * complements are computed on sets, without looking at gates. A set of most moves of the role is
 * built as the negation of the few others, and equal sets are one signal. */
#pragma once

#include "circuit/circuit.h"

typedef struct MoveSets MoveSets;

/* Makes the sets for the move inputs of this circuit, which must outlive it. Roles with very many
 * moves have no sets. */
MoveSets *movesets_create(Circuit *circuit);
void movesets_free(MoveSets *movesets);

/* Replaces the signals that are sets of moves by one signal: the disjunction over the roles of the
 * unions of their sets, or the conjunction of the intersections. Returns how many are left. */
size_t movesets_gather(MoveSets *movesets, Signal *signals, size_t count, bool intersect);
