/* The network of one turn for one state (a micro-SCSP), solved: all joint actions by MAC over the
 * actions, and for each of them what chance may do and lead to, by forward checking. The template's
 * solver is used for all states: fluents are assigned, the rest follows, everything is undone. */
#pragma once

#include "scsp/exact/solver.h"
#include "scsp/network/template.h"

typedef struct {
    uint32_t action;     /* number of the joint action */
    uint32_t chance;     /* move of chance; SCSP_NONE without one */
    uint32_t first_next; /* into `nexts`: a value for each group */
    uint64_t *percepts;  /* bitset over those of the template */
} MicroOutcome;

typedef struct {
    bool is_impossible; /* no state of the game, or a role without a move */
    bool is_terminal;
    int *goals;        /* by role, as game_goal says; meaningful in terminal states */
    U32Vector actions; /* joint actions: a move for each role, MOVE_NONE for chance */
    uint32_t action_count;
    VECTOR(MicroOutcome) outcomes; /* those of an action stand together and are equally likely */
    VECTOR(uint16_t) nexts;
    Arena arena;
} MicroResult;

typedef struct {
    const Template *template; /* not owned */
    Scsp state_network;       /* what the state alone decides, for it may be terminal */
    Solver *state_solver, *solver;
    U32Vector decisions; /* variables */
    uint32_t percept_words;
    uint64_t solved;
} Micro;

Micro *micro_create(const Template *template);
void micro_free(Micro *micro);

/* `state` has a value for each group. Replaces what the result held. */
void micro_solve(Micro *micro, const uint16_t *state, MicroResult *result);
void micro_result_free(MicroResult *result);
