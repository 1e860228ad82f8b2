/* Symmetric states are worth the same: images of the states of a data set under symmetries of the
 * rules, those that let players change places included. */
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "game/game.h"
#include "learn/data/dataset.h"

typedef struct {
    Symmetries *symmetries;
    SymmetryGroup *group; /* NULL: no image but the state itself */
} Mirror;

/* Up to `most` images of a state, itself included, and first. Symmetries that are not found in time
 * are done without. */
Mirror *mirror_create(Game *game, size_t most, double seconds);
void mirror_free(Mirror *mirror);

/* Images of one state. NULL mirrors nothing. */
static inline size_t mirror_images(const Mirror *mirror) {
    return mirror && mirror->group ? mirror->group->items.count : 1;
}

/* What makes an image: of facts that are fluents of the game under the same numbers, and of roles.
 * NULL for the first, the state itself. */
static inline const GamePermutation *mirror_image(const Mirror *mirror, size_t image) {
    return image ? &mirror->group->items.items[image] : NULL;
}

/* A new set: all images of the first row, then those of the second, and so on. */
DataSet *mirror_data(const Mirror *mirror, const DataSet *set);
