/* Sorts the facts of a state by family, and chooses the marks that stand for pieces in drawings. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analysis/board/board_internal.h"
#include "base/bitset.h"

typedef struct {
    const Board *board;
    BoardView *view;
    const Syntax *syntax;
} Viewer;

static const char *keep_node(Viewer *v, uint32_t node) {
    Text text = {0};
    board_node_text(v->syntax, node, &text);
    const char *kept = arena_copy(&v->view->arena, text_string(&text), text.count);
    vector_free(&text);
    return kept;
}

/* Joins the columns that are no coordinate and no key into one text; without any it is the functor.
 */
static const char *join_columns(Viewer *v, const BoardFamily *f, const uint32_t *columns) {
    Text text = {0};
    for (uint32_t c = 0; c < f->column_count; c++) {
        if (!family_is_content(f, c) || c == f->key_column || c == f->index_column)
            continue;
        text_add(&text, text.count ? " " : "");
        board_node_text(v->syntax, columns[c], &text);
    }
    if (!text.count)
        text_add(&text, symbols_name(&v->board->symbols, f->functor));
    const char *kept = arena_copy(&v->view->arena, text_string(&text), text.count);
    vector_free(&text);
    return kept;
}

static const BoardPiece *find_piece(const Board *board, const BoardFamily *f, const char *text) {
    assert(f->grid < board->grids.count);
    const BoardGrid *grid = &board->grids.items[f->grid];
    Symbol symbol = symbols_find(&board->symbols, text, strlen(text));
    for (size_t i = 0; i < grid->pieces.count; i++)
        if (grid->pieces.items[i].text == symbol &&
            &board->fluents.items[grid->pieces.items[i].family] == f)
            return &grid->pieces.items[i];
    return NULL;
}

static uint32_t coordinate(const Viewer *v, const BoardFamily *f, const BoardAxis *axis,
                           const uint32_t *columns, uint32_t column) {
    if (column == BOARD_NONE)
        return 0;
    Text text = {0};
    column_text(f, v->syntax, columns, column, &text);
    Symbol symbol = symbols_find(&v->board->symbols, text_string(&text), text.count);
    vector_free(&text);
    return axis_index(axis, symbol);
}

/* True if the first word is a role, but not the first one. */
static bool names_later_role(const Board *board, const char *text) {
    bool has_earlier = false;
    for (size_t r = 0; r < board->roles.count; r++) {
        const char *role = symbols_name(&board->symbols, board->roles.items[r]);
        size_t length = strlen(role);
        if (strcmp(role, "random") == 0)
            continue;
        if (strncmp(text, role, length) == 0 && text[length] == ' ')
            return has_earlier;
        has_earlier = true;
    }
    return false;
}

/* Adds a fact as a piece on its square. False if a coordinate is unknown. */
static bool place_piece(Viewer *v, uint32_t family, const uint32_t *columns) {
    const BoardFamily *f = &v->board->fluents.items[family];
    const BoardGrid *grid = &v->board->grids.items[f->grid];
    PlacedPiece placed = {.grid = f->grid,
                          .family = family,
                          .x = coordinate(v, f, &grid->x, columns, f->x_column),
                          .y = coordinate(v, f, &grid->y, columns, f->y_column),
                          .plane = coordinate(v, f, &grid->planes, columns, f->plane_column)};
    if (placed.x == BOARD_NONE || placed.y == BOARD_NONE || placed.plane == BOARD_NONE)
        return false;
    placed.text = join_columns(v, f, columns);
    if (grid->mirror.count && names_later_role(v->board, placed.text))
        placed.x = grid->mirror.items[placed.x];
    placed.piece = find_piece(v->board, f, placed.text);
    vector_push(&v->view->pieces, placed);
    return true;
}

/* Adds a fact as a link between two squares. False if a coordinate is unknown. */
static bool add_link(Viewer *v, uint32_t family, const uint32_t *columns) {
    const BoardFamily *f = &v->board->fluents.items[family];
    const BoardGrid *grid = &v->board->grids.items[f->grid];
    ViewLink link = {family,
                     f->grid,
                     coordinate(v, f, &grid->x, columns, f->x_column),
                     coordinate(v, f, &grid->y, columns, f->y_column),
                     coordinate(v, f, &grid->x, columns, f->x_column + 2),
                     coordinate(v, f, &grid->y, columns, f->y_column + 2)};
    if (link.x == BOARD_NONE || link.y == BOARD_NONE || link.to_x == BOARD_NONE ||
        link.to_y == BOARD_NONE)
        return false;
    vector_push(&v->view->links, link);
    return true;
}

