/* The methods of decomposition by name: `auto`, by evidence (decompose.h); `rules`, by the normal
 * forms of the rules; `stats`, by counts of random play. */
#pragma once

#include "analysis/decompose/by_statistics/stats_method.h"

#define DECOMPOSE_METHODS "auto|rules|stats"

/* `method` is one of these names; NULL: auto. `parameters` are those of stats; zeros stand for its
 * defaults. NULL without a circuit, or if time or clauses did not suffice for the method rules. */
Decomposition *decompose_by_method(Game *game, const char *method, const DecomposeOptions *options,
                                   const StatsParameters *parameters);
