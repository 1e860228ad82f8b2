/* Finds the arguments of moves that are coordinates: in some rule they share a variable with a
 * coordinate of a fluent, directly or through predicates. */
#include <assert.h>
#include <string.h>

#include "analysis/board/board_internal.h"
#include "gdl/predicates.h"

/* Bitset of axes: bit AXES * grid + axis, where the axes are x, y, the plane, and the outer x and
 * y. */
typedef uint64_t AxisSet;
enum { AXES = 5, ALL_AXES = (1 << AXES) - 1, MAX_GRIDS = 64 / AXES };
static const uint8_t axis_letters[AXES] = {'x', 'y', 'p', 'X', 'Y'};

typedef struct {
    Board *board;
    const Rules *rules;
    Predicates predicates;
    VECTOR(AxisSet) arguments; /* axes of the arguments of one predicate after the other */
    U32Vector first_argument;  /* by predicate: index of its first argument */
    AxisSet *variables;        /* by term: axes of the variables of the current clause */
    AxisSet (*moves)[BOARD_MAX_COLUMNS]; /* by family of moves and column */
    bool changed;
} Linker;

static Symbol board_symbol(const Linker *l, Symbol symbol) {
    const char *name = symbols_name(l->rules->terms.symbols, symbol);
    return symbols_find(&l->board->symbols, name, strlen(name));
}

/* Finds the family and the columns of a term. A column that cannot be expanded is TERM_NONE. */
static const BoardFamily *match_term(const Linker *l, const BoardFamilies *families, Term term,
                                     Term *columns) {
    const Terms *terms = &l->rules->terms;
    Symbol functor = board_symbol(l, term_symbol(terms, term));
    uint32_t count = term_arity(terms, term);
    for (size_t f = 0; f < families->count; f++) {
        const BoardFamily *family = &families->items[f];
        if (family->functor != functor || family->arity != count ||
            family->column_count > BOARD_MAX_COLUMNS || family->column_count == 0)
            continue;
        memcpy(columns, term_arguments(terms, term), count * sizeof *columns);
        for (size_t i = 0; i < family->expansions.count; i++) {
            const FamilyExpansion *e = &family->expansions.items[i];
            Term inner = columns[e->column];
            bool opens = inner != TERM_NONE && term_arity(terms, inner) == e->arity;
            memmove(columns + e->column + e->arity, columns + e->column + 1,
                    (count - e->column - 1) * sizeof *columns);
            for (uint32_t c = 0; c < e->arity; c++)
                columns[e->column + c] = opens ? term_argument(terms, inner, c) : TERM_NONE;
            count += e->arity - 1;
        }
        return family;
    }
    return NULL;
}

static AxisSet axis_of_column(const BoardFamily *f, uint32_t column) {
    if (f->kind != FAMILY_GRID || f->grid >= MAX_GRIDS)
        return 0;
    AxisSet first = (AxisSet)1 << (AXES * f->grid);
    for (uint32_t j = 0; j < f->join_count; j++) {
        if (column == f->joins[j].outer)
            return first << (3 + j);
        if (column == f->joins[j].inner)
            return first << j;
    }
    return column == f->x_column       ? first
           : column == f->y_column     ? first << 1
           : column == f->plane_column ? first << 2
                                       : 0;
}

static bool is_variable(const Linker *l, Term term) {
    return term != TERM_NONE && term_is_variable(&l->rules->terms, term);
}

/* Learns the axes of variables from the coordinates of a fluent. */
static void learn_from_fluent(Linker *l, Term fluent) {
    Term columns[BOARD_MAX_COLUMNS];
    if (is_variable(l, fluent))
        return;
    const BoardFamily *f = match_term(l, &l->board->fluents, fluent, columns);
    for (uint32_t c = 0; f && c < f->column_count; c++)
        if (is_variable(l, columns[c]))
            l->variables[columns[c]] |= axis_of_column(f, c);
}

static void learn_from_predicate(Linker *l, Term atom) {
    uint32_t p = predicate_of_atom(&l->predicates, &l->rules->terms, atom);
    for (uint32_t i = 0; p != PREDICATE_NONE && i < term_arity(&l->rules->terms, atom); i++) {
        Term argument = term_argument(&l->rules->terms, atom, i);
        if (is_variable(l, argument))
            l->variables[argument] |= l->arguments.items[l->first_argument.items[p] + i];
    }
}

/* Learns the axes of variables from an atom, negated or not. */
static void learn_from_atom(Linker *l, Term atom) {
    const Terms *terms = &l->rules->terms;
    Symbol symbol = term_symbol(terms, atom);
    if ((symbol == KEYWORD_TRUE || symbol == KEYWORD_NEXT) && term_arity(terms, atom) == 1)
        learn_from_fluent(l, term_argument(terms, atom, 0));
    else if (symbol >= KEYWORD_COUNT)
        learn_from_predicate(l, atom);
}

