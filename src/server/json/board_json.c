/* Writes boards as JSON. Names are those of the rules; squares are numbered from 0 along the
 * axes. */
#include "server/json/inside_json.h"

#include <assert.h>

#include "base/bitset.h"
#include "server/json/json.h"

static json_t *json_symbol(const Board *board, Symbol symbol) {
    return json_text(symbols_name(&board->symbols, symbol));
}

static json_t *json_symbols(const Board *board, const U32Vector *symbols) {
    json_t *array = json_array();
    for (size_t i = 0; i < symbols->count; i++)
        json_push(array, json_symbol(board, symbols->items[i]));
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
        json_push(array, json_of("piece", json_symbol(board, piece->text), "mark",
                                 json_text(piece->mark), "blank", json_boolean(piece->is_blank),
                                 "absence", json_boolean(piece->is_absence), "fluent",
                                 json_symbol(board, board->fluents.items[piece->family].functor)));
    }
    return array;
}

static json_t *json_holes(const BoardGrid *grid) {
    json_t *array = json_array();
    for (uint32_t y = 0; y < grid_height(grid); y++)
        for (uint32_t x = 0; x < grid_width(grid); x++)
            if (!bitset_get(grid->exists, (size_t)y * grid_width(grid) + x))
                json_push(array, json_pack("[i,i]", (int)x, (int)y));
    return array;
}

static json_t *json_grid(const Board *board, uint32_t number) {
    assert(number < board->grids.count);
    const BoardGrid *grid = &board->grids.items[number];
    json_t *fluents = json_array();
    for (size_t f = 0; f < board->fluents.count; f++)
        if (board->fluents.items[f].kind == FAMILY_GRID && board->fluents.items[f].grid == number)
            json_push(fluents, json_symbol(board, board->fluents.items[f].functor));
    return json_of(
        "width", json_integer(grid_width(grid)), "height", json_integer(grid_height(grid)), "shape",
        json_text(grid->shape == GRID_HEXAGONS ? "hexagons" : "squares"), "slant",
        json_integer(grid->slant), "x", json_symbols(board, &grid->x.values), "y",
        json_symbols(board, &grid->y.values), "planes", json_symbols(board, &grid->planes.values),
        "x_order", json_text(order_name(grid->x.order)), "y_order",
        json_text(grid->y.values.count ? order_name(grid->y.order) : NULL), "fluents", fluents,
        "pieces", json_pieces(board, grid), "holes", json_holes(grid));
}

/* Writes the axis of each argument of a move as a letter, `-` for an argument that is no
 * coordinate: "xyxy". */
static json_t *json_axes(const BoardFamily *family) {
    Text axes = {0};
    for (uint32_t c = 0; c < family->column_count && c < BOARD_MOST_COLUMNS; c++)
        text_add_char(&axes, family->axes[c] ? (char)family->axes[c] : '-');
    return json_take(&axes);
}

/* A family of fluents has a kind, and a family of moves has axes. */
static json_t *json_families(const Board *board, const BoardFamilies *families, bool are_moves) {
    json_t *array = json_array();
    for (size_t i = 0; i < families->count; i++) {
        const BoardFamily *family = &families->items[i];
        json_push(array,
                  json_of("name", json_symbol(board, family->functor), "arity",
                          json_integer(family->arity), "kind",
                          are_moves ? NULL : json_text(kind_name(family->kind)), "grid",
                          json_number(family->grid), "axes", are_moves ? json_axes(family) : NULL));
    }
    return array;
}

json_t *json_board(const Board *board) {
    json_t *grids = json_array();
    for (uint32_t g = 0; g < board->grids.count; g++)
        json_push(grids, json_grid(board, g));
    return json_of("grids", grids, "fluents", json_families(board, &board->fluents, false), "moves",
                   json_families(board, &board->moves, true));
}

static json_t *json_cell(const Board *board, const PlacedPiece *placed) {
    return json_of("grid", json_integer(placed->grid), "plane", json_integer(placed->plane), "x",
                   json_integer(placed->x), "y", json_integer(placed->y), "piece",
                   json_text(placed->text), "mark",
                   json_text(placed->piece ? placed->piece->mark : placed->text), "blank",
                   json_boolean(placed->piece && placed->piece->is_blank), "absence",
                   json_boolean(placed->piece && placed->piece->is_absence), "fluent",
                   json_symbol(board, board->fluents.items[placed->family].functor));
}

static json_t *json_counter(const Board *board, const ViewCounter *counter) {
    const BoardFamily *family = &board->fluents.items[counter->family];
    return json_of("fluent", json_symbol(board, family->functor), "kind",
                   json_text(kind_name(family->kind)), "key", json_text(counter->key), "value",
                   json_text(counter->value), "amount", json_number(counter->amount));
}

json_t *json_board_view(const Board *board, const BoardView *view) {
    json_t *cells = json_array(), *counters = json_array();
    for (size_t i = 0; i < view->pieces.count; i++)
        json_push(cells, json_cell(board, &view->pieces.items[i]));
    for (size_t i = 0; i < view->counters.count; i++)
        json_push(counters, json_counter(board, &view->counters.items[i]));
    return json_of("cells", cells, "counters", counters, "facts",
                   json_texts((const char *const *)view->facts.items, view->facts.count));
}

json_t *json_board_move(const Board *board, const char *move) {
    json_t *array = json_array();
    BoardSquares squares = {0};
    board_move_squares(board, move, &squares);
    for (size_t i = 0; i < squares.count; i++) {
        const BoardSquare *s = &squares.items[i];
        json_push(array, json_of("grid", json_integer(s->grid), "plane", json_number(s->plane), "x",
                                 json_number(s->x), "y", json_number(s->y)));
    }
    vector_free(&squares);
    return json_of("move", json_text(move), "squares", array);
}
