/* UCT as a solver of games with one role: it goes on until a playout reaches the best goal that
 * the rules give, or until the tree proves that there is nothing better than the best line met.
 * It is the yardstick of decomposed search. */
#pragma once

#include "search/single/nested.h"

/* From the state, or the initial one if it is NULL. The game must have one role. Playouts are made
 * one by one, since their moves are wanted. `is_best` also stands for a proof. */
void uct_solve(Game *game, const State *from, const SearchOptions *options,
               const SearchBudget *budget, NestedResult *result);

/* The same as a search that can be stopped and goes on; it ends a run when it has solved the game.
 */
Search *uct_solver_create(Game *game, const SearchOptions *options);
typedef struct {
    const U32Vector *line; /* the best met from the present state on; NULL if there was none */
    int score;
    bool is_best; /* it has the greatest goal of the rules, or nothing better exists */
    uint64_t playouts;
} UctSolution;

UctSolution uct_solver_solution(const Search *search);
