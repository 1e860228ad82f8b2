/* Negations under a premise that holds for at most one value. `h(X) <= king(K), not t(K,X)` has
 * K*X instances, and t must be known for each of them. If there is never more than one king, then
 * "K is where the king is, and t(K,X) does not hold" is equivalent to "K is where the king is, and
 * t(L,X) holds for no L where the king is". So the negation becomes `not s(X)`, with
 * s(X) <= king(L), t(L,X), where the clauses of t are put in its place, and splitting can eliminate
 * L close to where t reads the state. */
#pragma once

#include "ground/ground.h"

/* Rewrites negated premises over relations on demand. The grounding must come from this program,
 * by demand_apply. Chooses the relations whose clauses should be split again; returns how many
 * premises changed. */
uint32_t unique_rewrite(FlatProgram *program, const Grounding *g);
