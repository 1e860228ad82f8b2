/* Measures the use of symmetries for MAC-UCB in a game: the size of their group, and how many
 * states that the search solves without them are images of others. */
#pragma once

#include "game/game.h"

typedef struct {
    bool is_translated; /* the template was made in time; else the next four are 0 */
    double forbidden;   /* rows missing in its tables: the vertices of nogoods */
    size_t generators;
    double log10_order;
    bool is_whole_group;        /* classes are by the whole group, not only by some elements */
    uint64_t solved;            /* solved states or beliefs */
    uint64_t arrivals;          /* solved nodes counted once per edge that leads to them */
    uint64_t classes;           /* solved nodes up to symmetry */
    uint64_t proved, predicted; /* nogoods */
} MacMeasures;

/* Searches from the initial state with that many pulls; `seconds` is the CPU time for the template
 * and its symmetries. False if the search cannot play the game. */
bool macucb_measure(Game *game, uint64_t pulls, double seconds, uint64_t seed,
                    MacMeasures *measures);

/* Shares of solved nodes saved by symmetries, and by merging of any kind. */
double macucb_saved_by_symmetry(const MacMeasures *measures);
double macucb_saved_by_merging(const MacMeasures *measures);
