/* Trying a symmetry out: a match and its image are played side by side. */
#ifndef MARELLE_ANALYSIS_SYMMETRY_SYMMETRY_VERIFY_H
#define MARELLE_ANALYSIS_SYMMETRY_SYMMETRY_VERIFY_H

#include "analysis/symmetry/symmetry.h"

/* Whether images of states have images of everything: end, goals, legal moves, next states. */
bool symmetry_holds_in_play(Game *game, const GamePermutation *permutation, uint64_t seed,
                            CpuBudget budget);

#endif
