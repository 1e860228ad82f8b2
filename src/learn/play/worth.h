/* The worth of a model in playouts: the number of playouts from a state whose mean predicts the
 * result of the match as well as the model does. */
#pragma once

#include "game/game.h"
#include "learn/play/model.h"

enum { WORTH_MAX_PLAYOUTS = 128 }; /* playouts per state (untuned) */

typedef struct {
    size_t states;
    double model; /* Brier score of the model */
    double playouts[WORTH_MAX_PLAYOUTS +
                    1]; /* by number of playouts, from 1: Brier score of their mean */
    /* Fewest playouts that are as good as the model; WORTH_MAX_PLAYOUTS + 1: none is. */
    uint32_t worth;
} Worth;

/* Measures on at most `most` states of the set, whose facts are fluents of the game with the same
 * numbers. False if there are none or the game has no circuit. */
bool worth_measure(Game *game, const Model *model, const DataSet *set, size_t most, uint64_t seed,
                   Worth *worth);
