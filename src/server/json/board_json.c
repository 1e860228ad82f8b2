/* Writes boards as JSON. Names are those of the rules; squares are numbered from 0 along the
 * axes. */
#include "server/json/board_json.h"

#include <assert.h>

#include "base/bitset.h"
#include "server/json/json.h"

static json_t *json_symbol(const Board *board, Symbol symbol) {
    return json_text(symbols_name(&board->symbols, symbol));
}

static json_t *json_symbols(const Board *board, const U32Vector *symbols) {
    json_t *array = json_array();
    for (size_t i = 0; i < symbols->count; i++)
        json_array_append_new(array, json_symbol(board, symbols->items[i]));
    return array;
}

static const char *order_name(BoardOrder order) {
    static const char *const names[] = {"chain", "numbers", "letters", "appearance"};
    assert((size_t)order < sizeof names / sizeof *names);
    return names[order];
}

static const char *kind_name(FamilyKind kind) {
    static const char *const names[] = {"grid",  "turn",   "step",  "counter",
                                        "heaps", "stacks", "hands", "facts"};
    assert((size_t)kind < sizeof names / sizeof *names);
    return names[kind];
}

/* The number, or null for BOARD_NONE. */
static json_t *json_number(uint32_t number) {
    return number == BOARD_NONE ? json_null() : json_integer(number);
}

