/* Looking inside a game for the page: each look is one kind of analysis with a budget of some
 * seconds, and its answer a JSON object. */
#pragma once

#include <jansson.h>

#include "analysis/board/board.h"

typedef json_t *InsideLook(Game *game, const Board *board);

/* By name: analysis, circuit, decomposition, network, policy, symmetry. NULL if there is no such
 * look. */
InsideLook *inside_look(const char *name);

/* In files of their own: what can be learnt about the game, and its best policy. */
InsideLook inside_network, inside_policy;
