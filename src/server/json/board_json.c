/* Writes boards as JSON. Names are those of the rules; squares are numbered from 0 along the
 * axes. */
#include "server/json/inside_json.h"

#include <assert.h>
#include <stdio.h>

#include "analysis/board/board_svg.h"
#include "base/bitset.h"
#include "server/json/json.h"

static json_t *symbol_json(const Board *board, Symbol symbol) {
    return text_json(symbols_name(&board->symbols, symbol));
}

static json_t *symbols_json(const Board *board, const U32Vector *symbols) {
    json_t *array = json_array();
    for (size_t i = 0; i < symbols->count; i++)
        array_push(array, symbol_json(board, symbols->items[i]));
    return array;
}

static const char *order_name(BoardOrder order) {
    static const char *const names[] = {"chain", "numbers", "letters", "appearance"};
    assert((size_t)order < sizeof names / sizeof *names);
    return names[order];
}

static const char *shape_name(GridShape shape) {
    static const char *const names[] = {"squares", "hexagons", "places"};
    assert((size_t)shape < sizeof names / sizeof *names);
    return names[shape];
}

static const char *kind_name(FamilyKind kind) {
    static const char *const names[] = {"grid",   "turn",  "step",  "counter", "heaps",
                                        "stacks", "hands", "links", "facts"};
    assert((size_t)kind < sizeof names / sizeof *names);
    return names[kind];
}

/* The number, or null for BOARD_NONE. */
static json_t *number_json(uint32_t number) {
    return number == BOARD_NONE ? json_null() : json_integer(number);
}

static json_t *colour_json(uint32_t colour) {
    char text[8];
    snprintf(text, sizeof text, "#%06x", colour & 0xffffff);
    return text_json(text);
}

static json_t *board_role_json(const Board *board, uint32_t role) {
    return role == BOARD_NONE ? json_null() : symbol_json(board, board->roles.items[role]);
}

static json_t *roles_json(const Board *board) {
    json_t *array = json_array();
    for (uint32_t r = 0; r < board->roles.count; r++)
        array_push(array, object_of("role", board_role_json(board, r), "colour",
                                    colour_json(board->role_colours.items[r])));
    return array;
}

static json_t *pieces_json(const Board *board, const BoardGrid *grid) {
    json_t *array = json_array();
    for (size_t i = 0; i < grid->pieces.count; i++) {
        const BoardPiece *piece = &grid->pieces.items[i];
        array_push(array, object_of("piece", symbol_json(board, piece->text), "mark",
                                    text_json(piece->mark), "blank", json_boolean(piece->is_blank),
                                    "absence", json_boolean(piece->is_absence), "fluent",
                                    symbol_json(board, board->fluents.items[piece->family].functor),
                                    "symbol",
                                    text_json(piece->look.glyph ? piece->look.glyph->name : NULL),
                                    "side", board_role_json(board, piece->look.side)));
    }
    return array;
}

static json_t *holes_json(const BoardGrid *grid) {
    json_t *array = json_array();
    for (uint32_t y = 0; y < grid_height(grid); y++)
        for (uint32_t x = 0; x < grid_width(grid); x++)
            if (!bitset_get(grid->exists, (size_t)y * grid_width(grid) + x))
                array_push(array, json_pack("[i,i]", (int)x, (int)y));
    return array;
}

static json_t *grid_json(const Board *board, uint32_t number) {
    assert(number < board->grids.count);
    const BoardGrid *grid = &board->grids.items[number];
    json_t *fluents = json_array();
    for (size_t f = 0; f < board->fluents.count; f++)
        if (board->fluents.items[f].kind == FAMILY_GRID && board->fluents.items[f].grid == number)
            array_push(fluents, symbol_json(board, board->fluents.items[f].functor));
    return object_of(
        "width", json_integer(grid_width(grid)), "height", json_integer(grid_height(grid)), "shape",
        text_json(shape_name(grid->shape)), "slant", json_integer(grid->slant), "x",
        symbols_json(board, &grid->x.values), "y", symbols_json(board, &grid->y.values), "planes",
        symbols_json(board, &grid->planes.values), "x_order", text_json(order_name(grid->x.order)),
        "y_order", text_json(grid->y.values.count ? order_name(grid->y.order) : NULL), "fluents",
        fluents, "pieces", pieces_json(board, grid), "holes", holes_json(grid), "bottom",
        board_role_json(board, grid->bottom));
}

/* Writes the axis of each argument of a move as a letter, `-` for an argument that is no
 * coordinate: "xyxy". */
static json_t *axes_json(const BoardFamily *family) {
    Text axes = {0};
    for (uint32_t c = 0; c < family->column_count && c < BOARD_MAX_COLUMNS; c++)
        text_add_char(&axes, family->axes[c] ? (char)family->axes[c] : '-');
    return take_text_json(&axes);
}

/* A family of fluents has a kind, and a family of moves has axes. */
static json_t *families_json(const Board *board, const BoardFamilies *families, bool are_moves) {
    json_t *array = json_array();
    for (size_t i = 0; i < families->count; i++) {
        const BoardFamily *family = &families->items[i];
        array_push(array, object_of("name", symbol_json(board, family->functor), "arity",
                                    json_integer(family->arity), "kind",
                                    are_moves ? NULL : text_json(kind_name(family->kind)), "grid",
                                    number_json(family->grid), "axes",
                                    are_moves ? axes_json(family) : NULL));
    }
    return array;
}

