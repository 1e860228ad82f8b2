/* States as SVG: the one place where boards are drawn with symbols. The page, the library and files
 * show the same pictures. A picture needs nothing from outside; its classes (`cell`, `square`,
 * `piece`, `label`) let the page choose other colours and find the squares. */
#pragma once

#include "analysis/board/board.h"

typedef struct {
    bool is_turned; /* seen from the other side: the top row is drawn lowest */
} SvgOptions;

/* One board, or one group of heaps, stacks, cards or counters, as an SVG element of its own. */
typedef struct {
    Text svg;
    const char *name; /* name of the fluents and the plane; the arena of the picture owns it */
    FamilyKind kind;
    uint32_t grid, plane; /* BOARD_NONE and 0 for everything that is no board */
    double width, height; /* in units of the picture; a square has 40 */
} SvgPart;

typedef struct {
    VECTOR(SvgPart) parts;
    Arena arena;
} SvgParts;

/* Draws the boards first and then the rest. Facts of no recognised family are left out. */
void board_svg_parts(const Board *board, const BoardView *view, const SvgOptions *options,
                     SvgParts *parts);
void board_svg_parts_free(SvgParts *parts);

/* Appends the whole state as one SVG document, with all facts; `options` may be NULL. */
void board_svg(const Board *board, const BoardView *view, const SvgOptions *options, Text *out);
