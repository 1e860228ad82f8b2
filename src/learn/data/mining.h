/* Facts that matter together: conjunctions of a few facts whose states are worth more, or less,
 * than any part of the conjunction explains. Counting finds in a second what evolution did not find
 * in a thousand generations: the lines of Tictactoe are the pure triples. */
#pragma once

#include "learn/data/features.h"

typedef struct {
    uint32_t largest;    /* facts of a conjunction; 0: 3 */
    uint32_t support;    /* states in which it must hold; 0: 20 */
    uint32_t most;       /* conjunctions to keep; 0: 500 */
    bool only_pure;      /* those that were always worth the best score, and no part of them */
    uint64_t candidates; /* to look at, at most; 0: 200,000 */
} MiningOptions;

/* Adds features, the most telling first. Scores of the role count. */
void mine_conjunctions(const DataSet *set, uint32_t role, const ScoreRange *range,
                       const MiningOptions *options, Features *features);
