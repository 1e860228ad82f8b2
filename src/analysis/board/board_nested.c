/* Boards within boards: four arguments of a fluent are two pairs of coordinates, the place of a
 * board and that on it, as in (cell 1 3 2 2 x). Only all four determine what stands there. */
#include "analysis/board/recogniser.h"

enum { MAX_INNER = 10 /* values of each of the four coordinates, at most (untuned) */ };

static bool may_be_coordinate(const Column *c) {
    return c->values.count >= 2 && c->values.count <= MAX_INNER && !c->has_role;
}

/* True if each of the columns is needed, with the others, to determine the contents. */
static bool are_all_needed(const Recogniser *r, uint32_t family, uint32_t columns) {
    if (!columns_determine(r, family, columns))
        return false;
    for (uint32_t c = 0; columns >> c; c++)
        if ((columns >> c & 1) && columns_determine(r, family, columns & ~(1u << c)))
            return false;
    return true;
}

/* The values of a joined column: those of the outer column, each with those of the inner one. */
static void join_column(const Recogniser *r, uint32_t family, FamilyJoin join, Column *column) {
    const Column *outer = &r->evidence[family].columns[join.outer];
    const Column *inner = &r->evidence[family].columns[join.inner];
    vector_clear(&column->values);
    for (size_t i = 0; i < outer->values.count; i++)
        for (size_t k = 0; k < inner->values.count; k++)
            vector_push(&column->values,
                        symbol_joined(r->board, outer->values.items[i], inner->values.items[k]));
    column->order = ORDER_CHAIN;
    column->relation = BOARD_NONE;
    column->block = (uint32_t)inner->values.count;
}

bool nested_find(Recogniser *r, uint32_t family) {
    BoardFamily *f = &r->board->fluents.items[family];
    const Column *c = r->evidence[family].columns;
    uint32_t first = BOARD_NONE;
    for (uint32_t start = 0; start + 4 <= f->column_count && first == BOARD_NONE; start++) {
        bool fits = true;
        for (uint32_t k = 0; k < 4; k++)
            fits &= may_be_coordinate(&c[start + k]);
        fits &= f->column_count > 4 && same_values(&c[start].values, &c[start + 1].values) &&
                same_values(&c[start + 2].values, &c[start + 3].values);
        if (fits && are_all_needed(r, family, 15u << start))
            first = start;
    }
    if (first == BOARD_NONE || r->evidence[family].max_facts < 4)
        return false;
    const FamilyJoin joins[2] = {{first, first + 2}, {first + 1, first + 3}};
    rows_join(&r->terms, r->board, family, joins);
    for (uint32_t j = 0; j < 2; j++)
        join_column(r, family, joins[j], &r->evidence[family].columns[f->column_count + j]);
    return true;
}
