/* UCT as a solver of games with one role. It runs until a playout reaches the greatest goal that
 * the rules give, or until the tree proves that nothing is better than the best line found.
 * Decomposed searches are measured against it. */
#pragma once

#include "search/single/nested.h"

/* Searches from the state, or from the initial state if it is NULL. The game must have one role.
 * Playouts are made one by one, since their moves are needed. `is_best` is also set by a proof. */
void uct_solve(Game *game, const State *from, const SearchOptions *options,
               const SearchBudget *budget, NestedResult *result);

/* Creates a solver as a search that can be resumed. A run ends when it has solved the game. */
Search *uct_solver_create(Game *game, const SearchOptions *options);
typedef struct {
    const U32Vector *line; /* best line from the present state on; NULL if there is none */
    int score;
    bool is_best; /* the score is the greatest of the rules, or it is proven that nothing is better
                   */
    uint64_t playouts;   /* as the search counts them: its descents */
    uint64_t expansions; /* descents that came to something new */
} UctSolution;

UctSolution uct_solver_solution(const Search *search);
