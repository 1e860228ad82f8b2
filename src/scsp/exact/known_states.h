/* All states met while solving a game of a single player, each expanded once, in lanes. For each
 * action a state has its outcomes: the next state, the percepts of the player and the number of
 * chance moves that lead to it.
 *
 * The bound of a state is its value for a player with full information. The value of a belief is at
 * most the mean of the bounds of its states. */
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "base/clock.h"
#include "base/table.h"
#include "game/lanes.h"
#include "scsp/exact/micro.h"

#define KNOWN_NONE UINT32_MAX

typedef struct {
    uint32_t first_outcome; /* outcomes are grouped by action */
    uint32_t first_action;  /* index in action_ends and action_moves */
    uint32_t action_count;
    uint32_t draws; /* joint moves of chance roles, all equally likely */
    uint32_t depth; /* length of the longest path to an end, if is_bounded; KNOWN_NONE: endless */
    int goal;       /* of a terminal state */
    double bound; /* upper bound of the goal divided by 100; if is_bounded, with full information */
    bool is_terminal, is_expanded, is_bounded;
    bool is_listed; /* in the list of states to explore */
    bool is_open;   /* on the path of the depth-first search that computes bounds */
} KnownState;

typedef struct {
    uint32_t state, percepts;
    uint32_t times; /* number of chance moves that lead to it */
} KnownOutcome;

/* The budget of solving, which is over as soon as one of its limits is reached. */
typedef struct {
    Deadline deadline;   /* {0}: none */
    double cpu_until;    /* in clock_thread_cpu_seconds; 0: no limit */
    uint64_t work;       /* evaluated joint moves plus searched beliefs; 0: no limit */
    size_t bytes;        /* memory of all results; 0: no limit */
    size_t other_bytes;  /* part of it that does not belong to known states */
    const bool *stopped; /* set by another thread to end; NULL: nobody does */
    uint64_t done;       /* work done so far */
    uint32_t steps;      /* small steps not yet counted as work */
    bool is_over;
    bool is_out_of_memory; /* the reason is memory */
} SolvingBudget;

typedef struct {
    uint32_t state, move; /* a move of the player in the state */
    uint32_t joint;       /* index of the joint move in KnownStates.joints */
} KnownDraw;

typedef struct {
    Game *game; /* not owned */
    uint32_t player, roles, words;
    double highest; /* the highest goal divided by 100 */
    Micro *micro;   /* NULL if the reasoner expands states */
    const Template *template;
    MicroResult solved;
    uint16_t *values;           /* scratch of the network, by group */
    const SymmetryGroup *group; /* NULL: none */
    bool keeps_texts;           /* keeps the texts of percepts */
    GameWork *work;
    LaneBatch *lanes;
    U32Vector *legal; /* by role */
    Table state_table, percept_table;
    VECTOR(uint64_t) bits; /* by state: `words` words */
    VECTOR(KnownState) states;
    VECTOR(KnownOutcome) outcomes;
    U32Vector action_ends, action_moves;
    VECTOR(double)
    action_bounds; /* of the value of an action; the highest until its state is bounded */
    VECTOR(uint64_t) percepts; /* by set of percepts: its bitset, or its key of the reasoner */
    uint32_t percept_count;
    VECTOR(char *) percept_texts; /* owned */
    U32Vector images;             /* by state and element of the group */
    U32Vector list;               /* states explored or to be explored; the start states first */
    size_t from_count, explored;  /* numbers of start states and of explored ones in the list */
    size_t layer_end;             /* index in the list where the next turn begins */
    uint32_t layer;               /* explored turns */
    U32Vector path;               /* of the bounding search: states and their next outcomes */
    VECTOR(KnownDraw) draws;      /* joint moves to be evaluated together */
    uint32_t drawn_state;         /* state whose outcomes are being added */
    Table outcome_table;          /* outcomes of the latest actions with many outcomes */
    U32Vector joints;
    VECTOR(uint64_t) made;
    State state, image;
} KnownStates;

/* With a template, states are expanded by constraints; NULL: by the reasoner. */
KnownStates *known_states_create(Game *game, uint32_t player, const Template *by_network,
                                 const SymmetryGroup *group, bool keeps_texts);
void known_states_free(KnownStates *known);

/* The number of a state, which is added if it is new. */
uint32_t known_states_add(KnownStates *known, const State *state);
/* Expands a state unless that is done. False if the budget is spent; then nothing of it is kept. */
bool known_states_expand(KnownStates *known, uint32_t state, SolvingBudget *budget);
/* The index, among the actions of all states, of a move in the state; KNOWN_NONE if it is not
 * legal. `guess` is its likely position within the state. */
uint32_t known_states_action(const KnownStates *known, uint32_t state, uint32_t move,
                             uint32_t guess);
/* The range of the action's outcomes. */
void known_states_outcomes(const KnownStates *known, uint32_t state, uint32_t action,
                           uint32_t *first, uint32_t *end);
/* The number of a state; KNOWN_NONE if it is unknown. */
uint32_t known_states_find(const KnownStates *known, const State *state);
/* The image of a state under a symmetry; KNOWN_NONE if it is unknown. */
uint32_t known_states_image(KnownStates *known, uint32_t state, size_t element);

/* Expands all states reachable from these within that many turns and computes their bounds.
 * Continues an unfinished attempt if the states are the same. False if the budget is spent. */
bool known_states_explore(KnownStates *known, const uint32_t *from, size_t count, uint32_t turns,
                          SolvingBudget *budget);
size_t known_states_bytes(const KnownStates *known);

/* Reports the memory in use; true if the budget is spent. */
bool solving_is_too_large(SolvingBudget *budget, size_t bytes);
/* Adds work and sometimes checks the clock; true if the budget is spent. */
bool solving_is_over(SolvingBudget *budget, uint64_t work);
/* Adds small steps over known states, many of which make one unit of work; true if it is spent. */
bool solving_has_passed(SolvingBudget *budget, uint64_t steps);
