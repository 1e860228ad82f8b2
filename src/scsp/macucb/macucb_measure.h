/* Measures the use of symmetries for MAC-UCB in a game: the order of the group, and how many of the
 * states that the search solves without symmetries are images of others. */
#pragma once

#include "game/game.h"

typedef struct {
    bool is_translated; /* the template was made in time; otherwise the next four fields are 0 */
    double forbidden; /* number of rows missing in its tables, which are the vertices of nogoods */
    size_t generators;
    double log10_order;
    bool is_whole_group; /* classes are counted by the whole group, not only by some elements */
    uint64_t solved;     /* number of solved states or beliefs */
    uint64_t arrivals;   /* number of edges that lead to solved nodes */
    uint64_t classes;    /* number of classes of solved nodes up to symmetry */
    uint64_t proved, predicted; /* number of nogoods by proof, and by prediction */
} MacUcbMeasures;

/* Searches from the initial state with that many pulls. `seconds` is the CPU time for the template
 * and its symmetries. False if the search cannot play the game. */
bool macucb_measure(Game *game, uint64_t pulls, double seconds, uint64_t seed,
                    MacUcbMeasures *measures);
