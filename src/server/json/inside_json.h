/* Boards and findings about a game as JSON, for the page and for `--json`; docs/reference/api.md
 * and docs/how-it-works/boards.md list the keys. */
#pragma once

#include <jansson.h>

#include "analysis/analysis.h"
#include "analysis/board/board.h"
#include "analysis/decompose/decompose.h"
#include "analysis/symmetry/symmetry.h"
#include "scsp/exact/policy_view.h"

/* The properties of a board that do not change during a match: grids with labels and pieces, and
 * the meaning of fluents. */
json_t *boards_json(const Board *board);
/* A state: cells, counters and other facts. */
json_t *board_view_json(const Board *board, const BoardView *view);
/* A state with its end, goals, cells and counters, and the legal moves of each role with the
 * squares they refer to if asked. */
json_t *position_json(const Game *game, const Board *board, GameWork *work, const State *state,
                      bool with_legal);
/* A move and the squares it refers to. */
json_t *board_move_json(const Board *board, const char *move);

/* An object with the number of the root, and nodes that name their children by number. */
json_t *policy_json(const PolicyView *view);
json_t *analysis_json(const Analysis *a);
json_t *decomposition_json(const Game *game, const GameWork *work, const Decomposition *d,
                           Composition composition);
/* An object with `vertices` (text, subgame or null, true for a meta-action) and `links` (two
 * vertices, kind, true if it was cut). */
json_t *decomposition_graph_json(const Game *game, const GameWork *work, const Decomposition *d);
/* `fixed` keeps every role in its place; `swapping` exchanges players and may be NULL. */
json_t *symmetries_json(const Game *game, const GameWork *work, const Symmetries *fixed,
                        const Symmetries *swapping);

/* Names for the fluents and moves that a circuit numbers. A move has its role in front if there are
 * several roles. */
typedef struct {
    const Game *game; /* must have a circuit */
    const GameWork *work;
} CircuitNames;

typedef void CircuitNameWriter(const CircuitNames *names, uint32_t number, Text *out);
CircuitNameWriter write_circuit_fluent, write_circuit_move, write_circuit_role;