static void teach_move(Linker *l, Term move) {
    Term columns[BOARD_MAX_COLUMNS];
    if (is_variable(l, move))
        return;
    const BoardFamily *f = match_term(l, &l->board->moves, move, columns);
    for (uint32_t c = 0; f && c < f->column_count; c++)
        if (is_variable(l, columns[c]))
            l->moves[f - l->board->moves.items][c] |= l->variables[columns[c]];
}

/* Passes the axes of variables on to moves, in `legal`, in `does` and in predicates about them. */
static void teach_moves_in(Linker *l, Term atom) {
    for (uint32_t i = 0; i < term_arity(&l->rules->terms, atom); i++)
        teach_move(l, term_argument(&l->rules->terms, atom, i));
}

static void teach_predicate(Linker *l, Term head) {
    uint32_t p = predicate_of_atom(&l->predicates, &l->rules->terms, head);
    for (uint32_t i = 0; p != PREDICATE_NONE && i < term_arity(&l->rules->terms, head); i++) {
        Term argument = term_argument(&l->rules->terms, head, i);
        AxisSet *known = &l->arguments.items[l->first_argument.items[p] + i];
        if (!is_variable(l, argument) || !(l->variables[argument] & ~*known))
            continue;
        *known |= l->variables[argument];
        l->changed = true;
    }
}

static void link_clause(Linker *l, const Clause *clause) {
    const Literal *literals = clause_literals(l->rules, clause);
    memset(l->variables, 0, l->rules->terms.cells.count * sizeof *l->variables);
    learn_from_atom(l, clause->head);
    for (uint32_t i = 0; i < clause->literal_count; i++)
        if (literals[i].kind != LITERAL_DISTINCT)
            learn_from_atom(l, literals[i].atom);
    Symbol head = term_symbol(&l->rules->terms, clause->head);
    if (head == KEYWORD_LEGAL || head >= KEYWORD_COUNT)
        teach_moves_in(l, clause->head);
    if (head >= KEYWORD_COUNT)
        teach_predicate(l, clause->head);
    for (uint32_t i = 0; i < clause->literal_count; i++)
        if (term_symbol(&l->rules->terms, literals[i].atom) == KEYWORD_DOES)
            teach_moves_in(l, literals[i].atom);
}

static uint32_t count_columns_on(const Linker *l, size_t family, uint32_t grid) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < l->board->moves.items[family].column_count; c++)
        count += (l->moves[family][c] >> (AXES * grid) & ALL_AXES) != 0;
    return count;
}

/* Chooses the grid with the most matching columns and an axis for each column. An axis that the
 * current square already has begins the next square. */
static void settle_move(Linker *l, size_t family) {
    BoardFamily *f = &l->board->moves.items[family];
    uint32_t grids = (uint32_t)l->board->grids.count, best = 0, filled = 0;
    for (uint32_t g = 1; g < grids && g < MAX_GRIDS; g++)
        if (count_columns_on(l, family, g) > count_columns_on(l, family, best))
            best = g;
    if (!grids || !count_columns_on(l, family, best))
        return;
    f->grid = best;
    for (uint32_t c = 0; c < f->column_count; c++) {
        uint32_t axes = l->moves[family][c] >> (AXES * best) & ALL_AXES;
        if (!axes)
            continue;
        if (!(axes & ~filled))
            filled = 0;
        assert(axes & ~filled);
        uint32_t axis = (uint32_t)__builtin_ctz(axes & ~filled);
        f->axes[c] = axis_letters[axis];
        filled |= 1u << axis;
    }
}

static bool names_only(const BoardFamily *move, uint32_t grid, uint8_t axis) {
    uint32_t here = 0, others = 0;
    for (uint32_t c = 0; c < move->column_count && move->grid == grid; c++) {
        here += move->axes[c] == axis;
        others += move->axes[c] && move->axes[c] != axis && move->axes[c] != 'p';
    }
    return here && !others;
}

/* If moves name one coordinate only, it becomes the horizontal one: they drop into columns. */
static void turn_grid_to_drop(Board *board, uint32_t grid) {
    bool names_x = false, names_y = false;
    for (size_t m = 0; m < board->moves.count; m++) {
        names_x |= names_only(&board->moves.items[m], grid, 'x');
        names_y |= names_only(&board->moves.items[m], grid, 'y');
    }
    if (!names_x && names_y && !board->grids.items[grid].x.block)
        board_exchange_axes(board, grid);
}

