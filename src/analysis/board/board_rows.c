/* Terms as rows of symbols. Terms with one functor and arity are a family. An argument that is a
 * term with the same functor in all of them is expanded, so that (at (pos 1 2) king) has the
 * columns 1, 2 and king. Any other compound argument is one value, as text. */
#include <assert.h>
#include <string.h>

#include "analysis/board/board_internal.h"
#include "gdl/write.h"

Syntax *board_terms_read(const char *name, const char *text, size_t length, Report *report) {
    Source *source = source_from_text(name, text, length, report);
    Syntax *syntax = source ? syntax_read_kif(source, true, report) : NULL;
    if (syntax && report_failed(report)) {
        syntax_free(syntax);
        return NULL;
    }
    return syntax;
}

void board_node_text(const Syntax *syntax, uint32_t node, Text *out) {
    size_t start = out->count;
    write_node(out, syntax, node, NOTATION_KIF, WRITE_TERM);
    for (size_t i = start; i < out->count; i++)
        out->items[i] = ascii_lower(out->items[i]);
}

Symbol board_node_symbol(const Board *board, const Syntax *syntax, uint32_t node) {
    Text text = {0};
    board_node_text(syntax, node, &text);
    Symbol symbol = symbols_find(&board->symbols, text_string(&text), text.count);
    vector_free(&text);
    return symbol;
}

static Symbol intern_node(Board *board, const Syntax *syntax, uint32_t node) {
    Text text = {0};
    board_node_text(syntax, node, &text);
    Symbol symbol = symbols_intern(&board->symbols, text_string(&text), text.count);
    vector_free(&text);
    return symbol;
}

/* Returns the functor of a term as a symbol of the board; SYMBOL_NONE if it has none. */
static Symbol functor_of(const Board *board, const Syntax *syntax, uint32_t node, uint32_t *arity) {
    uint32_t children = node_children(syntax, node);
    Symbol head = node_head(syntax, node);
    *arity = children ? children - 1 : 0;
    if (head == SYMBOL_NONE)
        return SYMBOL_NONE;
    const char *name = symbols_name(&syntax->symbols, head);
    return symbols_find(&board->symbols, name, strlen(name));
}

static void list_arguments(const Syntax *syntax, uint32_t node, uint32_t arity, uint32_t *columns) {
    uint32_t child = node + 2; /* skip the list node and its head */
    for (uint32_t i = 0; i < arity; i++, child = node_next(syntax, child))
        columns[i] = child;
}

static bool expand(const Board *board, const Syntax *syntax, const FamilyExpansion *expansion,
                   uint32_t *columns, uint32_t count) {
    uint32_t at = expansion->column, arity, node = columns[at];
    Symbol functor = functor_of(board, syntax, node, &arity);
    if (functor != expansion->functor || arity != expansion->arity || arity == 0)
        return false;
    memmove(columns + at + arity, columns + at + 1, (count - at - 1) * sizeof *columns);
    list_arguments(syntax, node, arity, columns + at);
    return true;
}

static uint32_t find_family(const Board *board, const BoardFamilies *families, const Syntax *syntax,
                            uint32_t node) {
    uint32_t arity;
    Symbol functor = functor_of(board, syntax, node, &arity);
    for (uint32_t f = 0; f < families->count && functor != SYMBOL_NONE; f++)
        if (families->items[f].functor == functor && families->items[f].arity == arity)
            return f;
    return BOARD_NONE;
}

bool board_family_match(const Board *board, const BoardFamilies *families, const Syntax *syntax,
                        uint32_t node, uint32_t *family, uint32_t *columns) {
    *family = find_family(board, families, syntax, node);
    if (*family == BOARD_NONE)
        return false;
    const BoardFamily *f = &families->items[*family];
    if (f->column_count > BOARD_MAX_COLUMNS)
        return false;
    uint32_t count = f->arity;
    list_arguments(syntax, node, count, columns);
    for (size_t i = 0; i < f->expansions.count; i++) {
        if (!expand(board, syntax, &f->expansions.items[i], columns, count))
            return false;
        count += f->expansions.items[i].arity - 1;
    }
    return true;
}

