/* Signals of an and-inverter graph as literals of a SAT solver. A gate becomes clauses when a
 * signal that depends on it is first used (Tseitin 1968), so that one solver serves a growing
 * graph.
 *
 * Recursive atoms are only required to agree with their rules, which allows more solutions than the
 * least fixpoint. So a refutation is valid, but a solution must be checked. */
#pragma once

#include <ccadical.h>

#include "circuit/aig.h"

typedef VECTOR(int) Literals;
typedef enum { SAT_UNKNOWN = 0, SAT_FOUND = 10, SAT_REFUTED = 20 } SatAnswer;

typedef struct {
    const Aig *aig; /* may grow */
    CCaDiCaL *solver;
    U32Vector variables; /* by node: its variable in the solver; 0 if it has none yet */
    uint32_t variable_count;
    U32Vector loop_updates; /* by node: the update of a loop variable, else SIGNAL_NONE */
    size_t loops_noted;
    U32Vector stack; /* scratch */
} Clauses;

/* `must_stop` is polled while the solver runs; a value other than 0 ends it without an answer. */
void clauses_init(Clauses *clauses, const Aig *aig, int (*must_stop)(void *context), void *context);
void clauses_free(Clauses *clauses);

/* The literal of a signal. Adds the clauses of its cone if necessary. */
int clauses_literal(Clauses *clauses, Signal signal);
/* A new literal that belongs to no signal. */
int clauses_fresh_literal(Clauses *clauses);
void clauses_add(Clauses *clauses, const int *literals, size_t count);

/* Assumes the literal, only for the next call of clauses_solve. */
void clauses_assume(Clauses *clauses, int literal);
/* Gives up after so many conflicts; 0 means no limit. */
SatAnswer clauses_solve(Clauses *clauses, uint32_t conflicts);
/* The value of a signal, which must have a literal, in the last solution. Valid until clauses are
 * added. */
bool clauses_is_true(const Clauses *clauses, Signal signal);
