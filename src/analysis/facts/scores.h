/* How the players' goals relate: a constant sum, always equal, or neither. The random role is no
 * player; nothing is said about one player alone. */
#pragma once

#include "analysis/facts/prover.h"
#include "analysis/samples.h"

typedef struct {
    uint32_t players;
    Certainty constant_sum; /* of the goals of all players in terminal states */
    int sum;
    Certainty always_equal; /* cooperative: every player gets the same */
    uint32_t ends;          /* terminal states that observations rest on */
    uint32_t outcomes;      /* different ones among them */
} Scores;

/* The prover may be NULL. */
void scores_find(Scores *scores, const Samples *samples, Prover *prover);
