/* Moves that do nothing. A role waits with a move that is never one of several: it is all the role
 * may do while others choose. A role idles with a move that leaves everything as it is, but for
 * what changes by itself, although it has others. */
#pragma once

#include "analysis/facts/clocks.h"
#include "analysis/facts/prover.h"
#include "analysis/facts/relevance.h"

typedef enum { NOOP_WAITS, NOOP_IDLES } NoopKind;

const char *noop_kind_name(NoopKind kind);

typedef struct {
    uint32_t role, move; /* the move as its role numbers it */
    NoopKind kind;
    Certainty certainty;
} Noop;

typedef VECTOR(Noop) Noops;

/* Relevance and prover are NULL where there is no circuit. */
void noops_find(Noops *noops, const Samples *samples, const Clocks *clocks,
                const Relevance *relevance, Prover *prover, CpuBudget budget);
