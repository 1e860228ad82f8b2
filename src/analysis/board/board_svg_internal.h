/* Shared by the files that draw SVG. */
#pragma once

#include "analysis/board/board_svg.h"

enum { SVG_UNIT = 40 /* width of a square */ };

/* Appends a number with at most one digit after the point. */
void svg_number(Text *out, double value);
/* Begins an element that is shown `scale` times as large; the caller ends it with </svg>. */
void svg_open(Text *out, double left, double top, double width, double height, double scale);
/* Appends a piece around the origin, and a text in the middle of a square of `room` units. */
void svg_piece(Text *out, const PieceLook *look, double scale);
void svg_label(Text *out, const char *text, double y, double room, uint32_t colour);
/* Adds heaps, stacks, hands and counters as parts. */
void svg_draw_rest(const Board *board, const BoardView *view, SvgParts *parts);
