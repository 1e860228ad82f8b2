/* Signals of an and-inverter graph as literals of a SAT solver: gates become clauses when something
 * that depends on them is asked for first (Tseitin 1968), so that one solver serves a graph that
 * grows.
 *
 * Recursive atoms are only required to agree with their rules, which allows more than the least
 * fixpoint does: what is refuted stays refuted, what is found must be checked. */
#pragma once

#include <ccadical.h>

#include "circuit/aig.h"

typedef VECTOR(int) Literals;
typedef enum { SAT_UNKNOWN = 0, SAT_FOUND = 10, SAT_REFUTED = 20 } SatAnswer;

typedef struct {
    const Aig *aig; /* may grow */
    CCaDiCaL *solver;
    U32Vector variables; /* by node; 0 until it has clauses */
    uint32_t variable_count;
    U32Vector loop_updates; /* by node: the update of a loop variable, else SIGNAL_NONE */
    size_t loops_noted;
    U32Vector stack; /* scratch */
} Clauses;

/* `must_stop` is polled while the solver runs; true ends it without an answer. */
void clauses_init(Clauses *clauses, const Aig *aig, int (*must_stop)(void *context), void *context);
void clauses_free(Clauses *clauses);

/* The signal as a literal. */
int clauses_literal(Clauses *clauses, Signal signal);
/* A literal that belongs to no signal. */
int clauses_fresh_literal(Clauses *clauses);
void clauses_add(Clauses *clauses, const int *literals, size_t count);

/* Assumes the literal in the next call of clauses_solve only. */
void clauses_assume(Clauses *clauses, int literal);
/* Gives up after `conflicts` conflicts; 0 means never. */
SatAnswer clauses_solve(Clauses *clauses, uint32_t conflicts);
/* The value of a signal in the solution found. Valid until clauses are added; the signal must have
 * a literal. */
bool clauses_is_true(const Clauses *clauses, Signal signal);