static void add_counter(Viewer *v, uint32_t family, const uint32_t *columns) {
    const BoardFamily *f = &v->board->fluents.items[family];
    ViewCounter counter = {.family = family, .amount = BOARD_NONE};
    if (f->key_column != BOARD_NONE)
        counter.key = keep_node(v, columns[f->key_column]);
    if (f->kind == FAMILY_HANDS) {
        counter.value = join_columns(v, f, columns);
    } else {
        counter.value = keep_node(v, columns[f->value_column]);
        Symbol value = board_node_symbol(v->board, v->syntax, columns[f->value_column]);
        counter.amount = u32_index_of(&f->amounts, value);
    }
    vector_push(&v->view->counters, counter);
}

/* The counter of the family with the key; of one key of two if these are axes. NULL without one. */
static ViewCounter *find_counter(const BoardView *view, uint32_t family, const char *key) {
    for (size_t i = 0; i < view->counters.count; i++) {
        ViewCounter *c = &view->counters.items[i];
        if (c->family == family && c->value && (!key || !c->key || strcmp(c->key, key) == 0))
            return c;
    }
    return NULL;
}

static void place_pair(Viewer *v, const BoardPair *pair, ViewCounter *x) {
    const BoardGrid *grid = &v->board->grids.items[pair->grid];
    const Symbols *symbols = &v->board->symbols;
    bool has_axes = pair->x_key != SYMBOL_NONE;
    ViewCounter *y = find_counter(v->view, pair->y_family,
                                  has_axes ? symbols_name(symbols, pair->y_key) : x->key);
    if (!y)
        return;
    const char *text = !has_axes && x->key ? x->key : symbols_name(symbols, pair->text);
    PlacedPiece placed = {.grid = pair->grid, .family = pair->x_family, .text = text};
    placed.x = axis_index(&grid->x, symbols_find(symbols, x->value, strlen(x->value)));
    placed.y = axis_index(&grid->y, symbols_find(symbols, y->value, strlen(y->value)));
    if (placed.x == BOARD_NONE || placed.y == BOARD_NONE)
        return;
    Symbol symbol = symbols_find(symbols, text, strlen(text));
    for (size_t i = 0; i < grid->pieces.count; i++)
        if (grid->pieces.items[i].text == symbol)
            placed.piece = &grid->pieces.items[i];
    vector_push(&v->view->pieces, placed);
    x->value = y->value = NULL; /* it is no counter */
}

/* Makes pieces of counters that are coordinates. */
static void place_pairs(Viewer *v) {
    size_t kept = 0;
    for (size_t p = 0; p < v->board->pairs.count; p++) {
        const BoardPair *pair = &v->board->pairs.items[p];
        for (size_t i = 0; i < v->view->counters.count; i++) {
            ViewCounter *c = &v->view->counters.items[i];
            if (c->family == pair->x_family && c->value &&
                (pair->x_key == SYMBOL_NONE ||
                 strcmp(c->key, symbols_name(&v->board->symbols, pair->x_key)) == 0))
                place_pair(v, pair, c);
        }
    }
    for (size_t i = 0; i < v->view->counters.count; i++)
        if (v->view->counters.items[i].value)
            v->view->counters.items[kept++] = v->view->counters.items[i];
    v->view->counters.count = kept;
}

static void add_fact(Viewer *v, uint32_t node) {
    uint32_t family, columns[BOARD_MAX_COLUMNS];
    if (node_head(v->syntax, node) == KEYWORD_TRUE && node_children(v->syntax, node) == 2)
        node += 2;
    if (board_family_match(v->board, &v->board->fluents, v->syntax, node, &family, columns)) {
        FamilyKind kind = v->board->fluents.items[family].kind;
        if (kind == FAMILY_GRID && place_piece(v, family, columns))
            return;
        if (kind == FAMILY_LINKS && add_link(v, family, columns))
            return;
        if (kind != FAMILY_GRID && kind != FAMILY_LINKS && kind != FAMILY_FACTS) {
            add_counter(v, family, columns);
            return;
        }
    }
    vector_push(&v->view->facts, keep_node(v, node));
}

/* True if the text is one list of the form ((true F) ...). */
static bool is_list_of_facts(const Syntax *syntax) {
    return syntax->roots.count == 1 && node_is_list(syntax, syntax->roots.items[0]) &&
           (node_children(syntax, syntax->roots.items[0]) == 0 ||
            node_is_list(syntax, syntax->roots.items[0] + 1));
}

