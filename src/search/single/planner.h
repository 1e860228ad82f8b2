/* Planning by SAT for games with one role (Kautz and Selman 1992). The circuit is laid out once per
 * turn, one copy after the other, and a solver is asked for moves that reach a terminal state with
 * a good goal within so many turns. This finds quickly what random play never meets where a goal is
 * the conjunction of many conditions, as in Sudoku, Queens or Lights Out. A goal that the solver
 * refutes for all lengths is proven to be unreachable. */
#pragma once

#include "search/single/nested.h"

/* Turns are laid out from a known state and simplified at once, so step counters and whatever
 * depends only on them cost nothing. Longer and longer plans are asked for, with a conflict
 * limit per question that grows from round to round (Rintanen 2004): long plans are often easier
 * to find. */

typedef struct Planner Planner;

/* Makes a planner for the state, or for the initial state if it is NULL. Returns NULL if the game
 * has no circuit or too large a circuit. The game must have one role. */
Planner *planner_create(Game *game, const State *from);
void planner_free(Planner *planner);

/* Runs on until the budget is spent. A playout of it pays for one conflict of the solver. */
void planner_run(Planner *planner, const SearchBudget *budget);
/* Tells the planner that a line with this score is known: only better ones are looked for. */
void planner_set_score(Planner *planner, int score);
/* The best line so far. `is_best` is true if nothing better exists than this line or the score that
 * was set. Valid until the next run. */
const NestedResult *planner_result(const Planner *planner);
/* True if further runs will find nothing. */
bool planner_is_done(const Planner *planner);

/* Creates a planner, runs it once and frees it. The result is empty if the game has no planner. */
void planner_solve(Game *game, const State *from, const SearchBudget *budget, NestedResult *result);
