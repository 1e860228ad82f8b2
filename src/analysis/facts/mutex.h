/* Mutual exclusion: groups of fluents of which at most one, or exactly one, is ever true, such as
 * the contents of a cell, the place of a piece or the value of a counter. Candidate groups are
 * checked in samples of random matches and proved by induction over the circuit, all together
 * (Rintanen 2008). Candidates come from three sources:
 *
 *   mutex.c        fluents that turn on when others turn off: exactly one is true;
 *   mutex_pairs.c  pairs that were never seen together although chance should have shown them:
 *                  at most one is true;
 *   mutex_keys.c   fluents of one functor that agree in some arguments, the key: a partition of the
 *                  fluents, from which constraint networks make their variables.
 *
 * ground/exclusive.h answers a similar question from ground rules, before there is a circuit. */
#pragma once

#include "analysis/facts/clocks.h"
#include "analysis/facts/prover.h"
#include "analysis/samples.h"

typedef struct {
    U32Vector fluents;      /* ascending */
    Certainty at_most_one;  /* no two are true at once */
    Certainty at_least_one; /* CERTAINTY_NONE if in some state none is true */
} MutexGroup;

typedef VECTOR(MutexGroup) MutexGroups;

void mutex_free(MutexGroups *groups);

/* Finds groups of which exactly one fluent is true in all samples, at most a few per fluent. Clocks
 * are grouped only among themselves, because they could complete any group. */
void mutex_observe(MutexGroups *groups, const Samples *samples, const Clocks *clocks,
                   CpuBudget budget);
/* Proves as many groups as it can and makes them facts of the prover. Then adds groups from pairs;
 * these are kept only if they are proved, because samples alone suggest far too many. */
void mutex_prove(MutexGroups *groups, Prover *prover, const Samples *samples, const Clocks *clocks);
/* The step of mutex_prove that groups pairs of fluents that are in no group yet. */
void mutex_prove_pairs(MutexGroups *groups, Prover *prover, const Samples *samples,
                       const Clocks *clocks);

/* Finds groups by functor and key, without overlap and all proved. For each functor it takes the
 * smallest key whose groups are mutually exclusive. `constants` has a Ternary per fluent. */
void mutex_find_by_keys(MutexGroups *groups, const Samples *samples, const Grounding *grounding,
                        const uint8_t *constants, CpuBudget budget);

/* Fills in two claims: at most one and at least one fluent is true. The second may be NULL. */
void mutex_claim(const U32Vector *fluents, Prover *prover, const Circuit *circuit,
                 Claim *at_most_one, Claim *at_least_one);
