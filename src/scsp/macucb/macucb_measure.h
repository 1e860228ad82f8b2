/* What symmetries are worth to MAC-UCB in a game: how large their group is, and how many of the
 * states that the search solves without them are images of others. */
#pragma once

#include "game/game.h"

typedef struct {
    bool is_translated; /* the turn became a network in time; else the next four are 0 */
    double forbidden;   /* rows that its tables do not have: the vertices of nogoods */
    size_t generators;
    double log10_order;
    bool is_whole_group;        /* classes are those of the group, not of some elements of it */
    uint64_t solved;            /* states, or beliefs, whose turn was solved */
    uint64_t arrivals;          /* the same without taking equal ones for one */
    uint64_t classes;           /* of solved ones, up to symmetry */
    uint64_t proved, predicted; /* nogoods met */
} MacMeasures;

/* From the initial state, with so many pulls, and so much CPU time for the translation and for the
 * symmetries. False if the search cannot play the game. */
bool macucb_measure(Game *game, uint64_t pulls, double seconds, uint64_t seed,
                    MacMeasures *measures);

/* The shares of solved ones that symmetries save, and that merging of any kind saves. */
double macucb_saved_by_symmetry(const MacMeasures *measures);
double macucb_saved_by_merging(const MacMeasures *measures);
