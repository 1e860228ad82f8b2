/* What stands on an empty square, found by what states do: the contents that fill most of the first
 * board; the one tile that every change exchanges with another; a fact without contents that holds
 * on the whole board at first and lies under other pieces, or leaves squares one by one: then the
 * squares it has left are those that somebody marked. */
#include <string.h>

#include "analysis/board_internal.h"
#include "base/bitset.h"

static uint64_t square_of(const BoardFamily *f, const uint32_t *row) {
    return (uint64_t)row[f->x_column] << 32 | (f->y_column == BOARD_NONE ? 0 : row[f->y_column]);
}

static int compare_squares(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Squares that facts of the family may be about: a board need not be a whole rectangle. */
static size_t count_squares(const BoardSearch *s, uint32_t family) {
    uint32_t rows = rows_count(s->terms, family);
    uint64_t *squares = memory_alloc((rows + 1) * sizeof *squares);
    size_t count = 0;
    for (uint32_t i = 0; i < rows; i++)
        squares[i] = square_of(&s->board->fluents.items[family], rows_get(s->terms, family, i));
    qsort(squares, rows, sizeof *squares, compare_squares);
    for (uint32_t i = 0; i < rows; i++)
        count += !i || squares[i] != squares[i - 1];
    free(squares);
    return count;
}

/* Numbers of the family's rows in a state of the sample. */
static void list_rows(const BoardSearch *s, uint32_t family, uint32_t state, U32Vector *rows) {
    vector_clear(rows);
    for (uint32_t i = s->sample->first_fact.items[state];
         i < s->sample->first_fact.items[state + 1]; i++) {
        uint32_t fluent = s->sample->facts.items[i];
        if (s->terms->family.items[fluent] == family)
            vector_push(rows, s->terms->row.items[fluent]);
    }
}

static bool follows(const Sample *sample, uint32_t state) {
    return state > 0 && sample->step.items[state] == sample->step.items[state - 1] + 1;
}

/* What at least a third of a board that is (nearly) full at the start holds. */
static Symbol find_most_common(const BoardSearch *s, uint32_t family, size_t squares) {
    const BoardFamily *f = &s->board->fluents.items[family];
    U32Vector rows = {0}, contents = {0};
    Symbol blank = SYMBOL_NONE;
    uint32_t most = 0;
    list_rows(s, family, 0, &rows);
    for (size_t i = 0; i < rows.count && rows.count * 10 >= squares * 6; i++)
        vector_push(&contents,
                    family_contents(s->board, f, rows_get(s->terms, family, rows.items[i])));
    for (size_t i = 0; i < contents.count; i++) {
        uint32_t equal = 0;
        for (size_t j = 0; j < contents.count; j++)
            equal += contents.items[j] == contents.items[i];
        if (equal > most && equal * 3 >= contents.count && equal > 1) {
            most = equal;
            blank = contents.items[i];
        }
    }
    vector_free(&rows);
    vector_free(&contents);
    return blank;
}

/* Where each of the contents stands, by symbol, 0 if nowhere; false if one stands twice. */
static bool place_contents(const BoardSearch *s, uint32_t family, const U32Vector *rows,
                           uint64_t *where, size_t symbols) {
    const BoardFamily *f = &s->board->fluents.items[family];
    memset(where, 0, symbols * sizeof *where);
    for (size_t i = 0; i < rows->count; i++) {
        const uint32_t *row = rows_get(s->terms, family, rows->items[i]);
        Symbol contents = family_contents(s->board, f, row);
        if (where[contents])
            return false;
        where[contents] = square_of(f, row) + 1;
    }
    return true;
}

/* On a board that is always full of different tiles: the only one that no change leaves alone. */
static Symbol find_exchanged(const BoardSearch *s, uint32_t family, size_t squares) {
    const BoardFamily *f = &s->board->fluents.items[family];
    for (uint32_t i = 0; i < rows_count(s->terms, family); i++)
        family_contents(s->board, f, rows_get(s->terms, family, i));
    size_t symbols = s->board->symbols.names.count;
    uint64_t *where = memory_zalloc(symbols * sizeof *where);
    uint64_t *before = memory_zalloc(symbols * sizeof *before);
    bool *rests = memory_zalloc(symbols * sizeof *rests);
    bool is_full = true;
    uint32_t changes = 0, wanderers = 0;
    Symbol blank = SYMBOL_NONE;
    U32Vector rows = {0};
    for (uint32_t state = 0; is_full && state < sample_states(s->sample); state++) {
        list_rows(s, family, state, &rows);
        is_full = rows.count == squares && place_contents(s, family, &rows, where, symbols);
        bool is_change = is_full && follows(s->sample, state) &&
                         memcmp(where, before, symbols * sizeof *where) != 0;
        changes += is_change;
        for (size_t c = 0; is_change && c < symbols; c++)
            rests[c] |= where[c] == before[c];
        memcpy(before, where, symbols * sizeof *where);
    }
    for (Symbol c = 0; is_full && changes > 1 && c < symbols; c++)
        if (before[c] && !rests[c]) {
            wanderers++;
            blank = c;
        }
    free(where);
    free(before);
    free(rests);
    vector_free(&rows);
    return wanderers == 1 && squares > 2 ? blank : SYMBOL_NONE;
}

Symbol blank_find(const BoardSearch *s, uint32_t family) {
    size_t squares = count_squares(s, family);
    Symbol blank = find_most_common(s, family, squares);
    return blank != SYMBOL_NONE ? blank : find_exchanged(s, family, squares);
}

bool blank_is_floor(const BoardSearch *s, uint32_t family, size_t squares) {
    U32Vector rows = {0};
    list_rows(s, family, 0, &rows);
    bool is_floor = rows.count == squares;
    vector_free(&rows);
    return is_floor;
}

bool blank_is_lost(const BoardSearch *s, uint32_t family) {
    size_t words = bitset_words(rows_count(s->terms, family)) + 1;
    uint64_t *held = memory_zalloc(words * sizeof *held);
    U32Vector rows = {0};
    size_t count = 0;
    bool loses_one = true, loses_any = false;
    for (uint32_t state = 0; loses_one && state < sample_states(s->sample); state++) {
        list_rows(s, family, state, &rows);
        bool is_next = follows(s->sample, state);
        for (size_t i = 0; is_next && i < rows.count; i++)
            loses_one &= bitset_get(held, rows.items[i]);
        loses_one &= !is_next || count <= rows.count + 1;
        loses_any |= is_next && count > rows.count;
        count = rows.count;
        memset(held, 0, words * sizeof *held);
        for (size_t i = 0; i < rows.count; i++)
            bitset_set(held, rows.items[i]);
    }
    free(held);
    vector_free(&rows);
    return loses_one && loses_any;
}
