/* Goals as values from 0 to 1: stretched by the lowest and highest goal that the rules give a
 * role, so that searches weigh luck against gain alike in all games. */
#pragma once

#include "game/game.h"

typedef struct {
    double lowest, span;
} GoalRange;

/* For the role; 0..100 if the game is interpreted, whose goals are not known in advance. */
GoalRange goal_range(const Game *game, uint32_t role);
/* Goals that are not defined are worth nothing. */
double goal_to_value(GoalRange range, int goal);
double goal_of_value(GoalRange range, double value);
