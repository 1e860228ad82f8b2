/* What the files of beliefs share: one turn of one state. The joint move in question stands in the
 * scratch memory, as do the legal moves it was taken from. */
#pragma once

#include "game/belief.h"

enum {
    BELIEF_WIDEST = 256 /* joint moves tried in one state while a match is gone through again */
};

/* Memory that one step needs, kept from step to step. */
struct BeliefScratch {
    U32Vector *legal; /* by role */
    uint32_t *joint, *index;
    uint64_t *keys;
    Text seen;
};

BeliefState belief_state_copy(const BeliefState *from, uint32_t roles);
/* Lists the legal moves of all roles, the own one restricted to what it did. The number of joint
 * moves, at most `most`; 0 if there is none. */
uint64_t belief_list_joints(BeliefFilter *filter, const State *state, BeliefTurn *turn,
                            uint64_t most);
/* Moves scratch->index to the next joint move; false after the last. */
bool belief_next_joint(BeliefFilter *filter);
/* The probability of the role's i-th legal move; only the filter's own role has none. */
double belief_share(const BeliefFilter *filter, const BeliefState *from, const BeliefModel *model,
                    uint32_t role, size_t i);
/* One joint move by its probabilities. */
void belief_draw_joint(BeliefFilter *filter, const BeliefState *from, const BeliefModel *model);
/* Whether scratch->joint shows the role what it perceived; the keys of all roles are then known. */
bool belief_explains(BeliefFilter *filter, const State *state, BeliefTurn *turn);
/* The state after scratch->joint, unless the match would be over there and is not. */
void belief_add_successor(BeliefFilter *filter, const BeliefState *from, const BeliefTurn *turn,
                          double weight, BeliefStates *list);

/* belief_repair.c: one state that explains everything, drawn turn by turn; where nothing explains a
 * percept, one earlier turn is changed such that all turns after it may stay as they are. False if
 * none is found in time. */
bool belief_repair(BeliefFilter *filter, const BeliefModel *model, Deadline deadline,
                   BeliefState *found);
