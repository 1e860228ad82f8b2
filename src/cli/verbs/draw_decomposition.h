/* Draws the dependency graph of a decomposition. */
#pragma once

#include "analysis/decompose/decompose.h"

/* Writes an SVG file through graphviz, or DOT if the name ends in .dot. Returns false, with the
 * reason on standard error, if that fails. */
bool draw_decomposition(const Game *game, const GameWork *work, const Decomposition *decomposition,
                        const char *path);
