/* Sub-goals and victory conditions: the smallest parts of a position that are worth something by
 * themselves. A gate of the goals (or a fluent) is a victory condition if its value alone makes the
 * best score certain, a sub-goal if it alone rules the worst score out, makes a better one certain,
 * or if the best is out of reach without it. Subgames must not tear one apart. */
#pragma once

#include "analysis/facts/influence.h"
#include "base/clock.h"
#include "game/game.h"

typedef struct {
    bool is_victory; /* else a sub-goal */
    bool value;      /* of the gate */
    uint32_t node;
    U32Vector fluents; /* under the gate, ascending */
    uint32_t subgame;  /* filled in by the decomposition; UINT32_MAX for none */
} SubGoal;

typedef VECTOR(SubGoal) SubGoals;

/* False if time did not suffice to look at all gates. */
bool subgoals_find(const Game *game, Influence *influence, Deadline deadline, SubGoals *found);
/* The same for the end of the game: adds what alone brings it about, or prevents it, while of the
 * fluents that say whose turn it is (there may be none) only this one holds. */
bool subgoals_find_ends(const Game *game, Influence *influence, Deadline deadline,
                        const U32Vector *turns, uint32_t turn, SubGoals *found);
/* Whether parts of the state, given by fluent (UINT32_MAX for none), can be won one by one although
 * no condition above belongs to one of them: the goals look at each through a single gate, the
 * best score of every role asks of each gate a value that no fluent alone brings about, and never
 * both, and all of them together are enough for it. The gates are added where they are wanted. */
bool subgoals_find_by_part(const Game *game, Influence *influence, const uint32_t *part_of,
                           uint32_t part_count, SubGoals *found);
void subgoals_free(SubGoals *subgoals);
