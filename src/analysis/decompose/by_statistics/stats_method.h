/* Decomposition by statistics, as in the thesis. Filters over counts of random play, together with
 * the rules, tell effects from coincidences. Crossing points of a causal graph divide games in
 * series. It follows the thesis to the letter, so that results can be compared with the published
 * ones. For other purposes use decompose.h. */
#pragma once

#include "analysis/decompose/decompose.h"

typedef struct {
    uint32_t psi;   /* effects must be seen together more often than this to count */
    uint32_t theta; /* effects of one move must be seen together more often than this */
    double phi;     /* a move this many times likelier takes the effect from the others */
    double omega;   /* effects less probable than this do not tie subgames together */
} StatsParameters;

/* The values of the thesis. */
static inline StatsParameters stats_defaults(void) {
    return (StatsParameters){.psi = 3, .theta = 5, .phi = 1.5, .omega = 0.1};
}

/* NULL if the game has no circuit. */
Decomposition *stats_decompose(Game *game, const DecomposeOptions *options,
                               const StatsParameters *parameters);
