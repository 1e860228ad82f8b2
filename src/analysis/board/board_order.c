/* The order of coordinates. A relation of the rules orders the values if its pairs are the steps of
 * a path (1-2, 2-3, 3-4, in either direction or both). Numbers and letters have an order of their
 * own. Other values come in the order in which the rules mention them. */
#include <ctype.h>
#include <string.h>

#include "analysis/board/board_internal.h"

enum {
    MAX_ROWS = 20000,       /* rows read per relation; enough for large boards (untuned) */
    MAX_PATH_LENGTH = 1000, /* greatest number of values on a path (untuned) */
    MAX_NUMBER_LENGTH = 9   /* greatest number of digits, so that the number fits into 32 bits */
};

typedef struct {
    StaticRows *rows;
    Board *board;
    uint32_t arity;
} Collector;

static void collect_row(void *context, uint32_t relation, const char *const *texts) {
    Collector *c = context;
    StaticRow row = {.relation = relation, .arity = c->arity};
    for (uint32_t i = 0; i < c->arity; i++)
        row.values[i] = symbols_intern(&c->board->symbols, texts[i], strlen(texts[i]));
    vector_push(c->rows, row);
}

void static_rows_collect(StaticRows *rows, Board *board, const Game *game) {
    static const uint32_t arities[] = {2, 3, 4};
    for (size_t i = 0; i < sizeof arities / sizeof *arities; i++) {
        Collector c = {rows, board, arities[i]};
        interpreter_visit_static_rows(game->interpreter, arities[i], MAX_ROWS, collect_row, &c);
    }
}

static bool is_number(const char *name) {
    name += *name == '-';
    if (!*name || strlen(name) > MAX_NUMBER_LENGTH)
        return false;
    for (; *name; name++)
        if (!isdigit((unsigned char)*name))
            return false;
    return true;
}

static bool is_letter(const char *name) {
    return isalpha((unsigned char)name[0]) && !name[1];
}

static bool all_are(const Board *board, const U32Vector *values, bool (*is)(const char *)) {
    for (size_t i = 0; i < values->count; i++)
        if (!is(symbols_name(&board->symbols, values->items[i])))
            return false;
    return true;
}

static uint32_t position_of(const U32Vector *sorted, Symbol value) {
    const uint32_t *found =
        bsearch(&value, sorted->items, sorted->count, sizeof *sorted->items, u32_compare);
    return found ? (uint32_t)(found - sorted->items) : BOARD_NONE;
}

/* The neighbours of a value on a path. */
typedef struct {
    uint32_t next[2];
    uint32_t count; /* number of neighbours, 0 to 2 */
    bool is_first;  /* no row has it as the second argument */
    uint32_t right; /* second argument of the row that has it as the first; BOARD_NONE if none */
} Link;

static bool add_neighbour(Link *link, uint32_t other) {
    for (uint32_t i = 0; i < link->count; i++)
        if (link->next[i] == other)
            return true;
    if (link->count == 2)
        return false;
    link->next[link->count++] = other;
    return true;
}

/* Links the values by the rows of one relation. False if a value has three neighbours. */
static bool link_values(const StaticRow *rows, size_t count, const U32Vector *sorted, Link *links) {
    for (size_t i = 0; i < sorted->count; i++)
        links[i] = (Link){.is_first = true, .right = BOARD_NONE};
    for (size_t i = 0; i < count; i++) {
        uint32_t a = position_of(sorted, rows[i].values[0]);
        uint32_t b = position_of(sorted, rows[i].values[1]);
        if (a == BOARD_NONE || b == BOARD_NONE || a == b)
            continue;
        if (!add_neighbour(&links[a], b) || !add_neighbour(&links[b], a))
            return false;
        links[b].is_first = false;
        links[a].right = b;
    }
    return true;
}

/* Walks from one end of the path to the other, or around a ring from the value that the rules
 * mention first. False if some values are not on the path. */
static bool walk(const Link *links, const U32Vector *sorted, bool rings, U32Vector *path) {
    uint32_t start = BOARD_NONE;
    for (uint32_t i = 0; i < sorted->count; i++)
        if (links[i].count == 1 &&
            (start == BOARD_NONE || links[i].is_first > links[start].is_first))
            start = i;
    bool is_ring = start == BOARD_NONE;
    if (is_ring && !rings)
        return false;
    vector_clear(path);
    for (uint32_t at = is_ring ? 0 : start, from = BOARD_NONE; path->count < sorted->count;) {
        vector_push(path, sorted->items[at]);
        uint32_t next = BOARD_NONE;
        for (uint32_t i = 0; i < links[at].count; i++)
            if (links[at].next[i] != from)
                next = links[at].next[i];
        if (from == BOARD_NONE && is_ring)
            next = links[at].right;
        from = at;
        at = next;
        if (at == BOARD_NONE || (is_ring && at == 0))
            break;
    }
    return path->count == sorted->count;
}

