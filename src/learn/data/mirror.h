/* Images of the states of a data set under symmetries of the rules, including those that exchange
 * players. Symmetric states have the same values. */
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "game/game.h"
#include "learn/data/dataset.h"

typedef struct {
    Symmetries *symmetries;
    SymmetryGroup *group; /* symmetries of the rules; NULL: only the state itself */
} Mirror;

/* Finds up to `most` images per state in the time; the first is the state itself. */
Mirror *mirror_create(Game *game, size_t most, double seconds);
void mirror_free(Mirror *mirror);

/* The number of images of one state; 1 for NULL. */
static inline size_t mirror_images(const Mirror *mirror) {
    return mirror && mirror->group ? mirror->group->items.count : 1;
}

/* The permutation of fluents and roles that makes an image; NULL for the first, the state itself.
 * Facts are the fluents of the game, with the same numbers. */
static inline const GamePermutation *mirror_image(const Mirror *mirror, size_t image) {
    assert(image < mirror_images(mirror));
    return image ? &mirror->group->items.items[image] : NULL;
}

/* A new set: all images of the first row, then those of the second, and so on. */
DataSet *mirror_data(const Mirror *mirror, const DataSet *set);
