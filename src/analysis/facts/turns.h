/* Who may choose when: alternating or simultaneous moves, the fluents that tell whose turn it is,
 * and whether the turn is all that distinguishes the players (impartial games). */
#pragma once

#include "analysis/facts/clocks.h"
#include "analysis/facts/prover.h"

typedef enum {
    TURNS_SINGLE,      /* one role */
    TURNS_ALTERNATING, /* at most one role has a choice, in every state */
    TURNS_SIMULTANEOUS /* several may choose at once; one state that shows it is proof enough */
} TurnKind;

const char *turn_kind_name(TurnKind kind);

#define ROLE_NONE UINT32_MAX

/* A fluent that tells whose turn it is. */
typedef struct {
    uint32_t fluent;
    uint32_t role; /* the only one that may have a choice while it is true; ROLE_NONE: none has */
    Certainty certainty;
} Control;

typedef struct {
    TurnKind kind;
    Certainty certainty;
    VECTOR(Control) controls;
    Certainty impartial;
} Turns;

/* The prover may be NULL. */
void turns_find(Turns *turns, const Samples *samples, const Clocks *clocks, Prover *prover,
                CpuBudget budget);
void turns_free(Turns *turns);
