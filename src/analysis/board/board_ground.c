/* What never changes on a board, from relations that no move changes: clues beside the lines of a
 * puzzle, signs between squares, colours of squares, whose an edge is, and lines between points. */
#include "analysis/board/board_ground.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bitset.h"

/* All numbers are guesses. */
enum { MIN_LINES = 3, MAX_DEGREE = 4, MANY_HOLES = 30, RING = 8 };

static const char *text_of(const Recogniser *r, Symbol symbol) {
    return symbols_name(&r->board->symbols, symbol);
}

/* The end of the rows of the relation that begins with this row. */
static size_t relation_end(const Recogniser *r, size_t first) {
    const StaticRow *rows = r->statics.items;
    size_t end = first;
    while (end < r->statics.count && rows[end].relation == rows[first].relation &&
           rows[end].arity == rows[first].arity)
        end++;
    return end;
}

static const char *relation_name(const Ground *g, const StaticRow *row) {
    return symbols_name(g->rules->terms.symbols, g->predicates.items.items[row->relation].symbol);
}

static bool names_row(const char *name) {
    return strstr(name, "row") != NULL;
}

static bool names_column(const char *name) {
    return strstr(name, "col") != NULL;
}

/* ---- which axis the rules call a row ---- */

/* Counts the variables at the coordinates of the grid's fluents that are called like a row or a
 * column: positive if x is a row. */
static void count_names(const Ground *g, uint32_t grid, Term atom, int *votes) {
    const Terms *terms = &g->rules->terms;
    Term fact = term_arity(terms, atom) == 1 ? term_argument(terms, atom, 0) : TERM_NONE;
    const char *name;
    if (fact == TERM_NONE || term_is_variable(terms, fact))
        return;
    const char *functor = symbols_name(terms->symbols, term_symbol(terms, fact));
    for (size_t f = 0; f < g->recogniser->board->fluents.count; f++) {
        const BoardFamily *family = &g->recogniser->board->fluents.items[f];
        if (family->kind != FAMILY_GRID || family->grid != grid || family->expansions.count ||
            family->y_column >= family->arity || family->x_column >= family->arity ||
            term_arity(terms, fact) != family->arity ||
            strcasecmp(text_of(g->recogniser, family->functor), functor) != 0)
            continue;
        for (int axis = 0; axis < 2; axis++) {
            Term at = term_argument(terms, fact, axis ? family->y_column : family->x_column);
            if (!term_is_variable(terms, at))
                continue;
            name = symbols_name(terms->symbols, term_symbol(terms, at));
            *votes += (names_row(name) - names_column(name)) * (axis ? -1 : 1);
        }
    }
}

/* True if the rules call the horizontal coordinate a row. */
static bool is_transposed(const Ground *g, uint32_t grid) {
    int votes = 0;
    for (size_t c = 0; c < g->rules->clauses.count; c++) {
        const Clause *clause = &g->rules->clauses.items[c];
        const Literal *literals = clause_literals(g->rules, clause);
        count_names(g, grid, clause->head, &votes);
        for (uint32_t i = 0; i < clause->literal_count; i++)
            if (literals[i].kind != LITERAL_DISTINCT)
                count_names(g, grid, literals[i].atom, &votes);
    }
    return votes > 0;
}

/* Puzzles with clues or signs stand as on paper: rows below each other, the first one above. */
static void stand_as_on_paper(const Ground *g, uint32_t number) {
    if (is_transposed(g, number))
        board_exchange_axes(g->recogniser->board, number);
    U32Vector *rows = &g->recogniser->board->grids.items[number].y.values;
    for (size_t i = 0; i < rows->count / 2; i++) {
        uint32_t swap = rows->items[i];
        rows->items[i] = rows->items[rows->count - 1 - i];
        rows->items[rows->count - 1 - i] = swap;
    }
}

/* ---- clues ---- */

/* Reads the line of a clue: (row 3 1 2) or (clue (in_row 3) 1 2). False if it names none. */
static bool read_line(const Ground *g, const StaticRow *row, bool *is_row, Symbol *line) {
    const char *name = relation_name(g, row), *text = text_of(g->recogniser, row->values[0]);
    *line = row->values[0];
    if (*text == '(' && strchr(text, ' ')) {
        const char *last = strrchr(text, ' ') + 1;
        bool clues = strstr(name, "clue") || strstr(name, "hint") || strstr(name, "run");
        *line = symbols_find(&g->recogniser->board->symbols, last, strlen(last) - 1);
        *is_row = names_row(text);
        return clues && *line != SYMBOL_NONE && (*is_row || names_column(text));
    }
    *is_row = names_row(name);
    return *is_row || names_column(name);
}

