/* Tests a symmetry by playing random matches together with their images. */
#pragma once

#include "analysis/symmetry/symmetry.h"

/* True if the image of each state has the same end and goals, and its legal moves and its next
 * state are the images of those of the state. */
bool symmetry_holds_in_play(Game *game, const GamePermutation *permutation, uint64_t seed,
                            CpuBudget budget);
