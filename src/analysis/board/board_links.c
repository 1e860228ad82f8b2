/* Relations between squares, and between boards: hexagons, whose squares have six neighbours; and
 * facts that name two squares, which are lines between dots, or walls between squares; which boards
 * moves point at. */
#include "analysis/board/recogniser.h"

enum { NEAR = 3, STEPS = NEAR * NEAR };

/* Notes a step of at most one square in each direction. Returns false for any longer step. */
static bool note_step(const BoardGrid *grid, const Symbol *v, uint32_t *steps) {
    uint32_t x1 = axis_index(&grid->x, v[0]), y1 = axis_index(&grid->y, v[1]);
    uint32_t x2 = axis_index(&grid->x, v[2]), y2 = axis_index(&grid->y, v[3]);
    if (x1 == BOARD_NONE || y1 == BOARD_NONE || x2 == BOARD_NONE || y2 == BOARD_NONE)
        return false;
    int dx = (int)x2 - (int)x1, dy = (int)y2 - (int)y1;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1)
        return false;
    *steps |= 1u << ((dy + 1) * NEAR + dx + 1) | 1u << ((1 - dy) * NEAR + 1 - dx);
    return true;
}

void hexagons_find(const Recogniser *r, BoardGrid *grid) {
    const uint32_t cross = 1u << 1 | 1u << 3 | 1u << 5 | 1u << 7;
    const uint32_t falling = 1u << 2 | 1u << 6, rising = 1u << 0 | 1u << 8;
    for (size_t first = 0, end; first < r->statics.count; first = end) {
        const StaticRow *row = &r->statics.items[first];
        uint32_t steps = 0;
        bool near = row->arity == 4 && grid->y.values.count;
        for (end = first; end < r->statics.count && r->statics.items[end].relation == row->relation;
             end++)
            near = near && note_step(grid, r->statics.items[end].values, &steps);
        if (!near || (steps != (cross | falling) && steps != (cross | rising)))
            continue;
        grid->shape = GRID_HEXAGONS;
        grid->slant = steps == (cross | falling) ? 1 : -1;
    }
}

bool links_squares(const Recogniser *r, uint32_t family) {
    const Column *c = r->evidence[family].columns;
    return r->board->fluents.items[family].column_count == 4 && c[0].values.count > 1 &&
           same_values(&c[0].values, &c[2].values) && same_values(&c[1].values, &c[3].values);
}

bool family_is_static(const Recogniser *r, uint32_t family) {
    const FamilyEvidence *e = &r->evidence[family];
    uint32_t rows = board_rows_count(&r->terms, family), seen = 0;
    for (uint32_t i = 0; i < r->sample.seen_fluents; i++)
        seen += r->terms.family.items[i] == family;
    return rows && e->min_facts == e->max_facts && e->max_facts == seen;
}

/* True if the axis has all values of the column. */
static bool has_all(const BoardAxis *axis, const Column *column) {
    return u32_is_subset(&column->values, &axis->values);
}

/* True if the column has all values of the axis and one more: corners of squares. */
static bool has_corners(const BoardAxis *axis, const Column *column) {
    return column->values.count == axis->values.count + 1 &&
           u32_is_subset(&axis->values, &column->values);
}

static void set_axis(BoardAxis *axis, const Column *column) {
    vector_clear(&axis->values);
    u32_append(&axis->values, &column->values);
    axis->order = column->order;
}

bool links_find(Recogniser *r, uint32_t family) {
    BoardFamily *f = &r->board->fluents.items[family];
    const Column *c = r->evidence[family].columns;
    if (!links_squares(r, family) || c[0].values.count < 3 || c[1].values.count < 3)
        return false;
    uint32_t found = BOARD_NONE;
    for (uint32_t g = 0; g < r->board->grids.count && found == BOARD_NONE; g++) {
        BoardGrid *grid = &r->board->grids.items[g];
        bool corners = has_corners(&grid->x, &c[0]) && has_corners(&grid->y, &c[1]);
        if (!corners && (!has_all(&grid->x, &c[0]) || !has_all(&grid->y, &c[1])))
            continue;
        if (corners) {
            set_axis(&grid->x, &c[0]);
            set_axis(&grid->y, &c[1]);
        }
        f->joins_corners = corners;
        found = g;
    }
    if (found == BOARD_NONE && (c[0].order != ORDER_CHAIN || c[1].order != ORDER_CHAIN))
        return false;
    if (found == BOARD_NONE) {
        BoardGrid grid = {.shape = GRID_SQUARES};
        set_axis(&grid.x, &c[0]);
        set_axis(&grid.y, &c[1]);
        found = (uint32_t)r->board->grids.count;
        vector_push(&r->board->grids, grid);
    }
    f->kind = FAMILY_LINKS;
    f->grid = found;
    f->x_column = 0;
    f->y_column = 1;
    return true;
}

static bool has_kind(const BoardGrid *grid, Symbol text) {
    for (size_t i = 0; i < grid->pieces.count; i++)
        if (grid->pieces.items[i].text == text)
            return true;
    return false;
}

/* True if a main grid of the same size has the same kinds of pieces: one of several equal boards.
 */
static bool copies_main_grid(const Board *board, uint32_t number) {
    const BoardGrid *grid = &board->grids.items[number];
    for (size_t g = 0; g < board->grids.count; g++) {
        const BoardGrid *main = &board->grids.items[g];
        bool same = g != number && main->is_main && grid_width(main) == grid_width(grid) &&
                    grid_height(main) == grid_height(grid) &&
                    main->pieces.count == grid->pieces.count;
        for (size_t i = 0; same && i < grid->pieces.count; i++)
            same = has_kind(main, grid->pieces.items[i].text);
        if (same)
            return true;
    }
    return false;
}

void grids_find_main(Board *board) {
    bool any = false;
    for (size_t m = 0; m < board->moves.count; m++)
        if (board->moves.items[m].grid != BOARD_NONE)
            any = board->grids.items[board->moves.items[m].grid].is_main = true;
    for (size_t g = 0; g < board->grids.count; g++)
        board->grids.items[g].is_main |= !any || copies_main_grid(board, (uint32_t)g);
}
