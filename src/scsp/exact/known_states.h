/* The states that a single player of a game may be in, numbered as they are met, with all that may
 * happen in each: for every action the states it may lead to, what the player perceives then, and
 * how many moves of chance do that. Expanding is done in lanes, once a state.
 *
 * A bound says what a state would be worth at most to a player who sees everything: no knowledge is
 * worth more than the mean of its states' bounds. */
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "base/clock.h"
#include "base/table.h"
#include "game/lanes.h"
#include "scsp/exact/micro.h"

#define KNOWN_NONE UINT32_MAX

typedef struct {
    uint32_t first_outcome; /* those of an action stand together */
    uint32_t first_action;  /* into action_ends: where its outcomes end; its move stands beside */
    uint32_t action_count;
    uint32_t draws; /* moves of chance and of others, all equally likely */
    uint32_t depth; /* the longest way to an end, if is_bounded; KNOWN_NONE if there is none */
    int goal;       /* where the match is over */
    double bound;   /* of its value, a goal as part of 100; exact for who sees all if is_bounded */
    bool is_terminal, is_expanded, is_bounded;
    bool is_listed; /* in the list of what is being explored */
    bool is_open;   /* on the way that is being bounded */
} KnownState;

typedef struct {
    uint32_t state, percepts;
    uint32_t times; /* moves of chance that lead to it */
} KnownOutcome;

/* What solving may take. It is over as soon as one of these is spent. */
typedef struct {
    Deadline deadline;   /* with deadline.at 0: none */
    double cpu_until;    /* in clock_thread_cpu_seconds; 0: no limit */
    uint64_t work;       /* moves of all that were evaluated, and beliefs searched; 0: no limit */
    size_t bytes;        /* of all that is kept; 0: no limit */
    size_t other_bytes;  /* of these, that are kept beside states */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
    uint64_t done;       /* work, so far */
    uint32_t steps;      /* that are not yet counted as work */
    bool is_over;
    bool is_out_of_memory; /* that is why */
} SolvingBudget;

typedef struct {
    uint32_t state, move; /* a move of the player in the state, ... */
    uint32_t joint;       /* and all moves, in KnownStates.joints */
} KnownDraw;

typedef struct {
    Game *game; /* not owned */
    uint32_t player, roles, words;
    double highest; /* value that a state may have: the highest goal as part of 100 */
    Micro *micro;   /* NULL if the reasoner is asked */
    const Template *template;
    MicroResult solved;
    uint16_t *values;           /* scratch of the network, by group */
    const SymmetryGroup *group; /* NULL: none */
    bool keeps_texts;           /* of percepts */
    GameWork *work;
    LaneBatch *lanes;
    U32Vector *legal; /* by role */
    Table state_table, percept_table;
    VECTOR(uint64_t) bits; /* of all states */
    VECTOR(KnownState) states;
    VECTOR(KnownOutcome) outcomes;
    U32Vector action_ends, action_moves;
    VECTOR(double)
    action_bounds; /* of the value of an action; the highest until its state is bounded */
    VECTOR(uint64_t) percepts; /* by set of percepts: its bits, or the reasoner's number for it */
    uint32_t percept_count;
    VECTOR(char *) percept_texts; /* owned */
    U32Vector images;             /* by state and element of the group */
    U32Vector list;               /* what is explored or to be explored, after those it is from */
    size_t from_count, explored;  /* so many of the list */
    size_t layer_end;             /* where the next turn begins in the list */
    uint32_t layer;               /* turns */
    U32Vector path;               /* states and their next outcomes, of what is being bounded */
    VECTOR(KnownDraw) draws;      /* scratch of expanding */
    uint32_t drawn_state;         /* whose outcomes are being noted */
    Table outcome_table;          /* outcomes of the last actions that have many */
    U32Vector joints;
    VECTOR(uint64_t) made;
    State state, image;
} KnownStates;

/* The template is needed for turns that are solved by constraints; NULL: the reasoner is asked. */
KnownStates *known_states_create(Game *game, uint32_t player, const Template *by_network,
                                 const SymmetryGroup *group, bool keeps_texts);
void known_states_free(KnownStates *known);

/* The number of a state, which is new if need be. */
uint32_t known_states_add(KnownStates *known, const State *state);
State known_states_view(const KnownStates *known, uint32_t state);
/* False if that was broken off, when nothing of it is kept. Does nothing with a state that is
 * expanded already, or over. */
bool known_states_expand(KnownStates *known, uint32_t state, SolvingBudget *budget);
/* The action that is this move in the state, counted from all actions there are, most likely the
 * `guess`th of the state; KNOWN_NONE if it is not legal there. */
uint32_t known_states_action(const KnownStates *known, uint32_t state, uint32_t move,
                             uint32_t guess);
/* Its outcomes. */
void known_states_outcomes(const KnownStates *known, uint32_t state, uint32_t action,
                           uint32_t *first, uint32_t *end);
/* KNOWN_NONE if it was never met. */
uint32_t known_states_find(const KnownStates *known, const State *state);
/* The state that the symmetry makes of it; KNOWN_NONE if that was never met. */
uint32_t known_states_image(KnownStates *known, uint32_t state, size_t element);

/* Expands everything that may follow these states within so many turns, and bounds it. Goes on
 * where it was broken off if the states are the same. False if it is broken off. */
bool known_states_explore(KnownStates *known, const uint32_t *from, size_t count, uint32_t turns,
                          SolvingBudget *budget);
size_t known_states_bytes(const KnownStates *known);

/* Notes how much memory is in use; true if nothing more may be done. */
bool solving_is_too_large(SolvingBudget *budget, size_t bytes);
/* Notes so much work, and looks at the clock now and then; true if nothing more may be done. */
bool solving_is_over(SolvingBudget *budget, uint64_t work);
/* The same for steps over what is known already, many of which are a unit of work. */
bool solving_has_passed(SolvingBudget *budget, uint64_t steps);
