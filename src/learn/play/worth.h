/* What a model is worth in random matches: the number of them from a state whose mean predicts the
 * rest of a match as well as the model does. */
#pragma once

#include "game/game.h"
#include "learn/play/model.h"

enum { WORTH_MOST = 128 }; /* random matches from a state */

typedef struct {
    size_t states;
    double model;                    /* its Brier score */
    double playouts[WORTH_MOST + 1]; /* by number of matches, from 1 */
    uint32_t worth; /* the fewest that do as well; WORTH_MOST + 1: not even the most */
} Worth;

/* On states of the set, whose facts are fluents of the game under the same numbers; at most so many
 * of them. False if there are none or the game has no circuit. */
bool worth_measure(Game *game, const Model *model, const DataSet *set, size_t most, uint64_t seed,
                   Worth *worth);
