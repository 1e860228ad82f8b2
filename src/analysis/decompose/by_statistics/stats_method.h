/* Decomposition by statistics, as in the thesis. Filters over counts of random play, together with
 * the rules, tell effects from coincidences. Crossing points of a causal graph divide games in
 * series. The method follows the thesis to the letter, so that results can be compared with the
 * published ones. For all other purposes use decompose.h. */
#pragma once

#include "analysis/decompose/decompose.h"

typedef struct {
    uint32_t psi;   /* effects confirm each other if more often together than this */
    uint32_t theta; /* effects of one move must occur together in more transitions than this */
    double phi;     /* a move so many times likelier is credited with the effect */
    double omega;   /* effects with a lower probability do not tie subgames together */
} StatsParameters;

/* Returns the values of the thesis. */
static inline StatsParameters stats_defaults(void) {
    return (StatsParameters){.psi = 3, .theta = 5, .phi = 1.5, .omega = 0.1};
}

/* Returns NULL if the game has no circuit. */
Decomposition *stats_decompose(Game *game, const DecomposeOptions *options,
                               const StatsParameters *parameters);
