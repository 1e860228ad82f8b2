/* The graph of reachable states, expanded by solving the network of each turn. With a group of
 * symmetries one state stands for each orbit. Values over any number of turns are computed by value
 * iteration. Loops of a state to itself are eliminated, and a match that never ends has value 0. */
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "base/table.h"
#include "scsp/exact/micro.h"

typedef struct {
    bool is_terminal;
    /* Range of its actions; in a terminal state first_action is the index of its goals. */
    uint32_t first_action, action_count;
} MicroState;

typedef struct {
    uint32_t first_outcome, outcome_count;
} MicroAction;

typedef struct {
    const Template *template;  /* not owned */
    VECTOR(MicroState) states; /* the initial state comes first */
    VECTOR(MicroAction) actions;
    U32Vector joints;        /* by action and role: the move; MOVE_NONE for chance */
    U32Vector outcomes;      /* states; the outcomes of one action are equally likely */
    VECTOR(int) goals;       /* by terminal state and role: the goal */
    VECTOR(uint16_t) values; /* by state and group: the value of the group */
    Table table;
    bool is_complete; /* false if it was left before all states were met */
} MicroGraph;

/* Builds the graph, which stays incomplete if there are more states, after the deadline ({0}: none)
 * or once another thread sets *stopped. `group` and `stopped` may be NULL. */
MicroGraph *micro_graph_create(const Template *template, const SymmetryGroup *group,
                               size_t max_states, Deadline deadline, const bool *stopped);
void micro_graph_free(MicroGraph *graph);
/* Returns the state with exactly these values of the groups, no image; SCSP_NONE if none. */
uint32_t micro_graph_find(const MicroGraph *graph, const uint16_t *values);

/* The rule by which actions are chosen when the value of a role is computed. */
typedef enum {
    PLAY_BEST,    /* all roles maximise the value */
    PLAY_WORST,   /* all roles minimise it */
    PLAY_UNIFORM, /* all joint actions are equally likely */
    PLAY_AGAINST  /* the role maximises and the others, who know its move, minimise */
} PlayRule;

/* Returns, by state, the value of the role, 0 to 1, to about 1e-12. The caller frees it. */
double *micro_graph_values(const MicroGraph *graph, uint32_t role, PlayRule rule);
/* Returns the value of one action. */
double micro_graph_action_value(const MicroGraph *graph, const double *values, uint32_t state,
                                uint32_t action);
