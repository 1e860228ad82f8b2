/* How the goals of the players relate: they have a constant sum, they are always equal, or neither.
 * The random role is no player. Games of one player are left out. */
#pragma once

#include "analysis/facts/prover.h"
#include "analysis/samples.h"

typedef struct {
    uint32_t players;       /* number of roles without random */
    Certainty constant_sum; /* the players' goals have one sum in all terminal states */
    int sum;                /* the constant sum, valid unless constant_sum is NONE */
    Certainty always_equal; /* cooperative: every player always gets the same */
    uint32_t ends;          /* number of terminal states that were sampled */
    uint32_t outcomes;      /* number of different tuples of goals among them */
} Scores;

/* Finds the relation. The prover may be NULL. */
void scores_find(Scores *scores, const Samples *samples, Prover *prover);
