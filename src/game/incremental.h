/* Evaluates the circuit for one state after another: only gates whose operands changed are
 * evaluated again. Gates are numbered in order of evaluation. Waiting gates are a set from which
 * the smallest is taken; a two-level bitset does that in a few instructions. Goals are not
 * included, because they are needed only at the end of a match. */
#pragma once

#include "base/graph.h"
#include "circuit/circuit.h"
#include "circuit/lut.h"

typedef struct Incremental {
    const Circuit *circuit; /* not owned */
    LutNetwork *network;    /* fluents, moves -> terminal, legal, next */
    Graph readers;          /* from values to the gates that read them */
    Graph outputs;          /* from values to the outputs that are this value */
    uint32_t *loop_of_gate; /* UINT32_MAX outside loops; NULL without loops */
    uint32_t state_words, legal_words;
    uint8_t *initial_values; /* by value: 0 or 1 in the empty state without moves */
} Incremental;

/* `stopped` is as for lut_map. */
Incremental *incremental_create(const Circuit *circuit, const bool *stopped);
void incremental_free(Incremental *incremental);

typedef struct IncrementalWork {
    const Incremental *incremental;
    uint8_t *values;
    uint64_t *waiting;     /* set of gates to evaluate */
    uint64_t *waiting_top; /* set of the words of `waiting` that are not zero */
    uint64_t *outputs; /* bits: next of each fluent, then (from a word boundary) legal, terminal */
    uint64_t *state;
    uint32_t *moves; /* current joint move, one per role; UINT32_MAX for none */
} IncrementalWork;

IncrementalWork *incremental_work(const Incremental *incremental);
void incremental_work_free(IncrementalWork *work);
/* Updates the outputs for this state. */
void incremental_set_state(IncrementalWork *work, const uint64_t *state);
/* Updates the `next` outputs for these moves (numbers of the circuit) in the present state. */
void incremental_set_moves(IncrementalWork *work, const uint32_t *moves);

static inline const uint64_t *incremental_next(const IncrementalWork *work) {
    return work->outputs;
}
static inline const uint64_t *incremental_legal(const IncrementalWork *work) {
    return work->outputs + work->incremental->state_words;
}
bool incremental_is_terminal(const IncrementalWork *work);
