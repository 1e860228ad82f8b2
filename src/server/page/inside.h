/* Looks inside a game, for the page. Each look is one kind of analysis with a budget of a few
 * seconds, and gives a JSON object. A look that is impossible gives the reason under the key
 * `missing`. */
#pragma once

#include <jansson.h>

#include "analysis/board/board.h"

typedef json_t *InsideView(Game *game, const Board *board);

/* Returns a look by name: analysis, circuit, decomposition, network, policy, symmetry. NULL if
 * there is no such look. */
InsideView *inside_find_view(const char *name);

/* The look at what can be learnt about the game (inside_network.c), and the look at its best policy
 * (inside_policy.c). */
InsideView inside_network, inside_policy;

/* The answer of an impossible look. */
json_t *inside_missing(const char *why);
/* The answer of a look that needs a circuit, for a game without one. */
json_t *inside_no_circuit(const Game *game);
