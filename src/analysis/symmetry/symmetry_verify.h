/* Trying a symmetry out: a match and its image are played side by side. */
#pragma once

#include "analysis/symmetry/symmetry.h"

/* Whether images of states have images of everything: end, goals, legal moves, next states. */
bool symmetry_holds_in_play(Game *game, const GamePermutation *permutation, uint64_t seed,
                            CpuBudget budget);
