/* Decomposition by plain statistics, as the thesis does it: effects are told from coincidences by
 * filters over counts of random play and by what the rules allow; crossing points of a causal graph
 * part games in series. Kept to the letter, so that its results can be compared with published
 * ones; decompose.h is the method to use. */
#pragma once

#include "analysis/decompose/decompose.h"

typedef struct {
    uint32_t psi;   /* effects seen together count from more than so many times on */
    uint32_t theta; /* the same for one move */
    double phi;     /* a move so many times likelier takes the effect from those beside it */
    double omega;   /* effects less probable tie nothing when hidden subgames are sought */
} StatsParameters;

/* Those of the thesis. */
static inline StatsParameters stats_defaults(void) {
    return (StatsParameters){.psi = 3, .theta = 5, .phi = 1.5, .omega = 0.1};
}

/* NULL if the game has no circuit. */
Decomposition *stats_decompose(Game *game, const DecomposeOptions *options,
                               const StatsParameters *parameters);
