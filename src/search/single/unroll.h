/* The turns of a game with one role laid out one after the other, as one graph of gates from a
 * known state on, with clauses that say what a match is: moves are legal, one is made as long as
 * the match lasts. The graph is simplified on the way, so that step counters and all that hangs on
 * them cost nothing.
 *
 * Where many moves may come in any order, most plans are the same plan told in another order, and a
 * solver refutes them one by one. So the first turns may have several moves each, as long as none
 * is known to get in the way of another; the literal `in_turn` forbids it. */
#pragma once

#include "circuit/clauses.h"
#include "circuit/simultaneous.h"
#include "search/single/interference.h"

enum { UNROLL_MOST_TOGETHER = 16 }; /* turns with several moves */

/* One state, and the moves made in it. */
typedef struct {
    Signal ends;   /* this state is the first that is terminal, and its goal is not ambiguous */
    Signal lasts;  /* neither this state nor one before is terminal */
    Signal *goals; /* by `values` */
    Signal *does;  /* by move; NULL before the moves were laid out */
} UnrolledTurn;

typedef struct {
    const Circuit *circuit;
    const Interference *interference;
    Aig aig;
    Clauses clauses;
    int in_turn;        /* literal: one move at a time */
    VECTOR(int) values; /* of goals, each once */
    VECTOR(UnrolledTurn) turns;
    bool is_complete; /* after the last turn every match is over */
    bool has_together;
    size_t pairs_told; /* of the interference, to the solver */
    /* Inside. */
    Together together;
    uint32_t *value_of_goal; /* by goal of the circuit: of `values`; beyond them: no number */
    Signal *map;             /* scratch, by node of the circuit */
    Signal *together_map;    /* scratch, by node of its graph */
    uint8_t *together_all;   /* all of its nodes */
    uint8_t *judging, *rest; /* nodes of the circuit that legal, terminal and goals need; others */
    Signal *fluents;         /* of the last state */
} Unrolling;

/* The game must have a circuit and one role. `must_stop` is the solver's (clauses_init). The
 * interference is looked at again whenever turns are added. */
void unrolling_init(Unrolling *unrolling, const Game *game, const Interference *interference,
                    int (*must_stop)(void *context), void *context);
void unrolling_free(Unrolling *unrolling);

/* The first turn is the state itself. */
void unrolling_begin(Unrolling *unrolling, const State *from);
void unrolling_add_turn(Unrolling *unrolling);
/* Pairs of moves seen since then are kept apart in all turns there are. */
void unrolling_tell_new_pairs(Unrolling *unrolling);
/* Turns that have moves, and in which several of them may be made. */
size_t unrolling_turns_together(const Unrolling *unrolling);

/* An end within so many turns, with this goal or a better one. */
Signal unrolling_reaches(Unrolling *unrolling, uint32_t turns, int least);
/* The moves of a turn in what the solver found. */
void unrolling_planned(const Unrolling *unrolling, size_t turn, U32Vector *moves);
