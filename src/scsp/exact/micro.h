/* Solves the network of one turn for one state (a micro-SCSP, Koriche and others 2016). MAC over
 * the actions enumerates the joint actions; forward checking gives the outcomes of chance for each.
 * One solver of the template serves all states: fluents are assigned, propagated and undone. */
#pragma once

#include "scsp/exact/solver.h"
#include "scsp/network/template.h"

typedef struct {
    uint32_t action;     /* index of the joint action */
    uint32_t chance;     /* move of chance; SCSP_NONE if there is no chance role */
    uint32_t first_next; /* index of its first entry in `nexts`, which has a value per group */
    uint64_t *percepts;  /* bitset of percepts of the template */
} MicroOutcome;

typedef struct {
    bool is_impossible; /* it is no state of the game, or a role has no move */
    bool is_terminal;
    int *goals;        /* by role: its goal as from game_goal; terminal states only */
    U32Vector actions; /* by joint action and role: the move; MOVE_NONE for chance */
    uint32_t action_count;
    /* Outcomes grouped by action; those of one action are equally likely. */
    VECTOR(MicroOutcome) outcomes;
    VECTOR(uint16_t) nexts;
    Arena arena;
} MicroResult;

typedef struct {
    const Template *template; /* not owned */
    Scsp state_network; /* the constraints that depend on the state alone: terminal and scores */
    Solver *state_solver, *solver;
    U32Vector decisions; /* variables of the actions, except that of chance */
    uint32_t percept_words;
} Micro;

Micro *micro_create(const Template *template);
void micro_free(Micro *micro);

/* Solves the turn for a state, given by a value for each group. Replaces the former result. */
void micro_solve(Micro *micro, const uint16_t *state, MicroResult *result);
void micro_result_free(MicroResult *result);
