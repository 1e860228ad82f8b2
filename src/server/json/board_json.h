/* Recognised boards and states on them as JSON, for the page and for `--json`; the keys are
 * described in docs/how-it-works/boards.md. */
#pragma once

#include <jansson.h>

#include "analysis/board/board.h"

/* What does not change during a match: grids with labels and pieces, and what fluents mean. */
json_t *json_board(const Board *board);
/* One state: cells, counters, facts. */
json_t *json_board_view(const Board *board, const BoardView *view);
/* A move and the squares it points at. */
json_t *json_board_move(const Board *board, const char *move);
