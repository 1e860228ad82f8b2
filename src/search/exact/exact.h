/* Exact solving of small games within a budget of time and memory. What is done depends on who
 * decides:
 *   one role                 breadth-first over distinct states: the best goal and a shortest line
 *   two roles, constant sum  alpha-beta with bounds proven for states, deeper and deeper
 *   anything else in turns   all states, then backward induction: each role maximises its own goal,
 *                            ties go to the first move; `random` counts as chance
 * Where several roles choose at once, or see less than the state, no pure line is exact: that is
 * said instead. A line that never ends has no value, so games that can be drawn out for ever may
 * turn out to be unsolvable, but are never searched for ever. */
#pragma once

#include "base/clock.h"
#include "game/game.h"

typedef struct {
    Deadline deadline;
    size_t bytes;        /* for states; 0: no limit */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
} ExactBudget;

typedef enum {
    EXACT_SOLVED,
    EXACT_NO_TIME,
    EXACT_NO_MEMORY,
    EXACT_STOPPED,
    EXACT_SIMULTANEOUS, /* roles choose at the same time */
    EXACT_HIDDEN,       /* a role may not know the state */
    EXACT_ENDLESS,      /* some match need never end and the value hangs on it */
} ExactEnd;

/* As half a sentence: "the time is spent". */
const char *exact_end_text(ExactEnd end);

typedef struct {
    ExactEnd end;
    const char *method;       /* "breadth-first", "alpha-beta" or "backward induction" */
    bool has_values;          /* always if solved; else what one role has reached so far */
    double *values;           /* expected goal, one a role; owned */
    U32Vector line;           /* joint moves of best play, role after role */
    uint64_t states;          /* different ones met */
    uint64_t terminal_states; /* alpha-beta takes the sum of goals for constant if it is in these */
    double cpu_seconds;
} ExactResult;

/* From the state, or the initial one if it is NULL. Free the result in any case. */
void exact_solve(Game *game, const State *from, const ExactBudget *budget, ExactResult *result);
void exact_result_free(ExactResult *result);
