/* Atoms that are never true together, proved from ground rules. Fluents that agree in some columns,
 * such as places of the white king, may exclude each other if at most one of them is true
 * initially. They do if the ground rules of `next` for any two of them contradict each other. A
 * contradiction may use what is to be proved (induction), and that a role makes one legal move. */
#pragma once

#include "ground/ground.h"

/* Unlike analysis/facts/mutex.h it is asked before there is a circuit or a game to sample. */

typedef struct Exclusion Exclusion;

/* Prepares questions about a finished grounding, which must outlive the Exclusion. */
Exclusion *exclusion_create(const Grounding *g);
void exclusion_free(Exclusion *x);

/* True if in every reachable state at most one tuple of the relation is true among those that agree
 * in the columns of the mask. False if that cannot be proved with little work. */
bool exclusion_is_unique(Exclusion *x, RelationId relation, uint64_t key_columns);
