/* Solves the network of one turn for one state (a micro-SCSP, Koriche and others 2016). MAC over
 * the actions enumerates the joint actions; forward checking gives the outcomes of chance for each.
 * One solver of the template serves all states: fluents are assigned, propagated and undone. */
#pragma once

#include "scsp/exact/solver.h"
#include "scsp/network/template.h"

typedef struct {
    uint32_t action;     /* number of the joint action */
    uint32_t chance;     /* move of chance; SCSP_NONE without one */
    uint32_t first_next; /* index in `nexts`: a value for each group */
    uint64_t *percepts;  /* bitset of percepts of the template */
} MicroOutcome;

typedef struct {
    bool is_impossible; /* not a state of the game, or a role has no move */
    bool is_terminal;
    int *goals;        /* by role, as from game_goal; only for terminal states */
    U32Vector actions; /* by joint action: a move for each role, MOVE_NONE for chance */
    uint32_t action_count;
    VECTOR(MicroOutcome) outcomes; /* grouped by action; those of an action are equally likely */
    VECTOR(uint16_t) nexts;
    Arena arena;
} MicroResult;

typedef struct {
    const Template *template; /* not owned */
    Scsp state_network;       /* the part that depends on the state alone: terminal and scores */
    Solver *state_solver, *solver;
    U32Vector decisions; /* variables of the actions, without chance */
    uint32_t percept_words;
} Micro;

Micro *micro_create(const Template *template);
void micro_free(Micro *micro);

/* `state` has a value for each group. Replaces the former content of the result. */
void micro_solve(Micro *micro, const uint16_t *state, MicroResult *result);
void micro_result_free(MicroResult *result);
