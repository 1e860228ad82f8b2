/* Sub-goals and victory conditions: the smallest conditions that have a value by themselves. A gate
 * under the goals (or a fluent) is a victory condition if its value alone makes the best score
 * certain. It is a sub-goal if its value alone rules out the worst score or makes a better one
 * certain, or if the best one needs it. A subgame must contain all fluents of a sub-goal or none.
 */
#pragma once

#include "analysis/facts/influence.h"
#include "base/clock.h"
#include "game/game.h"

typedef struct {
    bool is_victory;   /* a victory condition; otherwise a sub-goal */
    bool is_shared;    /* several roles have a choice, and the best score of each needs it */
    bool value;        /* the value of the gate that fulfils the condition */
    uint32_t node;     /* the gate, a node of the circuit */
    U32Vector fluents; /* fluents that the gate depends on, ascending */
    uint32_t subgame;  /* filled in by the decomposition; UINT32_MAX for none */
} SubGoal;

typedef VECTOR(SubGoal) SubGoals;

/* Adds the conditions under all goals. `clocks` marks the fluents that depend on no move. False if
 * time ran out. */
bool subgoals_find(const Game *game, Influence *influence, const bool *clocks, Deadline deadline,
                   SubGoals *found);
/* Adds the conditions that alone end the game, or prevent its end, while only `turn` is true among
 * the turn markers. The list of turn markers may be empty. False if time ran out. */
bool subgoals_find_ends(const Game *game, Influence *influence, Deadline deadline,
                        const U32Vector *turns, uint32_t turn, SubGoals *found);
/* True if parts of the state can be won one by one although no condition belongs to a single part.
 * Three things are required: the goals depend on each part through a single gate; the best score of
 * every role requires one value of each gate, which no single fluent brings about; these values
 * together suffice for it. `part_of` has the part of each fluent, UINT32_MAX if it has none. The
 * gates are added to `found` unless it is NULL. */
bool subgoals_find_by_part(const Game *game, Influence *influence, const uint32_t *part_of,
                           uint32_t part_count, SubGoals *found);
void subgoals_free(SubGoals *subgoals);
