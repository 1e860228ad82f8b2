/* Symmetric states are worth the same: a data set is made larger by the images of its states under
 * symmetries of the rules, those that let players change places included. */
#ifndef MARELLE_LEARN_MIRROR_H
#define MARELLE_LEARN_MIRROR_H

#include "game/game.h"
#include "learn/dataset.h"

/* A new set: the rows, and up to most - 1 images of each. Facts of the set are fluents of the game
 * under the same numbers. Symmetries that are not found in time are done without. */
DataSet *mirror_data(Game *game, const DataSet *set, size_t most, double seconds);

#endif
