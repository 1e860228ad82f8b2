/* Shared by the files of beliefs: the successors of one state in one turn. The current joint move
 * and the legal moves of all roles are in the scratch memory. */
#pragma once

#include "game/belief.h"

enum {
    BELIEF_MAX_WIDTH =
        256 /* most joint moves tried in a state while a match is replayed (untuned) */
};

/* Memory that every step needs. */
struct BeliefScratch {
    U32Vector *legal;        /* by role */
    uint32_t *joint, *index; /* by role: the joint move; the position of each move in `legal` */
    uint64_t *keys;          /* by role: hash of its percepts */
    Text seen;
};

void belief_state_free(BeliefState *state);
void belief_states_free(BeliefStates *states);
BeliefState belief_state_copy(const BeliefState *from, uint32_t roles);
/* Lists the legal moves of all roles; of the filter's role only the move it made. Returns the
 * number of joint moves, at most `most`; 0 if there is none. */
uint64_t belief_list_joints(BeliefFilter *filter, const State *state, BeliefTurn *turn,
                            uint64_t most);
/* Moves scratch->index to the next joint move; false after the last. */
bool belief_next_joint(BeliefFilter *filter);
/* The probability of the role's i-th legal move; 1 for the filter's own role. */
double belief_move_probability(const BeliefFilter *filter, const BeliefState *from,
                               const BeliefModel *model, uint32_t role, size_t i);
/* Draws a joint move by its probability. */
void belief_draw_joint(BeliefFilter *filter, const BeliefState *from, const BeliefModel *model);
/* True if scratch->joint gives the role the percepts of the turn; fills scratch->keys. */
bool belief_explains(BeliefFilter *filter, const State *state, BeliefTurn *turn);
/* Appends the state after scratch->joint, unless it is terminal although the match goes on. */
void belief_add_successor(BeliefFilter *filter, const BeliefState *from, const BeliefTurn *turn,
                          double weight, BeliefStates *list);

/* Finds one state that explains all percepts, drawn turn by turn. Where nothing explains a percept,
 * one earlier turn is changed such that all later turns can be repeated. False if none is found in
 * time. (belief_repair.c) */
bool belief_repair(BeliefFilter *filter, const BeliefModel *model, Deadline deadline,
                   BeliefState *found);
