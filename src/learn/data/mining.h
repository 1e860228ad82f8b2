/* Mines conjunctions of a few facts whose states have a higher or lower value than any smaller
 * conjunction contained in them explains (frequent item sets, Agrawal and Srikant 1994). The lines
 * of Tictactoe are the pure triples. */
#pragma once

#include "learn/data/features.h"

typedef struct {
    uint32_t largest; /* facts per conjunction, at most 4; 0: 3 */
    uint32_t support; /* fewest states in which a conjunction holds; 0: 20 */
    uint32_t most;    /* conjunctions to keep; 0: 500 */
    /* Keeps those whose states all have the best score, without the smaller ones they contain. */
    bool only_pure;
    uint64_t candidates; /* conjunctions to examine, at most; 0: 200,000 */
} MiningOptions;

/* Adds features, the most significant first, by the scores of one role. */
void mine_conjunctions(const DataSet *set, uint32_t role, const ScoreRange *range,
                       const MiningOptions *options, Features *features);
