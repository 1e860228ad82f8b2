/* Exact solving of small games within a budget of time and memory. The method depends on the roles:
 *   one role                 breadth-first over distinct states: the best goal and a shortest line
 *   two roles, constant sum  alpha-beta with bounds proven for states, deeper and deeper
 *   anything else in turns   all states, then backward induction: each role maximises its own goal,
 *                            ties go to the first move; `random` counts as chance
 * Where several roles choose at once, or see less than the state, no line of pure moves is exact,
 * and the result says so. A line that never ends has no value. So games whose matches need not end
 * may turn out to be unsolvable, but the search always ends. */
#pragma once

#include "base/clock.h"
#include "game/game.h"

typedef struct {
    Deadline deadline;
    size_t bytes;        /* memory for states; 0: no limit */
    const bool *stopped; /* set by another thread to stop the search; may be NULL */
} ExactBudget;

typedef enum {
    EXACT_SOLVED,
    EXACT_NO_TIME,
    EXACT_NO_MEMORY,
    EXACT_STOPPED,
    EXACT_SIMULTANEOUS, /* roles choose at the same time */
    EXACT_HIDDEN,       /* a role may not know the state */
    EXACT_ENDLESS,      /* a match need not end, and the value depends on it */
} ExactEnd;

/* The reason as half a sentence, such as "the time is spent". */
const char *exact_end_text(ExactEnd end);

typedef struct {
    ExactEnd end;
    const char *method;       /* "breadth-first", "alpha-beta" or "backward induction" */
    bool has_values;          /* always if solved; else for one role, with its best goal so far */
    double *values;           /* by role: expected goal; owned by the result */
    U32Vector line;           /* joint moves of best play, role after role */
    uint64_t states;          /* states met */
    uint64_t terminal_states; /* terminal states met; alpha-beta checks only their goals */
    double cpu_seconds;
} ExactResult;

/* Solves the game from the state, or the initial state if it is NULL. Always free the result. */
void exact_solve(Game *game, const State *from, const ExactBudget *budget, ExactResult *result);
void exact_result_free(ExactResult *result);