static bool is_count(const Recogniser *r, Symbol symbol) {
    const char *text = text_of(r, symbol);
    return *text && strspn(text, "0123456789") == strlen(text);
}

/* Adds the clues of one relation to the grid; none if they name other lines than its own. */
static uint32_t add_clues(const Ground *g, size_t first, size_t end, BoardGrid *grid) {
    size_t before = grid->clues.count, lines = 0;
    uint64_t met = 0;
    for (size_t i = first; i < end; i++) {
        const StaticRow *row = &g->recogniser->statics.items[i];
        BoardClue clue = {.text = row->values[2]};
        Symbol line;
        uint32_t axis = read_line(g, row, &clue.is_row, &line)
                            ? axis_index(clue.is_row ? &grid->y : &grid->x, line)
                            : BOARD_NONE;
        if (axis == BOARD_NONE || !is_count(g->recogniser, row->values[1]) ||
            !is_count(g->recogniser, row->values[2])) {
            grid->clues.count = before;
            return 0;
        }
        clue.line = axis;
        lines += !(met >> (axis % 64) & 1);
        met |= 1ull << (axis % 64);
        vector_push(&grid->clues, clue);
    }
    if (lines < MIN_LINES)
        grid->clues.count = before;
    return (uint32_t)(grid->clues.count - before);
}

static void find_clues(const Ground *g, uint32_t number) {
    const StaticRows *rows = &g->recogniser->statics;
    bool stands = false;
    for (size_t first = 0, end; first < rows->count; first = end) {
        BoardGrid *grid = &g->recogniser->board->grids.items[number];
        end = relation_end(g->recogniser, first);
        if (rows->items[first].arity != 3 || !add_clues(g, first, end, grid) || stands)
            continue;
        stand_as_on_paper(g, number); /* the lines of these clues are other ones now */
        stands = true;
        vector_clear(&grid->clues);
        end = first;
    }
}

/* ---- signs ---- */

static bool read_squares(const BoardGrid *grid, const StaticRow *row, uint32_t at[4]) {
    for (uint32_t i = 0; i < 4; i++)
        if ((at[i] = axis_index(i % 2 ? &grid->y : &grid->x, row->values[i])) == BOARD_NONE)
            return false;
    return true;
}

/* As read_squares, where the rules name the vertical coordinate first. */
static bool read_exchanged(const BoardGrid *grid, const StaticRow *row, uint32_t at[4]) {
    StaticRow turned = *row;
    turned.values[0] = row->values[1];
    turned.values[1] = row->values[0];
    turned.values[2] = row->values[3];
    turned.values[3] = row->values[2];
    return read_squares(grid, &turned, at);
}

/* True if the rows name neighbours, never both ways, and few of all pairs. */
static bool are_signs(const Ground *g, size_t first, size_t end, const BoardGrid *grid) {
    const StaticRow *rows = g->recogniser->statics.items;
    size_t pairs = 2 * (size_t)grid_width(grid) * grid_height(grid);
    bool fits = rows[first].arity == 4 && (end - first) * 3 < pairs;
    for (size_t i = first; i < end && fits; i++) {
        uint32_t at[4];
        fits = read_squares(grid, &rows[i], at) &&
               abs((int)at[0] - (int)at[2]) + abs((int)at[1] - (int)at[3]) == 1;
        for (size_t k = first; k < i && fits; k++)
            fits = memcmp(rows[k].values, rows[i].values + 2, 2 * sizeof(Symbol)) != 0 ||
                   memcmp(rows[k].values + 2, rows[i].values, 2 * sizeof(Symbol)) != 0;
    }
    return fits;
}

static bool has_numbers(const Recogniser *r, uint32_t number) {
    for (uint32_t f = 0; f < r->board->fluents.count; f++) {
        const BoardFamily *family = &r->board->fluents.items[f];
        if (family->kind != FAMILY_GRID || family->grid != number || family->column_count != 3)
            continue;
        uint32_t c = 3 - family->x_column - family->y_column, numbers = 0;
        const U32Vector *values = &r->evidence[f].columns[c].values;
        for (size_t i = 0; i < values->count; i++)
            numbers += is_count(r, values->items[i]);
        if (numbers > 1 && numbers + 1 >= values->count)
            return true;
    }
    return false;
}

