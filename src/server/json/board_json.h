/* Recognised boards and states on them as JSON, for the page and for `--json`;
 * docs/how-it-works/boards.md describes the keys. */
#pragma once

#include <jansson.h>

#include "analysis/board/board.h"

/* The properties that do not change during a match: grids with labels and pieces, and the meaning
 * of fluents. */
json_t *json_board(const Board *board);
/* A state: cells, counters and other facts. */
json_t *json_board_view(const Board *board, const BoardView *view);
/* A move and the squares it refers to. */
json_t *json_board_move(const Board *board, const char *move);
