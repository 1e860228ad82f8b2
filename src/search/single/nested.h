/* Nested searches for games with one role (Cazenave 2009, Rosin 2011): a search of level n plays
 * one match and asks a search of level n - 1 about every move of it (NMCS), or calls it a
 * hundred times and shifts the probabilities of moves towards the best line it brought (NRPA).
 * Both start again with new random numbers until the best possible goal or the budget is reached.
 */
#pragma once

#include "search/search.h"

typedef enum { NESTED_NMCS, NESTED_NRPA } NestedKind;

/* Callback after every step of a match at the highest level of NMCS. It is given the CPU seconds of
 * the searches below, one for each move that was tried. For studies. */
typedef struct {
    void (*step)(void *context, const double *seconds, size_t count);
    void *context;
} NestedWatcher;

typedef struct {
    NestedKind kind;
    uint32_t level;      /* 0: 2 for NMCS, 3 for NRPA */
    uint32_t step_limit; /* turns of one playout at most; 0: 10000 */
    uint64_t seed;
    const NestedWatcher *watcher; /* NULL: nobody watches */
} NestedOptions;

typedef struct {
    bool has_line;
    bool is_best; /* the score is the greatest that the rules give, or it is proven that nothing is
                     better */
    int score;    /* the goal at the end of the line */
    U32Vector line; /* moves from the first state to the end */
    uint64_t playouts;
    uint64_t descents; /* by tree search: playouts, and descents to ends that were known already */
    double cpu_seconds;
} NestedResult;

/* Searches from the state, or from the initial state if it is NULL. The game must have one role. */
void nested_search(Game *game, const State *from, const NestedOptions *options,
                   const SearchBudget *budget, NestedResult *result);
void nested_result_free(NestedResult *result);