/* Signs between numbers: the first square of each has the smaller one. */
static void find_signs(const Ground *g, uint32_t number) {
    const StaticRows *rows = &g->recogniser->statics;
    BoardGrid *grid = &g->recogniser->board->grids.items[number];
    if (!has_numbers(g->recogniser, number))
        return;
    for (size_t first = 0, end; first < rows->count; first = end) {
        static const char *const greater[] = {"gt", "greater", "more", "above", "larger", "bigger"};
        end = relation_end(g->recogniser, first);
        if (!are_signs(g, first, end, grid))
            continue;
        bool turned = is_transposed(g, number), exchanged = false;
        for (size_t i = 0; i < sizeof greater / sizeof *greater; i++)
            exchanged |= strstr(relation_name(g, &rows->items[first]), greater[i]) != NULL;
        stand_as_on_paper(g, number);
        for (size_t i = first; i < end; i++) {
            uint32_t at[4];
            if (!(turned ? read_exchanged : read_squares)(grid, &rows->items[i], at))
                continue;
            uint32_t a = at[1] * grid_width(grid) + at[0], b = at[3] * grid_width(grid) + at[2];
            vector_push(&grid->signs, exchanged ? ((BoardLink){b, a}) : ((BoardLink){a, b}));
        }
        return;
    }
}

void ground_find_clues(const Ground *g) {
    for (uint32_t n = 0; n < g->recogniser->board->grids.count; n++) {
        const BoardGrid *grid = &g->recogniser->board->grids.items[n];
        if (grid->y.values.count < MIN_LINES || grid->x.block)
            continue;
        find_clues(g, n);
        if (!grid->clues.count)
            find_signs(g, n);
    }
}

/* ---- colours of squares ---- */

/* Colours that rows of a square and the name of a colour tell, if they tell most of them. */
static void find_colours(const Ground *g, BoardGrid *grid) {
    const StaticRows *rows = &g->recogniser->statics;
    bool flat = grid->y.values.count == 0;
    size_t squares = (size_t)grid_width(grid) * grid_height(grid);
    for (size_t first = 0, end; first < rows->count && !grid->colours; first = end) {
        uint32_t *colours = memory_zalloc((squares + 1) * sizeof *colours);
        uint32_t last = flat ? 1 : 2;
        size_t found = 0;
        end = relation_end(g->recogniser, first);
        bool fits = rows->items[first].arity == last + 1;
        for (size_t i = first; i < end && fits; i++) {
            const StaticRow *row = &rows->items[i];
            const char *name = text_of(g->recogniser, row->values[last]);
            uint32_t x = axis_index(&grid->x, row->values[0]);
            uint32_t y = flat ? 0 : axis_index(&grid->y, row->values[1]), colour;
            fits = x != BOARD_NONE && y != BOARD_NONE &&
                   colour_of_word(name, strlen(name), &colour) &&
                   !colours[y * grid_width(grid) + x];
            if (fits)
                colours[y * grid_width(grid) + x] = 0x1000000 | colour;
            found += fits;
        }
        if (fits && found * 2 > squares)
            grid->colours = colours;
        else
            free(colours);
    }
}

/* ---- whose an edge is ---- */

/* The edges a square lies on, as a bitset: left, right, bottom, top. */
static uint32_t edges_of(const BoardGrid *grid, uint32_t x, uint32_t y) {
    return (uint32_t)((x == 0) | (x + 1 == grid_width(grid)) << 1 | (y == 0) << 2 |
                      (y + 1 == grid_height(grid)) << 3);
}

/* Rows of a role and a square: an edge is the role's if they name all its squares. */
static void edges_from_rows(const Ground *g, size_t first, size_t end, BoardGrid *grid) {
    for (uint32_t role = 0; role < g->recogniser->board->roles.count; role++) {
        uint32_t count[4] = {0}, all = 0;
        for (size_t i = first; i < end; i++) {
            const StaticRow *row = &g->recogniser->statics.items[i];
            if (row->values[0] != g->recogniser->board->roles.items[role])
                continue;
            uint32_t x = axis_index(&grid->x, row->values[1]);
            uint32_t y = axis_index(&grid->y, row->values[2]);
            if (x == BOARD_NONE || y == BOARD_NONE)
                return;
            all++;
            for (uint32_t e = 0; e < 4; e++)
                count[e] += edges_of(grid, x, y) >> e & 1;
        }
        for (uint32_t e = 0; e < 4; e++)
            if (all && count[e] == (e < 2 ? grid_height(grid) : grid_width(grid)) &&
                all <= 2 * count[e])
                grid->edges[e] = role;
    }
}