json_t *boards_json(const Board *board) {
    json_t *grids = json_array();
    for (uint32_t g = 0; g < board->grids.count; g++)
        array_push(grids, grid_json(board, g));
    return object_of("roles", roles_json(board), "grids", grids, "fluents",
                     families_json(board, &board->fluents, false), "moves",
                     families_json(board, &board->moves, true));
}

static json_t *cell_json(const Board *board, const PlacedPiece *placed) {
    return object_of("grid", json_integer(placed->grid), "plane", json_integer(placed->plane), "x",
                     json_integer(placed->x), "y", json_integer(placed->y), "piece",
                     text_json(placed->text), "mark",
                     text_json(placed->piece ? placed->piece->mark : placed->text), "blank",
                     json_boolean(placed->piece && placed->piece->is_blank), "absence",
                     json_boolean(placed->piece && placed->piece->is_absence), "fluent",
                     symbol_json(board, board->fluents.items[placed->family].functor));
}

static json_t *link_json(const Board *board, const ViewLink *link) {
    return object_of("fluent", symbol_json(board, board->fluents.items[link->family].functor),
                     "grid", json_integer(link->grid), "x", json_integer(link->x), "y",
                     json_integer(link->y), "to_x", json_integer(link->to_x), "to_y",
                     json_integer(link->to_y));
}

static json_t *counter_json(const Board *board, const ViewCounter *counter) {
    const BoardFamily *family = &board->fluents.items[counter->family];
    return object_of("fluent", symbol_json(board, family->functor), "kind",
                     text_json(kind_name(family->kind)), "key", text_json(counter->key), "value",
                     text_json(counter->value), "amount", number_json(counter->amount));
}

/* Lists the pictures of a view: boards, and groups of heaps, stacks, cards and counters. */
static json_t *pictures_json(const Board *board, const BoardView *view) {
    json_t *array = json_array();
    SvgParts parts;
    board_svg_parts(board, view, NULL, &parts);
    for (size_t i = 0; i < parts.parts.count; i++) {
        const SvgPart *part = &parts.parts.items[i];
        array_push(array,
                   object_of("kind", text_json(kind_name(part->kind)), "name",
                             text_json(part->name), "grid", number_json(part->grid), "plane",
                             json_integer(part->plane), "svg", text_json(text_string(&part->svg))));
    }
    board_svg_parts_free(&parts);
    return array;
}

json_t *board_view_json(const Board *board, const BoardView *view) {
    json_t *cells = json_array(), *counters = json_array(), *links = json_array();
    for (size_t i = 0; i < view->pieces.count; i++)
        array_push(cells, cell_json(board, &view->pieces.items[i]));
    for (size_t i = 0; i < view->counters.count; i++)
        array_push(counters, counter_json(board, &view->counters.items[i]));
    for (size_t i = 0; i < view->links.count; i++)
        array_push(links, link_json(board, &view->links.items[i]));
    return object_of("cells", cells, "counters", counters, "links", links, "facts",
                     texts_json((const char *const *)view->facts.items, view->facts.count),
                     "pictures", pictures_json(board, view));
}

json_t *board_move_json(const Board *board, const char *move) {
    json_t *array = json_array();
    BoardSquares squares = {0};
    board_move_squares(board, move, &squares);
    for (size_t i = 0; i < squares.count; i++) {
        const BoardSquare *s = &squares.items[i];
        array_push(array, object_of("grid", json_integer(s->grid), "plane", number_json(s->plane),
                                    "x", number_json(s->x), "y", number_json(s->y)));
    }
    vector_free(&squares);
    return object_of("move", text_json(move), "squares", array);
}

/* The legal moves of each role that has one. */
static json_t *legal_json(const Game *game, const Board *board, GameWork *work,
                          const State *state) {
    json_t *object = json_object();
    U32Vector legal = {0};
    Text move = {0};
    for (uint32_t r = 0; r < game->role_count; r++) {
        json_t *moves = json_array();
        game_legal(work, state, r, &legal);
        for (size_t i = 0; i < legal.count; i++) {
            text_clear(&move);
            game_move_text(work, r, legal.items[i], &move);
            array_push(moves, board_move_json(board, text_string(&move)));
        }
        if (legal.count)
            object_add(object, game->roles[r], moves);
        else
            json_decref(moves);
    }
    vectors_free(&legal, &move);
    return object;
}

static json_t *goals_json(const Game *game, GameWork *work, const State *state) {
    json_t *goals = json_object();
    for (uint32_t r = 0; r < game->role_count; r++)
        object_add(goals, game->roles[r], goal_json(game_goal(work, state, r)));
    return goals;
}

json_t *position_json(const Game *game, const Board *board, GameWork *work, const State *state,
                      bool with_legal) {
    Text text = {0};
    Report report = {0};
    bool is_terminal = game_is_terminal(work, state);
    json_t *legal = NULL;
    if (with_legal)
        legal = is_terminal ? json_object() : legal_json(game, board, work, state);
    game_state_text(work, state, &text);
    BoardView *view = board_view(board, text_string(&text), &report);
    json_t *object =
        object_of("state", text_json(text_string(&text)), "terminal", json_boolean(is_terminal),
                  "goals", is_terminal ? goals_json(game, work, state) : json_null(), "view",
                  view ? board_view_json(board, view) : json_null(), "legal", legal);
    board_view_free(view);
    vector_free(&text);
    report_free(&report);
    return object;
}
