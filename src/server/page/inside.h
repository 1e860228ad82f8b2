/* Looks inside a game, for the page: each look is one kind of analysis with a budget of a few
 * seconds, and gives a JSON object. A look that is impossible gives the reason under the key
 * `missing`. */
#pragma once

#include <jansson.h>

#include "analysis/board/board.h"

typedef json_t *InsideLook(Game *game, const Board *board);

/* A look by name: analysis, circuit, decomposition, network, policy, symmetry. NULL if there is no
 * such look. */
InsideLook *inside_look(const char *name);

/* What can be learnt about the game (inside_network.c), and its best policy (inside_policy.c). */
InsideLook inside_network, inside_policy;

/* The answer of an impossible look. */
json_t *inside_missing(const char *why);
/* The answer of a look that needs a circuit, for a game without one. */
json_t *inside_no_circuit(const Game *game);