BoardView *board_view_facts(const Board *board, const char *facts, Report *report) {
    Syntax *syntax = board_terms_read("state", facts, strlen(facts), report);
    if (!syntax)
        return NULL;
    Viewer v = {board, memory_zalloc(sizeof *v.view), syntax};
    if (is_list_of_facts(syntax)) {
        uint32_t list = syntax->roots.items[0];
        for (uint32_t n = list + 1; n < node_end(syntax, list); n = node_next(syntax, n))
            add_fact(&v, n);
    } else {
        for (size_t i = 0; i < syntax->roots.count; i++)
            add_fact(&v, syntax->roots.items[i]);
    }
    place_pairs(&v);
    syntax_free(syntax);
    return v.view;
}

/* Adds pieces on the squares where no fact of the family is true. */
static void add_absences(const Board *board, uint32_t family, BoardView *view) {
    const BoardFamily *f = &board->fluents.items[family];
    const BoardGrid *grid = &board->grids.items[f->grid];
    uint32_t width = grid_width(grid);
    size_t squares = (size_t)width * grid_height(grid);
    uint64_t *held = memory_zalloc(bitset_words(squares) * sizeof *held);
    const BoardPiece *gone = NULL;
    for (size_t i = 0; i < grid->pieces.count; i++)
        if (grid->pieces.items[i].family == family && grid->pieces.items[i].is_absence)
            gone = &grid->pieces.items[i];
    assert(gone);
    for (size_t i = 0; i < view->pieces.count; i++)
        if (view->pieces.items[i].family == family)
            bitset_set(held, (size_t)view->pieces.items[i].y * width + view->pieces.items[i].x);
    for (uint32_t s = 0; s < squares; s++)
        if (bitset_get(grid->exists, s) && !bitset_get(held, s))
            vector_push(&view->pieces,
                        ((PlacedPiece){.grid = f->grid,
                                       .x = s % width,
                                       .y = s / width,
                                       .family = family,
                                       .text = symbols_name(&board->symbols, gone->text),
                                       .piece = gone}));
    free(held);
}

BoardView *board_view(const Board *board, const char *state, Report *report) {
    assert(board && state);
    BoardView *view = board_view_facts(board, state, report);
    for (uint32_t f = 0; view && f < board->fluents.count; f++)
        if (board->fluents.items[f].shows_absence)
            add_absences(board, f, view);
    return view;
}

void board_view_free(BoardView *view) {
    if (!view)
        return;
    vectors_free(&view->pieces, &view->counters, &view->links, &view->facts);
    arena_free(&view->arena);
    free(view);
}

static bool is_taken(const BoardGrid *grid, size_t before, const char *mark) {
    for (size_t i = 0; i < before; i++)
        if (strcmp(grid->pieces.items[i].mark, mark) == 0)
            return true;
    return false;
}

/* Gives the piece the mark unless an earlier piece has it. */
static bool take(BoardGrid *grid, size_t piece, const char *mark) {
    assert(piece < grid->pieces.count);
    if (!*mark || is_taken(grid, piece, mark))
        return false;
    snprintf(grid->pieces.items[piece].mark, sizeof grid->pieces.items[piece].mark, "%s", mark);
    return true;
}

static bool starts_word(const char *text, size_t at) {
    return isalnum((unsigned char)text[at]) && (at == 0 || !isalnum((unsigned char)text[at - 1]));
}

/* Chooses a mark. Tries in this order: the whole text if it is short, the initials of its words,
 * one capital letter, a letter and another letter, a letter and a number. */
static void mark_piece(BoardGrid *grid, size_t piece, const char *text) {
    char mark[8] = "";
    size_t length = strlen(text), letters = 0;
    for (size_t i = 0; i < length && letters < 3; i++)
        if (starts_word(text, i)) /* N is a knight's letter, since K is the king's */
            mark[letters++] = strncmp(text + i, "knight", 6) == 0 ? 'n' : text[i];
    mark[letters] = '\0';
    if ((length <= 2 && take(grid, piece, text)) || take(grid, piece, mark))
        return;
    char first = letters ? mark[0] : '#';
    char capital[2] = {(char)toupper((unsigned char)first), '\0'};
    if (take(grid, piece, capital))
        return;
    for (size_t i = 1; i < length; i++) {
        char two[3] = {first, text[i], '\0'};
        if (isalnum((unsigned char)text[i]) && take(grid, piece, two))
            return;
    }
    for (unsigned n = 2;; n++) {
        snprintf(mark, sizeof mark, "%c%u", first, n % 1000000);
        if (take(grid, piece, mark))
            return;
    }
}

void grid_mark_pieces(const Board *board, BoardGrid *grid) {
    for (size_t i = 0; i < grid->pieces.count; i++) {
        BoardPiece *piece = &grid->pieces.items[i];
        if (piece->is_blank)
            snprintf(piece->mark, sizeof piece->mark, ".");
        else if (piece->is_absence)
            take(grid, i, "#");
        else
            mark_piece(grid, i, symbols_name(&board->symbols, piece->text));
    }
}
