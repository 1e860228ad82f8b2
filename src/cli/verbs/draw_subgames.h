/* The board of a game with the number of a subgame on every square, for `marelle decompose
 * --board`.
 */
#pragma once

#include <stdio.h>

#include "analysis/decompose/decompose.h"

/* False if the game has no board. Squares whose fluents lie in several subgames have a star. */
bool draw_subgames(Game *game, GameWork *work, const Decomposition *decomposition, FILE *out);
