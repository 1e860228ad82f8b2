/* Looking inside a game for the page: each look is one kind of analysis with a budget of some
 * seconds, and its answer a JSON object. */
#ifndef MARELLE_SERVER_INSIDE_H
#define MARELLE_SERVER_INSIDE_H

#include <jansson.h>

#include "analysis/board.h"

typedef json_t *InsideLook(Game *game, const Board *board);

/* By name: analysis, circuit, decomposition, symmetry. NULL if there is no such look. */
InsideLook *inside_look(const char *name);

#endif
