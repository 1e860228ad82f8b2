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

#define KNOWN_NONE UINT32_MAX

typedef struct {
    uint32_t first_outcome; /* index of its first outcome; outcomes are grouped by action */
    uint32_t first_action;  /* index in action_ends and action_moves */
    uint32_t action_count;
    uint32_t draws; /* number of joint moves of chance roles, all equally likely */
    /* Turns on the longest path to an end if is_bounded; KNOWN_NONE if a path may never end. */
    uint32_t depth;
    int goal; /* goal of the player in a terminal state, 0 to 100 */
    /* Upper bound of the goal / 100, 0 to 1; the value with full information if is_bounded. */
    double bound;
    bool is_terminal, is_expanded, is_bounded;
    bool is_listed; /* it is in the list of states to explore */
    bool is_open;   /* it is on the path of the depth-first search that computes bounds */
} KnownState;

typedef struct {
    uint32_t state, percepts;
    uint32_t times; /* number of chance moves that lead to it */
} KnownOutcome;

/* The budget of solving. It is spent as soon as one of its limits is reached. */
typedef struct {
    Deadline deadline; /* {0} for no deadline */
    /* CPU time of the thread in seconds of clock_thread_cpu_seconds; 0 for no limit. */
    double cpu_until;
    uint64_t work;       /* limit on evaluated joint moves plus searched beliefs; 0 for no limit */
    size_t bytes;        /* limit on the memory of all results; 0 for no limit */
    size_t other_bytes;  /* bytes of results outside the known states; they count against `bytes` */
    const bool *stopped; /* flag that another thread sets to stop solving; may be NULL */
    uint64_t done;       /* work done so far */
    uint32_t steps;      /* small steps that are not yet counted as work */
    bool is_over;
    bool is_out_of_memory; /* the budget is spent because of `bytes` */
} SolvingBudget;

typedef struct {
    uint32_t state, move; /* a move of the player in the state */
    uint32_t joint;       /* index of the joint move in KnownStates.joints */
} KnownDraw;

typedef struct {
    Game *game; /* not owned */
    uint32_t player, roles, words;
    double highest;             /* highest goal divided by 100, 0 to 1 */
    const SymmetryGroup *group; /* symmetries; NULL for none */
    bool keeps_texts;           /* store the texts of percepts */
    GameWork *work;
    LaneBatch *lanes;
    U32Vector *legal; /* by role: its legal moves in the current state */
    Table state_table, percept_table;
    VECTOR(uint64_t) bits; /* by state: its fluents, `words` 64-bit words each */
    VECTOR(KnownState) states;
    VECTOR(KnownOutcome) outcomes;
    U32Vector action_ends, action_moves;
    /* By action: upper bound of its value; `highest` until its state is bounded. */
    VECTOR(double) action_bounds;
    VECTOR(uint64_t) percepts;    /* by set of percepts: the reasoner's key */
    VECTOR(char *) percept_texts; /* owned */
    U32Vector images;             /* by state and element of the group: the number of the image */
    U32Vector list;               /* states explored or to be explored; the start states first */
    size_t from_count, explored;  /* number of start states, and of explored states, in the list */
    size_t layer_end;             /* index in the list where the next turn begins */
    uint32_t layer;               /* number of explored turns */
    U32Vector path; /* path of the search for bounds: states and the index of their next outcome */
    VECTOR(KnownDraw) draws; /* queue of joint moves that are evaluated together */
    uint32_t drawn_state;    /* the state whose outcomes are being added */
    Table outcome_table;     /* outcomes of the latest actions with many outcomes */
    U32Vector joints;
    VECTOR(uint64_t) made;
    State image;
} KnownStates;

KnownStates *known_states_create(Game *game, uint32_t player, const SymmetryGroup *group,
                                 bool keeps_texts);
void known_states_free(KnownStates *known);

/* Returns the number of a state and adds it if it is new. */
uint32_t known_states_add(KnownStates *known, const State *state);
/* Expands a state unless it is expanded. False, without its outcomes, if the budget is spent. */
bool known_states_expand(KnownStates *known, uint32_t state, SolvingBudget *budget);
/* Returns the index of a move of the state among the actions of all states; KNOWN_NONE if it is not
 * legal. `guess` is its likely position within the state. */
uint32_t known_states_action(const KnownStates *known, uint32_t state, uint32_t move,
                             uint32_t guess);
/* Finds the range of the action's outcomes. */
void known_states_outcomes(const KnownStates *known, uint32_t state, uint32_t action,
                           uint32_t *first, uint32_t *end);
/* Returns the number of a state; KNOWN_NONE if it is unknown. */
uint32_t known_states_find(const KnownStates *known, const State *state);
/* Returns the image of a state under a symmetry; KNOWN_NONE if it is unknown. */
uint32_t known_states_image(KnownStates *known, uint32_t state, size_t element);

/* Expands all states reachable from these within that number of turns and computes their bounds.
 * Continues an unfinished attempt if the states are the same. False if the budget is spent. */
bool known_states_explore(KnownStates *known, const uint32_t *from, size_t count, uint32_t turns,
                          SolvingBudget *budget);
size_t known_states_bytes(const KnownStates *known);

/* Reports the memory in use; true if the budget is spent. */
bool solving_is_too_large(SolvingBudget *budget, size_t bytes);
/* Adds work and sometimes checks the clock; true if the budget is spent. */
bool solving_is_over(SolvingBudget *budget, uint64_t work);
/* Adds small steps, many of which make one unit of work. True if the budget is spent. */
bool solving_has_passed(SolvingBudget *budget, uint64_t steps);
