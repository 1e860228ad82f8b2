/* Proofs about all states at once, by SAT on the circuit: a claim holds if no assignment of fluents
 * and moves violates it. Claims are signals of an and-inverter graph, so that they are built with
 * the same few functions as the circuit itself. Claims that are assumed in the present state while
 * their violation in the next one is searched for are proved together by induction (Rintanen 2008):
 * each counterexample removes what it violates, until none is left. Of claims about recursive atoms
 * some are missed (circuit/clauses.h). */
#pragma once

#include "analysis/certainty.h"
#include "circuit/circuit.h"

typedef struct Prover Prover;

typedef enum {
    PROVER_LASTS, /* states that are not terminal */
    PROVER_MOVES  /* the same, with one legal move of each role done */
} ProverContext;

typedef struct {
    Signal violated; /* true where the claim does not hold */
    Signal assumed;  /* true where it is taken to hold; SIGNAL_TRUE: nothing */
    bool holds;      /* before: is claimed; after: is proved */
} Claim;

typedef VECTOR(Claim) Claims;

/* NULL if the circuit is too large to be worth it. The circuit must outlive it. */
Prover *prover_create(const Circuit *circuit, CpuBudget budget);
void prover_free(Prover *prover);
void prover_set_budget(Prover *prover, CpuBudget budget);

/* A signal of the circuit in the prover's graph. */
Signal prover_signal(const Prover *prover, Signal signal);
/* What a signal of the present state, in the prover's graph, will be after the moves. */
Signal prover_after_moves(Prover *prover, Signal signal);
/* The graph to build claims in. */
Aig *prover_aig(Prover *prover);

/* Clears `holds` of all claims that could be violated; of all if the budget is spent, and answers
 * false then. */
bool prover_keep_what_holds(Prover *prover, Claim *claims, size_t count, ProverContext context);
/* From now on only states in which the signal is true are considered. */
void prover_add_fact(Prover *prover, Signal fact);
