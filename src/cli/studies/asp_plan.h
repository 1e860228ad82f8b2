/* An independent competitor for games of one role: clingo looks for a line to the greatest goal,
 * with one turn more as long as there is none. */
#pragma once

#include "game/game.h"

bool asp_is_installed(void);

typedef struct {
    bool is_solved;
    uint32_t turns;     /* of the line */
    double cpu_seconds; /* of all runs of clingo together */
} AspPlan;

/* Until clingo has spent that many CPU seconds; an interrupt ends it too. False after complaining
 * if clingo could not be run. */
bool asp_plan(const Game *game, int greatest_goal, double cpu_seconds, AspPlan *plan);
