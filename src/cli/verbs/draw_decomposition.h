/* The dependency graph of a decomposition as a picture. */
#pragma once

#include "analysis/decompose/decompose.h"

/* Writes an SVG file through graphviz; where the name ends in .dot, its input. False after telling
 * standard error why not. */
bool draw_decomposition(const Game *game, const GameWork *work, const Decomposition *decomposition,
                        const char *path);
