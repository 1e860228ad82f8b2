/* Draws the dependency graph of a decomposition, and the board with its subgames. */
#pragma once

#include <stdio.h>

#include "analysis/decompose/decompose.h"

/* Writes an SVG file through graphviz, or DOT if the name ends in .dot. Returns false, with the
 * reason on standard error, if that fails. */
bool draw_decomposition(const Game *game, const GameWork *work, const Decomposition *decomposition,
                        const char *path);
/* Draws the board with the number of the subgame on every square, a star if its fluents lie in
 * several. Returns false if the game has no board. */
bool draw_subgames(Game *game, GameWork *work, const Decomposition *decomposition, FILE *out);
