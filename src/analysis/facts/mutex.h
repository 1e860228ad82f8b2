/* Groups of fluents of which at most one, or exactly one, is ever true: the status of a cell, the
 * place of a piece, the value of a counter. Candidates come from watching what turns on when
 * something else turns off; the ones with a circuit are then proved by induction, all together. */
#pragma once

#include "analysis/facts/clocks.h"
#include "analysis/facts/prover.h"
#include "analysis/samples.h"

typedef struct {
    U32Vector fluents;      /* ascending */
    Certainty at_most_one;  /* never two of them */
    Certainty at_least_one; /* NONE if there are states without any */
} MutexGroup;

typedef VECTOR(MutexGroup) MutexGroups;

/* Adds groups from pairs of fluents outside all others that exclude each other: mutex_pairs.c. */
void mutex_prove_pairs(MutexGroups *groups, Prover *prover, const Samples *samples,
                       const Clocks *clocks);

/* Groups that hold in all samples, each fluent in up to a few of them; those with exactly one
 * first. A clock keeps to itself: with its values any fluent could be completed to some group. */
void mutex_observe(MutexGroups *groups, const Samples *samples, const Clocks *clocks,
                   CpuBudget budget);
/* Proves what it can and makes it a fact of the prover's. Then adds groups of which at most one is
 * true: these are only kept if proved, for samples alone suggest far too many. */
void mutex_prove(MutexGroups *groups, Prover *prover, const Samples *samples, const Clocks *clocks);
void mutex_free(MutexGroups *groups);
