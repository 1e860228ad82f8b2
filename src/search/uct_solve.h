/* UCT as a solver of games with one role: it goes on until a play-out reaches the best goal that
 * the rules give, or until the tree proves that there is nothing better than the best line met.
 * These are the yardsticks of decomposed search: plain UCT, and UCT with moves of equal effect
 * searched as one ("UCT-1SJ"). */
#ifndef MARELLE_SEARCH_UCT_SOLVE_H
#define MARELLE_SEARCH_UCT_SOLVE_H

#include "search/nested.h"

/* From the state, or the initial one if it is NULL. The game must have one role. Play-outs are made
 * one by one, since their moves are wanted. `is_best` also stands for a proof. */
void uct_solve(Game *game, const State *from, const SearchOptions *options,
               const SearchBudget *budget, NestedResult *result);

#endif
