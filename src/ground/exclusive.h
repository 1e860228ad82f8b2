/* Atoms that never hold together. Fluents that share all columns but some, one for each place of
 * the white king, are suspected to exclude each other if at most one of them holds initially; that
 * stays so if the ground rules of `next` for any two of them contradict each other. A contradiction
 * may use what is to be proven (induction), that a role does one move only, and that a move is done
 * only where it is legal. */
#pragma once

#include "ground/ground.h"

typedef struct Exclusion Exclusion;

/* Prepares questions about a finished grounding, which must outlive them. */
Exclusion *exclusion_create(const Grounding *g);
void exclusion_free(Exclusion *x);

/* True if in every reachable state at most one tuple of the relation holds among those that agree
 * on the columns of the mask. False if that could not be proven with little work. */
bool exclusion_is_unique(Exclusion *x, RelationId relation, uint64_t key_columns);