/* The role that a term names, at any depth; BOARD_NONE if none. */
static uint32_t role_in_term(const Ground *g, Term term) {
    const Terms *terms = &g->rules->terms;
    const char *name = symbols_name(terms->symbols, term_symbol(terms, term));
    Symbol symbol = symbols_find(&g->recogniser->board->symbols, name, strlen(name));
    uint32_t role =
        symbol == SYMBOL_NONE ? BOARD_NONE : u32_index_of(&g->recogniser->board->roles, symbol);
    for (uint32_t i = 0; i < term_arity(terms, term) && role == BOARD_NONE; i++)
        role = role_in_term(g, term_argument(terms, term, i));
    return role;
}

/* The edge on which a fluent of a family of the grid's size stands: one coordinate is the first or
 * last of its axis, the other one any. 4 if there is none. */
static uint32_t edge_in_atom(const Ground *g, const BoardGrid *grid, Term atom) {
    const Terms *terms = &g->rules->terms;
    if (term_symbol(terms, atom) != KEYWORD_TRUE)
        return 4;
    Term fact = term_argument(terms, atom, 0);
    const char *functor = symbols_name(terms->symbols, term_symbol(terms, fact));
    const Board *board = g->recogniser->board;
    for (size_t f = 0; f < board->fluents.count; f++) {
        const BoardFamily *family = &board->fluents.items[f];
        if (family->kind != FAMILY_GRID || family->expansions.count ||
            family->arity != term_arity(terms, fact) || family->x_column >= family->arity ||
            family->y_column >= family->arity ||
            grid_width(&board->grids.items[family->grid]) != grid_width(grid) ||
            grid_height(&board->grids.items[family->grid]) != grid_height(grid) ||
            strcasecmp(text_of(g->recogniser, family->functor), functor) != 0)
            continue;
        for (uint32_t axis = 0; axis < 2; axis++) {
            const BoardAxis *values = axis ? &grid->y : &grid->x;
            Term at = term_argument(terms, fact, axis ? family->y_column : family->x_column);
            Term other = term_argument(terms, fact, axis ? family->x_column : family->y_column);
            if (term_is_variable(terms, at) || !term_is_variable(terms, other))
                continue;
            const char *name = symbols_name(terms->symbols, term_symbol(terms, at));
            Symbol symbol = symbols_find(&board->symbols, name, strlen(name));
            uint32_t index = symbol == SYMBOL_NONE ? BOARD_NONE : axis_index(values, symbol);
            if (index == 0 || index + 1 == values->values.count)
                return 2 * axis + (index != 0);
        }
    }
    return 4;
}

/* Rules whose premises name a role and facts on an edge. */
static void edges_from_rules(const Ground *g, BoardGrid *grid) {
    for (size_t c = 0; c < g->rules->clauses.count; c++) {
        const Clause *clause = &g->rules->clauses.items[c];
        const Literal *literals = clause_literals(g->rules, clause);
        uint32_t role = role_in_term(g, clause->head), edges = 0;
        for (uint32_t i = 0; i < clause->literal_count; i++) {
            if (literals[i].kind != LITERAL_POSITIVE)
                continue;
            uint32_t named = role_in_term(g, literals[i].atom);
            role = role == BOARD_NONE ? named : role;
            edges |= 1u << edge_in_atom(g, grid, literals[i].atom);
        }
        for (uint32_t e = 0; e < 4 && role != BOARD_NONE; e++)
            if (edges >> e & 1)
                grid->edges[e] = role;
    }
}

static void find_edges(const Ground *g, BoardGrid *grid) {
    const StaticRows *rows = &g->recogniser->statics;
    for (uint32_t e = 0; e < 4; e++)
        grid->edges[e] = BOARD_NONE;
    if (grid->shape != GRID_HEXAGONS)
        return;
    for (size_t first = 0, end; first < rows->count; first = end) {
        end = relation_end(g->recogniser, first);
        if (rows->items[first].arity == 3)
            edges_from_rows(g, first, end, grid);
    }
    bool found = false;
    for (uint32_t e = 0; e < 4; e++)
        found |= grid->edges[e] != BOARD_NONE;
    if (!found)
        edges_from_rules(g, grid);
}

/* ---- points and lines ---- */

typedef struct {
    BoardLinks links;
    uint32_t *degree;     /* by square */
    bool has_long, wraps; /* some line passes by squares that are none; y is a ring */
} Lines;

