/* Plans by SAT, for games in which one role decides everything (Kautz and Selman 1992): the circuit
 * is laid out once for every turn, one copy after the other, and a solver is asked for moves that
 * lead to an end with a good goal within so many turns. Where a goal is the meeting of many
 * conditions, as in Sudoku, Queens or Lights Out, that finds in a blink what random play never
 * meets; what the solver refutes for all lengths is proven.
 *
 * Turns are laid out from a known state and simplified on the way, so that step counters and all
 * that hangs on them cost nothing. Longer and longer plans are asked for, with a limit for each
 * question that grows from round to round (Rintanen 2004): long plans are often easier than the
 * shortest one. */
#pragma once

#include "search/single/nested.h"

typedef struct Planner Planner;

/* Plans from the state, or the initial one if it is NULL. NULL if the game has no circuit or one
 * too large. The game must have one role. */
Planner *planner_create(Game *game, const State *from);
void planner_free(Planner *planner);

/* Goes on where it was left. Playouts of the budget are conflicts of the solver. */
void planner_run(Planner *planner, const SearchBudget *budget);
/* Lines that reach no more than this are of no use. */
void planner_set_score(Planner *planner, int score);
/* The best line so far, and whether nothing better exists than it or the score that was set. Valid
 * until it runs again. */
const NestedResult *planner_result(const Planner *planner);
/* Nothing more will come of it. */
bool planner_is_done(const Planner *planner);

/* All of it in one call. Free the result in any case; without a planner it is empty. */
void planner_solve(Game *game, const State *from, const SearchBudget *budget, NestedResult *result);