static json_t *json_pieces(const Board *board, const BoardGrid *grid) {
    json_t *array = json_array();
    for (size_t i = 0; i < grid->pieces.count; i++) {
        const BoardPiece *piece = &grid->pieces.items[i];
        json_t *object = json_object();
        json_object_set_new(object, "piece", json_symbol(board, piece->text));
        json_object_set_new(object, "mark", json_text(piece->mark));
        json_object_set_new(object, "blank", json_boolean(piece->is_blank));
        json_object_set_new(object, "absence", json_boolean(piece->is_absence));
        json_object_set_new(object, "fluent",
                            json_symbol(board, board->fluents.items[piece->family].functor));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *json_holes(const BoardGrid *grid) {
    json_t *array = json_array();
    for (uint32_t y = 0; y < grid_height(grid); y++)
        for (uint32_t x = 0; x < grid_width(grid); x++)
            if (!bitset_get(grid->exists, (size_t)y * grid_width(grid) + x))
                json_array_append_new(array, json_pack("[i,i]", (int)x, (int)y));
    return array;
}

static json_t *json_grid(const Board *board, uint32_t number) {
    assert(number < board->grids.count);
    const BoardGrid *grid = &board->grids.items[number];
    json_t *object = json_object(), *fluents = json_array();
    for (size_t f = 0; f < board->fluents.count; f++)
        if (board->fluents.items[f].kind == FAMILY_GRID && board->fluents.items[f].grid == number)
            json_array_append_new(fluents, json_symbol(board, board->fluents.items[f].functor));
    json_object_set_new(object, "width", json_integer(grid_width(grid)));
    json_object_set_new(object, "height", json_integer(grid_height(grid)));
    json_object_set_new(object, "shape",
                        json_text(grid->shape == GRID_HEXAGONS ? "hexagons" : "squares"));
    json_object_set_new(object, "slant", json_integer(grid->slant));
    json_object_set_new(object, "x", json_symbols(board, &grid->x.values));
    json_object_set_new(object, "y", json_symbols(board, &grid->y.values));
    json_object_set_new(object, "planes", json_symbols(board, &grid->planes.values));
    json_object_set_new(object, "x_order", json_text(order_name(grid->x.order)));
    json_object_set_new(object, "y_order",
                        grid->y.values.count ? json_text(order_name(grid->y.order)) : json_null());
    json_object_set_new(object, "fluents", fluents);
    json_object_set_new(object, "pieces", json_pieces(board, grid));
    json_object_set_new(object, "holes", json_holes(grid));
    return object;
}

static json_t *json_family(const Board *board, const BoardFamily *family) {
    json_t *object = json_object();
    json_object_set_new(object, "name", json_symbol(board, family->functor));
    json_object_set_new(object, "arity", json_integer(family->arity));
    json_object_set_new(object, "kind", json_text(kind_name(family->kind)));
    json_object_set_new(object, "grid", json_number(family->grid));
    return object;
}

/* Writes the axis of each argument as a letter, `-` for an argument that is no coordinate:
 * "xyxy". */
static json_t *json_move_family(const Board *board, const BoardFamily *family) {
    json_t *object = json_object();
    Text axes = {0};
    for (uint32_t c = 0; c < family->column_count && c < BOARD_MOST_COLUMNS; c++)
        text_add_char(&axes, family->axes[c] ? (char)family->axes[c] : '-');
    json_object_set_new(object, "name", json_symbol(board, family->functor));
    json_object_set_new(object, "arity", json_integer(family->arity));
    json_object_set_new(object, "grid", json_number(family->grid));
    json_object_set_new(object, "axes", json_text(text_string(&axes)));
    vector_free(&axes);
    return object;
}

json_t *json_board(const Board *board) {
    json_t *object = json_object();
    json_t *grids = json_array(), *fluents = json_array(), *moves = json_array();
    for (uint32_t g = 0; g < board->grids.count; g++)
        json_array_append_new(grids, json_grid(board, g));
    for (size_t f = 0; f < board->fluents.count; f++)
        json_array_append_new(fluents, json_family(board, &board->fluents.items[f]));
    for (size_t m = 0; m < board->moves.count; m++)
        json_array_append_new(moves, json_move_family(board, &board->moves.items[m]));
    json_object_set_new(object, "grids", grids);
    json_object_set_new(object, "fluents", fluents);
    json_object_set_new(object, "moves", moves);
    return object;
}

static json_t *json_cell(const Board *board, const PlacedPiece *placed) {
    json_t *object = json_object();
    json_object_set_new(object, "grid", json_integer(placed->grid));
    json_object_set_new(object, "plane", json_integer(placed->plane));
    json_object_set_new(object, "x", json_integer(placed->x));
    json_object_set_new(object, "y", json_integer(placed->y));
    json_object_set_new(object, "piece", json_text(placed->text));
    json_object_set_new(object, "mark",
                        json_text(placed->piece ? placed->piece->mark : placed->text));
    json_object_set_new(object, "blank", json_boolean(placed->piece && placed->piece->is_blank));
    json_object_set_new(object, "absence",
                        json_boolean(placed->piece && placed->piece->is_absence));
    json_object_set_new(object, "fluent",
                        json_symbol(board, board->fluents.items[placed->family].functor));
    return object;
}

static json_t *json_counter(const Board *board, const ViewCounter *counter) {
    const BoardFamily *family = &board->fluents.items[counter->family];
    json_t *object = json_object();
    json_object_set_new(object, "fluent", json_symbol(board, family->functor));
    json_object_set_new(object, "kind", json_text(kind_name(family->kind)));
    json_object_set_new(object, "key", json_text_or_null(counter->key));
    json_object_set_new(object, "value", json_text(counter->value));
    json_object_set_new(object, "amount", json_number(counter->amount));
    return object;
}

json_t *json_board_view(const Board *board, const BoardView *view) {
    json_t *object = json_object();
    json_t *cells = json_array(), *counters = json_array();
    for (size_t i = 0; i < view->pieces.count; i++)
        json_array_append_new(cells, json_cell(board, &view->pieces.items[i]));
    for (size_t i = 0; i < view->counters.count; i++)
        json_array_append_new(counters, json_counter(board, &view->counters.items[i]));
    json_object_set_new(object, "cells", cells);
    json_object_set_new(object, "counters", counters);
    json_object_set_new(object, "facts",
                        json_texts((const char *const *)view->facts.items, view->facts.count));
    return object;
}

json_t *json_board_move(const Board *board, const char *move) {
    json_t *object = json_object(), *array = json_array();
    BoardSquares squares = {0};
    board_move_squares(board, move, &squares);
    for (size_t i = 0; i < squares.count; i++) {
        const BoardSquare *s = &squares.items[i];
        json_t *square = json_object();
        json_object_set_new(square, "grid", json_integer(s->grid));
        json_object_set_new(square, "plane", json_number(s->plane));
        json_object_set_new(square, "x", json_number(s->x));
        json_object_set_new(square, "y", json_number(s->y));
        json_array_append_new(array, square);
    }
    json_object_set_new(object, "move", json_text(move));
    json_object_set_new(object, "squares", array);
    vector_free(&squares);
    return object;
}