/* Appends the family of each term and adds new families as they appear. */
static void find_families(TermRows *rows, Board *board, const Syntax *syntax) {
    for (size_t i = 0; i < syntax->roots.count; i++) {
        uint32_t root = syntax->roots.items[i], arity;
        Symbol head = node_head(syntax, root);
        if (head == SYMBOL_NONE) {
            vector_push(&rows->family, BOARD_NONE);
            continue;
        }
        const char *name = symbols_name(&syntax->symbols, head);
        symbols_intern(&board->symbols, name, strlen(name));
        uint32_t family = find_family(board, rows->families, syntax, root);
        if (family == BOARD_NONE) {
            Symbol functor = functor_of(board, syntax, root, &arity);
            BoardFamily new = {.functor = functor,
                               .arity = arity,
                               .column_count = arity,
                               .kind = FAMILY_FACTS,
                               .grid = BOARD_NONE,
                               .x_column = BOARD_NONE,
                               .y_column = BOARD_NONE,
                               .plane_column = BOARD_NONE,
                               .key_column = BOARD_NONE,
                               .index_column = BOARD_NONE,
                               .amount_column = BOARD_NONE,
                               .value_column = BOARD_NONE,
                               .blank = SYMBOL_NONE};
            family = (uint32_t)rows->families->count;
            vector_push(rows->families, new);
        }
        vector_push(&rows->family, family);
    }
}

typedef VECTOR(uint32_t *) ColumnLists;

/* Lists the syntax nodes of the columns of all terms of a family. */
static void list_columns(const TermRows *rows, const Syntax *syntax, uint32_t family,
                         ColumnLists *lists) {
    uint32_t arity = rows->families->items[family].arity;
    for (size_t i = 0; i < syntax->roots.count; i++) {
        if (rows->family.items[i] != family)
            continue;
        uint32_t *columns = memory_alloc(BOARD_MAX_COLUMNS * sizeof *columns);
        list_arguments(syntax, syntax->roots.items[i], arity, columns);
        vector_push(lists, columns);
    }
}

/* Replaces a column by its arguments. False unless all terms have the same functor there. */
static bool expand_column(Board *board, const Syntax *syntax, ColumnLists *lists, BoardFamily *f,
                          uint32_t column) {
    FamilyExpansion e = {.column = column};
    Symbol head = node_head(syntax, lists->items[0][column]);
    if (head == SYMBOL_NONE || !node_is_list(syntax, lists->items[0][column]))
        return false;
    const char *name = symbols_name(&syntax->symbols, head);
    symbols_intern(&board->symbols, name, strlen(name));
    e.functor = functor_of(board, syntax, lists->items[0][column], &e.arity);
    if (e.arity == 0 || f->column_count + e.arity - 1 > BOARD_MAX_COLUMNS)
        return false;
    for (size_t i = 0; i < lists->count; i++) {
        uint32_t arity, node = lists->items[i][column];
        if (!node_is_list(syntax, node) || functor_of(board, syntax, node, &arity) != e.functor ||
            arity != e.arity)
            return false;
    }
    for (size_t i = 0; i < lists->count; i++)
        expand(board, syntax, &e, lists->items[i], f->column_count);
    vector_push(&f->expansions, e);
    f->column_count += e.arity - 1;
    return true;
}

static void fill_rows(TermRows *rows, Board *board, const Syntax *syntax, uint32_t family) {
    BoardFamily *f = &rows->families->items[family];
    ColumnLists lists = {0};
    if (f->arity <= BOARD_MAX_COLUMNS)
        list_columns(rows, syntax, family, &lists);
    else
        f->column_count = 0; /* too many columns to examine */
    for (uint32_t c = 0; c < f->column_count && lists.count;)
        c += !expand_column(board, syntax, &lists, f, c);
    for (size_t i = 0; i < lists.count; i++) {
        for (uint32_t c = 0; c < f->column_count; c++)
            vector_push(&rows->rows.items[family], intern_node(board, syntax, lists.items[i][c]));
        free(lists.items[i]);
    }
    vector_free(&lists);
}

