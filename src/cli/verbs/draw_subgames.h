/* The board of a game with the number of a subgame on every square, for `marelle decompose
 * --board`. */
#pragma once

#include <stdio.h>

#include "analysis/decompose/decompose.h"

/* Returns false if the game has no board. A square whose fluents lie in several subgames shows a
 * star. */
bool draw_subgames(Game *game, GameWork *work, const Decomposition *decomposition, FILE *out);
