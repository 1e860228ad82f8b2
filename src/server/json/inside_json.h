/* What analysis finds in a game, as JSON for the page and for `--json`. */
#pragma once

#include <jansson.h>

#include "analysis/analysis.h"
#include "analysis/decompose/decompose.h"
#include "analysis/symmetry/symmetry.h"

json_t *json_analysis(const Analysis *a);
json_t *json_decomposition(const Game *game, const GameWork *work, const Decomposition *d,
                           Composition composition);
/* `vertices` (text, subgame or null, whether it is a meta-action) and `links` (two vertices, kind,
 * whether it was cut). */
json_t *json_decomposition_graph(const Game *game, const GameWork *work, const Decomposition *d);
/* `swapping` may be NULL: that of players who change places. */
json_t *json_symmetries(const Game *game, const GameWork *work, const Symmetries *fixed,
                        const Symmetries *swapping);
