/* Evaluates the circuit for one state with compiled networks, run in one lane. Each phase has
 * networks for terminal and legal, for the next state, for goals and for percepts. States that fit
 * no phase use networks without constants. A next state stays unpacked, one vector per fluent, so
 * that questions about it right afterwards need no loading. */
#pragma once

#include "circuit/cone.h"
#include "circuit/kernel.h"

typedef struct {
    Kernel *answers;       /* fluents -> terminal, legal of the moves that are not constant */
    Kernel *next;          /* fluents, moves -> next of each fluent */
    Kernel *goals;         /* fluents -> goals */
    Kernel *percepts;      /* fluents, moves -> percepts */
    U32Vector open_moves;  /* moves whose legality is output 1, 2, ... of the answers, by role */
    U32Vector legal_moves; /* moves that are legal in all states of the phase, by role */
    uint32_t *first_open, *first_legal; /* by role: start of its moves in these lists, then the end
                                           of the last role */
    uint8_t *legality; /* by move: 0 never legal in the phase, 1 always, 2 depends on the state */
} ScalarPhase;

typedef struct Scalar {
    const Circuit *circuit; /* not owned */
    Phases phases;
    ScalarPhase *by_phase; /* one per phase, then one for states that fit no phase */
    uint32_t words;        /* 64-bit words of a state */
    size_t scratch_values; /* most values of scratch memory that a network needs */
    size_t gates;          /* gates of the largest pair of networks for answers and next state */
    bool can_pack_fast;    /* this machine has the instructions of cpu_pack_64 */
} Scalar;

/* `stopped` is as for lut_map. */
Scalar *scalar_create(const Circuit *circuit, KernelKind kind, const bool *stopped);
void scalar_free(Scalar *scalar);

typedef struct {
    NarrowLanes *values; /* one vector per fluent, then one per move; only the lowest bit is used */
    uint64_t *words;     /* these fluents as a bitset */
} ScalarArea;

typedef struct ScalarWork {
    const Scalar *scalar;
    ScalarArea now, next;
    NarrowLanes *answers, *goals, *percepts, *scratch;
    bool has_answers, has_goals;
    uint32_t phase;
} ScalarWork;

ScalarWork *scalar_work(const Scalar *scalar);
void scalar_work_free(ScalarWork *work);

bool scalar_is_terminal(ScalarWork *work, const uint64_t *state);
/* Lists the legal moves of the role in ascending order; the role's first move is number 0. The list
 * must be empty. */
void scalar_legal(ScalarWork *work, const uint64_t *state, uint32_t role, U32Vector *moves);
/* True if the goal (a number of the circuit) holds in the state. */
bool scalar_goal(ScalarWork *work, const uint64_t *state, size_t goal);
/* Writes the next state for these moves (numbers of the circuit, one per role); `next` may be the
 * state itself. */
void scalar_next(ScalarWork *work, const uint64_t *state, const uint32_t *moves, uint64_t *next);
/* Evaluates the percepts of these moves; scalar_percept then answers for each. */
void scalar_perceive(ScalarWork *work, const uint64_t *state, const uint32_t *moves);
static inline bool scalar_percept(const ScalarWork *work, size_t percept) {
    return work->percepts[percept][0] & 1;
}
