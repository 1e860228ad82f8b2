/* An independent competitor for games with one role: clingo looks for a line of moves to the
 * greatest goal. The number of turns is increased by one as long as there is no such line. */
#pragma once

#include "game/game.h"

bool asp_is_installed(void);

typedef struct {
    bool is_solved;
    uint32_t turns;     /* number of turns of the line */
    double cpu_seconds; /* CPU time of all runs of clingo together */
} AspPlan;

/* Runs until clingo has spent that many CPU seconds or the user interrupts. Returns false, after
 * complaining, if clingo could not be run. */
bool asp_plan(const Game *game, int greatest_goal, double cpu_seconds, AspPlan *plan);
