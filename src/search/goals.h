/* Goals as values from 0 to 1: scaled by the lowest and highest goal that the rules give a role, so
 * that an exploration constant means the same in all games. */
#pragma once

#include "game/game.h"

typedef struct {
    double lowest, span;
} GoalRange;

/* The range of the role's goals; 0..100 if they are not known because the game has no circuit. */
GoalRange goal_range(const Game *game, uint32_t role);
/* The ranges of all roles, to be freed by the caller. */
GoalRange *goal_ranges(const Game *game);
/* The value of a goal; an undefined goal has value 0. */
double goal_to_value(GoalRange range, int goal);
double goal_of_value(GoalRange range, double value);
