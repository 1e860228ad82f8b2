/* The states of a game as networks of one turn reach them, each once, or once for each orbit of a
 * group of symmetries; and values over any number of turns, by value iteration. A state that leads
 * to itself is solved for itself, and a match that never ends is worth nothing. */
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "base/table.h"
#include "scsp/exact/micro.h"

typedef struct {
    bool is_terminal;
    uint32_t first_action, action_count; /* of a terminal one: first_action is its goals */
} MicroState;

typedef struct {
    uint32_t first_outcome, outcome_count;
} MicroAction;

typedef struct {
    const Template *template;  /* not owned */
    VECTOR(MicroState) states; /* the initial one first */
    VECTOR(MicroAction) actions;
    U32Vector joints;        /* by action: a move for each role, MOVE_NONE for chance */
    U32Vector outcomes;      /* states, equally likely */
    VECTOR(int) goals;       /* by terminal state and role */
    VECTOR(uint16_t) values; /* by state: those of its groups */
    Table table;
    bool is_complete; /* false: there are more states than allowed */
} MicroGraph;

/* `group` may be NULL. */
MicroGraph *micro_graph_create(const Template *template, const SymmetryGroup *group,
                               size_t most_states);
void micro_graph_free(MicroGraph *graph);
/* The state with these values of the groups, as it is written, without regard to symmetries;
 * SCSP_NONE if there is none. */
uint32_t micro_graph_find(const MicroGraph *graph, const uint16_t *values);

/* What players do where the role would like to have its value. */
typedef enum {
    PLAY_BEST,
    PLAY_WORST,
    PLAY_UNIFORM,
    PLAY_AGAINST /* the role does what is best for it, and the others what is worst for it */
} PlayRule;

/* By state: what the role gets, 0..1, to within 1e-12 or so. The caller frees it. */
double *micro_graph_values(const MicroGraph *graph, uint32_t role, PlayRule rule);
/* What it gets from one action. */
double micro_graph_action_value(const MicroGraph *graph, const double *values, uint32_t state,
                                uint32_t action);
