/* A state as text for people: boards with coordinates and a legend, heaps, stacks and counters,
 * whose turn it is, and the remaining facts. */
#pragma once

#include "analysis/board/board.h"

typedef struct {
    bool ascii;     /* no box drawing */
    bool colour;    /* escape sequences of terminals */
    bool no_legend; /* marks speak for themselves */
    uint32_t width; /* characters in a line; 0: 80 */
} PictureOptions;

/* Appends lines. A board that is too wide for the page is drawn in several parts. */
void picture_draw(const Board *board, const BoardView *view, const PictureOptions *options,
                  Text *out);
