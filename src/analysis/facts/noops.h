/* Moves that do nothing. A role waits with a move that is its only legal one whenever it is legal,
 * while others choose. A role idles with a move that changes only autonomous fluents. */
#pragma once

#include "analysis/facts/prover.h"
#include "analysis/samples.h"

typedef enum { NOOP_WAITS, NOOP_IDLES } NoopKind;

const char *noop_kind_name(NoopKind kind);

typedef struct {
    uint32_t role, move; /* the move is numbered within its role */
    NoopKind kind;
    Certainty certainty;
} Noop;

typedef VECTOR(Noop) Noops;

/* `autonomous` is a bitset of fluents that no move changes. The prover may be NULL. */
void noops_find(Noops *noops, const Samples *samples, const uint64_t *autonomous, Prover *prover,
                CpuBudget budget);