static bool add_line(const BoardGrid *grid, const StaticRow *row, Lines *lines) {
    uint32_t at[4], width = grid_width(grid), height = grid_height(grid);
    if (!read_squares(grid, row, at))
        return false;
    uint32_t a = at[1] * width + at[0], b = at[3] * width + at[2];
    uint32_t dx = (uint32_t)abs((int)at[0] - (int)at[2]);
    uint32_t dy = (uint32_t)abs((int)at[1] - (int)at[3]);
    if (a == b || (dx && dy) || !bitset_get(grid->exists, a) || !bitset_get(grid->exists, b))
        return false;
    lines->has_long |= dx + dy > 1;
    lines->wraps |= !dx && dy + 1 == height && height == RING;
    for (size_t i = 0; i < lines->links.count; i++)
        if (lines->links.items[i].from == (a < b ? a : b) &&
            lines->links.items[i].to == (a < b ? b : a))
            return true;
    vector_push(&lines->links, ((BoardLink){a < b ? a : b, a < b ? b : a}));
    lines->degree[a]++;
    lines->degree[b]++;
    return true;
}

/* True if the lines join all squares, few at each; and leave holes, or make rings that only some
 * squares join. */
static bool are_lines(const BoardGrid *grid, const Lines *lines) {
    uint32_t squares = grid_width(grid) * grid_height(grid), points = 0, few = 0;
    for (uint32_t s = 0; s < squares; s++) {
        if (!bitset_get(grid->exists, s))
            continue;
        points++;
        few += lines->degree[s] == 2;
        if (lines->degree[s] < 2 || lines->degree[s] > MAX_DEGREE)
            return false;
    }
    bool has_holes = (squares - points) * 100 >= squares * MANY_HOLES;
    return (has_holes && lines->has_long) || (lines->wraps && few * 3 > points);
}

/* Where a point of one of several rings lies: eight on a square, the others on its sides. */
static BoardPoint ring_point(const Recogniser *r, const BoardGrid *grid, const Lines *lines,
                             uint32_t x, uint32_t y) {
    static const double across[RING] = {0, 1, 1, 1, 0, -1, -1, -1};
    static const double up[RING] = {1, 1, 0, -1, -1, -1, 0, 1};
    uint32_t from = 0, width = grid_width(grid);
    for (uint32_t i = 0; i < RING; i++) {
        const char *name = text_of(r, grid->y.values.items[i]);
        from = strcmp(name, "n") == 0 || strcmp(name, "north") == 0 ? i : from;
    }
    if (lines->degree[from * width] == 2)
        from = (from + 1) % RING; /* corners lie on one ring only */
    bool is_outer = strcmp(text_of(r, grid->x.values.items[0]), "outer") == 0;
    double radius = is_outer ? width - x : x + 1;
    uint32_t at = (y + RING - from) % RING;
    return (BoardPoint){radius * across[at], radius * up[at]};
}

static void find_lines(const Ground *g, BoardGrid *grid) {
    const StaticRows *rows = &g->recogniser->statics;
    uint32_t width = grid_width(grid), height = grid_height(grid);
    for (size_t first = 0, end; first < rows->count && !grid->points; first = end) {
        Lines lines = {.degree = memory_zalloc(((size_t)width * height + 1) * sizeof(uint32_t))};
        bool fits = rows->items[first].arity == 4;
        end = relation_end(g->recogniser, first);
        for (size_t i = first; i < end && fits; i++)
            fits = add_line(grid, &rows->items[i], &lines);
        if (fits && are_lines(grid, &lines)) {
            grid->points = memory_alloc((size_t)width * height * sizeof *grid->points);
            for (uint32_t s = 0; s < width * height; s++) {
                uint32_t x = s % width, y = s / width;
                grid->points[s] = lines.wraps ? ring_point(g->recogniser, grid, &lines, x, y)
                                              : (BoardPoint){x, y};
            }
            grid->shape = GRID_PLACES;
            grid->links = lines.links;
            lines.links = (BoardLinks){0};
        }
        vector_free(&lines.links);
        free(lines.degree);
    }
}

void ground_find(const Ground *g) {
    for (size_t n = 0; n < g->recogniser->board->grids.count; n++) {
        BoardGrid *grid = &g->recogniser->board->grids.items[n];
        find_edges(g, grid);
        find_colours(g, grid);
        if (grid->shape == GRID_SQUARES && grid->y.values.count && !grid->planes.values.count)
            find_lines(g, grid);
    }
}
