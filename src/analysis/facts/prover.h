/* Proofs about all states at once, by SAT on the circuit. A claim holds if no assignment of fluents
 * and moves violates it. Claims are signals of an and-inverter graph, built with the same functions
 * as the circuit itself. Claims are proved together by induction (Rintanen 2008): all are assumed
 * in the current state, and a violation of any is searched for in the next state. Every
 * counterexample removes the claims it violates, until there is none. The method is incomplete for
 * claims about recursive atoms (circuit/clauses.h). */
#pragma once

#include "analysis/certainty.h"
#include "circuit/circuit.h"

typedef struct Prover Prover;

typedef enum {
    PROVER_LASTS, /* all states that are not terminal */
    PROVER_MOVES  /* all states that are not terminal, with one legal move of each role */
} ProverContext;

typedef struct {
    Signal violated; /* true if the claim is violated */
    Signal assumed;  /* assumed while the claims are checked; SIGNAL_TRUE assumes nothing */
    bool holds;      /* before the check: it is claimed; after it: it is proved */
} Claim;

typedef VECTOR(Claim) Claims;

/* NULL if the circuit is too large. The circuit must outlive the prover. */
Prover *prover_create(const Circuit *circuit, CpuBudget budget);
void prover_free(Prover *prover);
void prover_set_budget(Prover *prover, CpuBudget budget); /* the prover may be NULL */

/* Maps a signal of the circuit to the prover's graph. */
Signal prover_signal(const Prover *prover, Signal signal);
/* Returns the value after the moves of a signal of the prover's graph about the current state. */
Signal prover_after_moves(Prover *prover, Signal signal);
/* Returns the graph in which claims are built. */
Aig *prover_aig(Prover *prover);

/* Checks all claims together and clears `holds` of those that could be violated. False if the
 * budget ran out; then `holds` of all claims is cleared. */
bool prover_check(Prover *prover, Claim *claims, size_t count, ProverContext context);
/* From now on only states in which the signal is true are considered. */
void prover_add_fact(Prover *prover, Signal fact);
