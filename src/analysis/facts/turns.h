/* Turn order: whether moves alternate, which fluents tell whose turn it is, and whether the turn is
 * all that distinguishes the players (impartial games). */
#pragma once

#include "analysis/facts/clocks.h"
#include "analysis/facts/prover.h"

typedef enum {
    TURNS_SINGLE,      /* there is one role */
    TURNS_ALTERNATING, /* in every state at most one role has a choice */
    TURNS_SIMULTANEOUS /* in some state several roles have a choice; one such state is a proof */
} TurnKind;

const char *turn_kind_name(TurnKind kind);

/* A fluent that tells whose turn it is. */
typedef struct {
    uint32_t fluent;
    uint32_t role; /* the only role with a choice while it is true, or ROLE_NONE */
    Certainty certainty;
} Control;

typedef struct {
    TurnKind kind;
    Certainty certainty;      /* certainty of `kind` */
    VECTOR(Control) controls; /* freed by vector_free */
    Certainty impartial;      /* OBSERVED at best, because it is never proved */
} Turns;

/* Finds the turn order. The prover may be NULL. */
void turns_find(Turns *turns, const Samples *samples, const Clocks *clocks, Prover *prover,
                CpuBudget budget);
