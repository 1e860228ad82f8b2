/* A recognised board as planes for learners: which fluent stands in which cell. */
#pragma once

#include "analysis/board/board.h"

/* Cells by channel, row and column. A channel is one kind of piece on one plane of a grid, or, at
 * the end, one role. Row 0 is the lowest. */
typedef struct {
    uint32_t channels, height, width;
    uint32_t *cells; /* a fluent, PLANE_BLANK, or PLANE_TURN + role (game/environments.h) */
} BoardPlanes;

static inline size_t board_planes_size(const BoardPlanes *planes) {
    return (size_t)planes->channels * planes->height * planes->width;
}

/* False if there is no grid. The caller frees the cells in any case. Needs a circuit. */
bool board_find_planes(const Board *board, Game *game, BoardPlanes *planes);
