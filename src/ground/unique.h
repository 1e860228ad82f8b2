/* Rewrites negations next to a premise that holds for at most one value. `h(X) <= king(K), not
 * t(K,X)` has K*X instances, and t must be known for each of them. If there is never more than one
 * king, the negation can become `not s(X)` with s(X) <= king(L), t(L,X). The clauses of t are then
 * substituted for t(L,X), so that splitting can eliminate L. */
#pragma once

#include "ground/ground.h"

/* Rewrites negated premises over relations on demand. `g` must be the grounding of this program
 * after demand_apply. Chooses relations to be split again. Returns the number of changes. */
uint32_t unique_rewrite(FlatProgram *program, const Grounding *g);