void board_rows_read(TermRows *rows, Board *board, BoardFamilies *families,
                     const StringVector *terms) {
    Text text = {0};
    Report report = {0};
    *rows = (TermRows){.families = families};
    for (size_t i = 0; i < terms->count; i++) {
        text_add(&text, terms->items[i]);
        text_add_char(&text, '\n');
    }
    Syntax *syntax = board_terms_read("terms", text_string(&text), text.count, &report);
    if (syntax) {
        find_families(rows, board, syntax);
        for (uint32_t f = 0; f < families->count; f++) {
            vector_push(&rows->rows, (U32Vector){0});
            fill_rows(rows, board, syntax, f);
        }
        uint32_t *next = memory_zalloc((families->count + 1) * sizeof *next);
        for (size_t i = 0; i < rows->family.count; i++)
            vector_push(&rows->row,
                        rows->family.items[i] == BOARD_NONE ? 0 : next[rows->family.items[i]]++);
        free(next);
    }
    syntax_free(syntax);
    report_free(&report);
    vector_free(&text);
}

void board_rows_free(TermRows *rows) {
    for (size_t i = 0; i < rows->rows.count; i++)
        vector_free(&rows->rows.items[i]);
    vectors_free(&rows->rows, &rows->family, &rows->row);
}

uint32_t board_rows_count(const TermRows *rows, uint32_t family) {
    assert(family < rows->rows.count);
    uint32_t width = family_row_width(&rows->families->items[family]);
    return width ? (uint32_t)(rows->rows.items[family].count / width) : 0;
}

const uint32_t *board_rows_get(const TermRows *rows, uint32_t family, uint32_t row) {
    return rows->rows.items[family].items +
           (size_t)row * family_row_width(&rows->families->items[family]);
}

bool family_is_content(const BoardFamily *f, uint32_t column) {
    for (uint32_t j = 0; j < f->join_count; j++)
        if (column == f->joins[j].outer || column == f->joins[j].inner)
            return false;
    return column != f->x_column && column != f->y_column && column != f->plane_column;
}

void rows_join(TermRows *rows, Board *board, uint32_t family, const FamilyJoin joins[2]) {
    BoardFamily *f = &rows->families->items[family];
    U32Vector wider = {0};
    for (uint32_t i = 0; i < board_rows_count(rows, family); i++) {
        const uint32_t *row = board_rows_get(rows, family, i);
        for (uint32_t c = 0; c < f->column_count; c++)
            vector_push(&wider, row[c]);
        for (uint32_t j = 0; j < 2; j++)
            vector_push(&wider, symbol_joined(board, row[joins[j].outer], row[joins[j].inner]));
    }
    memcpy(f->joins, joins, sizeof f->joins);
    f->join_count = 2;
    vector_free(&rows->rows.items[family]);
    rows->rows.items[family] = wider;
}

Symbol symbol_joined(Board *board, Symbol outer, Symbol inner) {
    Text text = {0};
    text_printf(&text, "%s %s", symbols_name(&board->symbols, outer),
                symbols_name(&board->symbols, inner));
    Symbol symbol = symbols_intern(&board->symbols, text.items, text.count);
    vector_free(&text);
    return symbol;
}

void column_text(const BoardFamily *f, const Syntax *syntax, const uint32_t *columns,
                 uint32_t column, Text *out) {
    if (column < f->column_count) {
        board_node_text(syntax, columns[column], out);
        return;
    }
    const FamilyJoin *join = &f->joins[column - f->column_count];
    board_node_text(syntax, columns[join->outer], out);
    text_add_char(out, ' ');
    board_node_text(syntax, columns[join->inner], out);
}

bool board_family_has_contents(const BoardFamily *f) {
    for (uint32_t c = 0; c < f->column_count; c++)
        if (family_is_content(f, c))
            return true;
    return false;
}

Symbol board_family_contents(Board *board, const BoardFamily *f, const uint32_t *row) {
    Text text = {0};
    for (uint32_t c = 0; c < f->column_count; c++) {
        if (!family_is_content(f, c))
            continue;
        if (text.count)
            text_add_char(&text, ' ');
        text_add(&text, symbols_name(&board->symbols, row[c]));
    }
    if (!text.count)
        text_add(&text, symbols_name(&board->symbols, f->functor));
    Symbol symbol = symbols_intern(&board->symbols, text.items, text.count);
    vector_free(&text);
    return symbol;
}