void board_exchange_axes(Board *board, uint32_t grid) {
    BoardAxis swapped = board->grids.items[grid].x;
    board->grids.items[grid].x = board->grids.items[grid].y;
    board->grids.items[grid].y = swapped;
    for (size_t i = 0; i < board->fluents.count; i++) {
        BoardFamily *f = &board->fluents.items[i];
        if (f->kind != FAMILY_GRID || f->grid != grid)
            continue;
        uint32_t column = f->x_column;
        f->x_column = f->y_column;
        f->y_column = column;
    }
    for (size_t m = 0; m < board->moves.count; m++)
        for (uint32_t c = 0; c < BOARD_MAX_COLUMNS && board->moves.items[m].grid == grid; c++) {
            uint8_t *axis = &board->moves.items[m].axes[c];
            *axis = *axis == 'x' ? 'y' : *axis == 'y' ? 'x' : *axis;
        }
}

void moves_point_at_squares(Board *board, const Game *game) {
    Linker l = {.board = board, .rules = game->rules, .changed = true};
    if (!board->grids.count || !board->moves.count)
        return;
    predicates_collect(&l.predicates, l.rules);
    for (size_t p = 0; p < l.predicates.items.count; p++) {
        vector_push(&l.first_argument, (uint32_t)l.arguments.count);
        for (uint32_t i = 0; i < l.predicates.items.items[p].arity; i++)
            vector_push(&l.arguments, 0);
    }
    l.variables = memory_alloc(l.rules->terms.cells.count * sizeof *l.variables);
    l.moves = memory_zalloc(board->moves.count * sizeof *l.moves);
    while (l.changed) {
        l.changed = false;
        for (size_t c = 0; c < l.rules->clauses.count; c++)
            link_clause(&l, &l.rules->clauses.items[c]);
    }
    for (size_t f = 0; f < board->moves.count; f++)
        if (board->moves.items[f].column_count <= BOARD_MAX_COLUMNS)
            settle_move(&l, f);
    for (uint32_t g = 0; g < board->grids.count; g++)
        if (board->grids.items[g].y.values.count)
            turn_grid_to_drop(board, g);
    predicates_free(&l.predicates);
    vectors_free(&l.arguments, &l.first_argument);
    memory_free(l.variables, l.moves);
}

/* The values of one square, by axis; SYMBOL_NONE where it is left open. */
typedef struct {
    Symbol values[AXES];
    bool has[AXES];
} OpenSquare;

static uint32_t find_on_axis(const Board *board, const OpenSquare *open, const BoardAxis *axis,
                             uint32_t number) {
    bool is_joined = number < 2 && axis->block;
    if (!open->has[number] || (is_joined && !open->has[3 + number]))
        return BOARD_NONE;
    if (!is_joined)
        return axis_index(axis, open->values[number]);
    Text text = {0};
    if (open->values[3 + number] != SYMBOL_NONE && open->values[number] != SYMBOL_NONE)
        text_printf(&text, "%s %s", symbols_name(&board->symbols, open->values[3 + number]),
                    symbols_name(&board->symbols, open->values[number]));
    Symbol symbol = symbols_find(&board->symbols, text_string(&text), text.count);
    vector_free(&text);
    return axis_index(axis, symbol);
}

static void add_square(const Board *board, uint32_t grid, OpenSquare *open, BoardSquares *squares) {
    const BoardGrid *g = &board->grids.items[grid];
    BoardSquare square = {.grid = grid,
                          .plane = find_on_axis(board, open, &g->planes, 2),
                          .x = find_on_axis(board, open, &g->x, 0),
                          .y = find_on_axis(board, open, &g->y, 1)};
    if (!open->has[2])
        square.plane = 0;
    if (!g->y.values.count)
        square.y = 0;
    if (square.x != BOARD_NONE || (g->y.values.count && square.y != BOARD_NONE))
        vector_push(squares, square);
    *open = (OpenSquare){0};
}

static void list_squares(const Board *board, const BoardFamily *f, const Syntax *syntax,
                         const uint32_t *columns, BoardSquares *squares) {
    OpenSquare open = {0};
    bool any = false;
    for (uint32_t c = 0; c < f->column_count; c++) {
        const uint8_t *letter = f->axes[c] ? memchr(axis_letters, f->axes[c], AXES) : NULL;
        if (!letter)
            continue;
        size_t axis = (size_t)(letter - axis_letters);
        if (open.has[axis])
            add_square(board, f->grid, &open, squares);
        open.values[axis] = board_node_symbol(board, syntax, columns[c]);
        open.has[axis] = any = true;
    }
    if (any)
        add_square(board, f->grid, &open, squares);
}

void board_move_squares(const Board *board, const char *move, BoardSquares *squares) {
    Report report = {0};
    Syntax *syntax = board_terms_read("move", move, strlen(move), &report);
    uint32_t family, columns[BOARD_MAX_COLUMNS];
    if (syntax && syntax->roots.count == 1 &&
        board_family_match(board, &board->moves, syntax, syntax->roots.items[0], &family,
                           columns) &&
        board->moves.items[family].grid != BOARD_NONE &&
        !board->grids.items[board->moves.items[family].grid].mirror.count)
        list_squares(board, &board->moves.items[family], syntax, columns, squares);
    syntax_free(syntax);
    report_free(&report);
}
