/* Bounds of goal values when only some fluents of a state are known. For up to 64 parts (sets of
 * fluents) at once, computes the least and the greatest goal that a role can have if the fluents of
 * the part are as in the state and all others are unknown. One pass over the cone of the goals
 * computes two words per gate, "can be true" and "can be false"; bit k belongs to part k. */
#pragma once

#include "game/game.h"

typedef struct GoalBounds GoalBounds;

enum { BOUNDS_MAX_PARTS = 64 };

/* A workspace for one thread. `parts_of` has for each fluent the parts it is in, as bits. NULL if
 * the game has no circuit. The game must outlive it; the array is copied. */
GoalBounds *bounds_create(const Game *game, const uint64_t *parts_of, uint32_t part_count);
void bounds_free(GoalBounds *bounds);

/* Evaluates; the answers below are about the state given last. */
void bounds_evaluate(GoalBounds *bounds, const State *state);
/* GOAL_NONE for both if no goal can hold. */
void bounds_goal(const GoalBounds *bounds, uint32_t part, uint32_t role, int *least, int *greatest);