static bool walk_relation(const StaticRow *rows, size_t count, const U32Vector *sorted, bool rings,
                          U32Vector *path) {
    Link *links = memory_alloc(sorted->count * sizeof *links);
    bool found = link_values(rows, count, sorted, links) && walk(links, sorted, rings, path);
    free(links);
    return found;
}

/* Lists all values that the rows mention, sorted. */
static void list_values(const StaticRow *rows, size_t count, U32Vector *sorted) {
    vector_clear(sorted);
    for (size_t i = 0; i < 2 * count; i++)
        vector_push(sorted, rows[i / 2].values[i % 2]);
    u32_sort_unique(sorted);
}

/* Cuts the path to the shortest section with all values. False if it lacks a value, or if fewer
 * than half of the values follow another one directly. */
static bool cut_path(const U32Vector *values, U32Vector *path) {
    size_t first = path->count, last = 0, found = 0, neighbours = 0;
    for (size_t i = 0; i < path->count; i++) {
        if (position_of(values, path->items[i]) == BOARD_NONE)
            continue;
        neighbours += found && last + 1 == i;
        found++;
        first = i < first ? i : first;
        last = i;
    }
    if (found < values->count || neighbours * 2 < found)
        return false;
    memmove(path->items, path->items + first, (last - first + 1) * sizeof *path->items);
    path->count = last - first + 1;
    return true;
}

/* Finds the path through the values by the rows of one relation. If other values lie between them,
 * the whole relation has to be a path. Only values without an order may form a ring. */
static bool make_path(const StaticRow *rows, size_t count, const U32Vector *sorted, bool rings,
                      U32Vector *path) {
    if (walk_relation(rows, count, sorted, rings, path))
        return true;
    U32Vector all = {0};
    list_values(rows, count, &all);
    bool found = all.count > sorted->count && all.count <= MAX_PATH_LENGTH &&
                 walk_relation(rows, count, &all, false, path) && cut_path(sorted, path);
    vector_free(&all);
    return found;
}

static long value_of_name(const Board *board, Symbol symbol, bool numbers) {
    const char *name = symbols_name(&board->symbols, symbol);
    return numbers ? strtol(name, NULL, 10) : (long)name[0];
}

static bool is_ascending(const Board *board, const U32Vector *values, bool numbers, int direction) {
    for (size_t i = 1; i < values->count; i++)
        if ((value_of_name(board, values->items[i], numbers) -
             value_of_name(board, values->items[i - 1], numbers)) *
                direction <=
            0)
            return false;
    return true;
}

static void reverse(U32Vector *values) {
    for (size_t i = 0, j = values->count; i + 1 < j; i++) {
        uint32_t swapped = values->items[i];
        values->items[i] = values->items[--j];
        values->items[j] = swapped;
    }
}

/* Insertion sort, because axes are short and the sort must be stable. */
static void sort_by_name(const Board *board, U32Vector *values, bool numbers) {
    for (size_t i = 1; i < values->count; i++) {
        Symbol moving = values->items[i];
        size_t j = i;
        for (; j > 0 && value_of_name(board, values->items[j - 1], numbers) >
                            value_of_name(board, moving, numbers);
             j--)
            values->items[j] = values->items[j - 1];
        values->items[j] = moving;
    }
}

/* Finds the path of the first relation that has one, or of one along which names ascend. */
static bool find_path(const Board *board, const StaticRows *rows, const U32Vector *sorted,
                      bool numbers, bool letters, U32Vector *best, uint32_t *relation) {
    U32Vector path = {0};
    bool found = false, done = false, named = numbers || letters;
    for (size_t first = 0, end; first < rows->count && !done; first = end) {
        const StaticRow *row = &rows->items[first];
        for (end = first; end < rows->count && rows->items[end].relation == row->relation;)
            end++;
        if (row->arity != 2 || !make_path(row, end - first, sorted, !named, &path))
            continue;
        if (named && is_ascending(board, &path, numbers, -1))
            reverse(&path);
        done = !named || is_ascending(board, &path, numbers, 1);
        if (done || !found) {
            vector_clear(best);
            u32_append(best, &path);
            *relation = row->relation;
        }
        found = true;
    }
    vector_free(&path);
    return found;
}

BoardOrder order_values(const Board *board, const StaticRows *rows, U32Vector *values,
                        uint32_t *relation) {
    bool numbers = all_are(board, values, is_number), letters = all_are(board, values, is_letter);
    U32Vector path = {0};
    *relation = BOARD_NONE;
    vector_sort(values, u32_compare);
    if (values->count > 2 && find_path(board, rows, values, numbers, letters, &path, relation)) {
        vector_free(values);
        *values = path;
        return ORDER_CHAIN;
    }
    vector_free(&path);
    if (!numbers && !letters)
        return ORDER_APPEARANCE;
    sort_by_name(board, values, numbers);
    return numbers ? ORDER_NUMBERS : ORDER_LETTERS;
}
