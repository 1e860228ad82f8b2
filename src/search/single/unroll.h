/* Unrolls a game with one role: its turns are laid out one after the other in one graph of gates,
 * from a known state on, with clauses that say what a match is: moves are legal, and one is made as
 * long as the match lasts. The graph is simplified while it is built, so step counters cost
 * nothing. */
#pragma once

#include "circuit/clauses.h"
#include "circuit/simultaneous.h"
#include "search/single/interference.h"

/* Where many moves may come in any order, most plans are permutations of each other, and a solver
 * refutes them one by one. So the first turns may have several moves each, as long as no two are
 * known to interfere (interference.h); the literal `one_move_literal` forbids it. */

enum { UNROLL_MAX_TOGETHER = 16 }; /* turns that may have several moves (untuned) */

/* One state, and the moves made in it. */
typedef struct {
    Signal ends;   /* true if this is the first terminal state and it has one goal only */
    Signal lasts;  /* true if neither this state nor one before is terminal */
    Signal *goals; /* by index into `values`: the state has this goal */
    Signal *does;  /* by move: it is made; NULL before the moves are laid out */
} UnrolledTurn;

typedef struct {
    const Circuit *circuit;
    const Interference *interference;
    Aig aig;
    Clauses clauses;
    int one_move_literal; /* literal; if assumed, every turn has one move */
    VECTOR(int) values;   /* different values of goals */
    VECTOR(UnrolledTurn) turns;
    bool is_complete; /* every match is over after the last turn */
    bool has_together;
    size_t pairs_told; /* pairs of the interference that the solver has clauses for */
    /* The fields below are used only in unroll.c. */
    SimultaneousTurn together;
    uint32_t *value_of_goal;     /* by goal of the circuit: index into `values`, or UINT32_MAX */
    Signal *map;                 /* scratch, by node of the circuit */
    Signal *together_map;        /* scratch, by node of the graph in `together` */
    uint8_t *together_all;       /* marks for all nodes of the graph in `together` */
    uint8_t *state_nodes, *rest; /* nodes that legal, terminal and goals need; the other nodes */
    Signal *fluents;             /* signals of the last state's fluents */
} Unrolling;

/* The game must have a circuit and one role. `must_stop` is the solver's callback (clauses_init).
 * The interference is read again whenever turns are added. */
void unrolling_init(Unrolling *unrolling, const Game *game, const Interference *interference,
                    int (*must_stop)(void *context), void *context);
void unrolling_free(Unrolling *unrolling);

/* Begins with a turn for this state; adds the moves of the last turn and the turn that follows. */
void unrolling_begin(Unrolling *unrolling, const State *from);
void unrolling_add_turn(Unrolling *unrolling);
/* Adds clauses for interfering pairs of moves that were found since the last call, in all turns. */
void unrolling_tell_new_pairs(Unrolling *unrolling);
/* The number of turns with moves in which several moves are allowed. */
size_t unrolling_turns_together(const Unrolling *unrolling);

/* A signal that is true if the match ends within so many turns with this goal or a better one. */
Signal unrolling_reaches(Unrolling *unrolling, uint32_t turns, int least);
/* Lists the moves of a turn in the solver's last solution. */
void unrolling_planned(const Unrolling *unrolling, size_t turn, U32Vector *moves);
