/* Draws a state as text: boards with a legend, heaps, stacks, counters, turns and other facts. */
#pragma once

#include "analysis/board/board.h"

typedef struct {
    bool ascii;     /* use no box-drawing characters */
    bool colour;    /* use the escape sequences of terminals */
    bool no_legend; /* do not explain the marks */
    uint32_t width; /* characters per line; 0 stands for 80 */
} PictureOptions;

/* Appends lines to `out`. A board that is too wide is drawn in several parts. */
void picture_draw(const Board *board, const BoardView *view, const PictureOptions *options,
                  Text *out);
