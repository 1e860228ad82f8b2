/* Recognition of boards, family by family. The pair of columns that looks most like coordinates
 * makes a grid. A family without such a pair is tried as a row, heaps, stacks or a counter. The
 * evidence is functional dependence in all sampled states, such as one piece per square. */
#include "analysis/board/board.h"

#include <assert.h>
#include <string.h>

#include "analysis/board/board_ground.h"
#include "base/bitset.h"

/* All numbers are guesses, tuned by hand on the games of the corpus. */
enum {
    MAX_STATES = 80,  /* sampled states that are examined */
    MAX_PLANES = 16,  /* planes of one grid, which are boards of the same shape */
    MAX_PIECES = 400, /* kinds of pieces of one grid */
    /* The next constants are points for a pair of columns as coordinates. */
    NESTED_SCORE = 100,    /* score of boards within boards */
    MIN_GRID_SCORE = 40,   /* least score of a pair that makes a grid */
    ORDERED_POINTS = 12,   /* added for each column that a relation of the rules orders */
    SAME_POINTS = 16,      /* added if both columns have the same values */
    RELATION_POINTS = 6,   /* added if the same relation orders both columns */
    ADJACENT_POINTS = 4,   /* added if the columns are next to each other */
    KEY_PENALTY = 20,      /* subtracted if one coordinate alone determines the piece */
    COVERED_PER_POINT = 5, /* percent of the squares named by facts that earn one point */
    MIN_COVERED = 25,      /* percent of the squares named by facts; a pair with less is rejected */
    MIN_COVERED_ORDERED = 5, /* MIN_COVERED if a relation orders both columns */
    REJECTED = -1000
};

/* Lists the distinct values of a column over the first rows; none if there are too many values. */
static void list_column(const Recogniser *r, uint32_t family, uint32_t column, uint32_t rows,
                        U32Vector *values) {
    assert(column < family_row_width(&r->board->fluents.items[family]));
    uint8_t *seen = memory_zalloc(r->board->symbols.names.count + 1);
    for (uint32_t i = 0; i < rows && values->count <= BOARD_MAX_AXIS_LENGTH; i++) {
        Symbol value = board_rows_get(&r->terms, family, i)[column];
        if (!seen[value])
            vector_push(values, value);
        seen[value] = 1;
    }
    if (values->count > BOARD_MAX_AXIS_LENGTH)
        vector_clear(values);
    free(seen);
}

static uint32_t count_seen_rows(const Recogniser *r, uint32_t family) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->sample.seen_fluents; i++)
        count += r->terms.family.items[i] == family;
    return count;
}

/* Collects the values of a column. Values that were never seen count too, with two exceptions:
 * every state fills all squares that were seen, or there are far too many unseen values. Then they
 * come from rules that look beyond the edge of the board. */
static void collect_column(Recogniser *r, uint32_t family, uint32_t column) {
    const FamilyEvidence *e = &r->evidence[family];
    Column *c = &r->evidence[family].columns[column];
    U32Vector seen = {0};
    list_column(r, family, column, count_seen_rows(r, family), &seen);
    list_column(r, family, column, board_rows_count(&r->terms, family), &c->values);
    bool is_full = e->min_facts == e->max_facts && e->max_facts >= 2 * seen.count;
    if (seen.count > 1 && (!c->values.count || is_full || c->values.count > 4 * seen.count)) {
        vector_free(&c->values);
        c->values = seen;
    } else {
        vector_free(&seen);
    }
    for (size_t i = 0; i < c->values.count; i++)
        c->has_role |= u32_contains(&r->board->roles, c->values.items[i]);
    c->order = order_values(r->board, &r->statics, &c->values, &c->relation);
}

static void collect_rows(Recogniser *r, uint32_t family) {
    const BoardFacts facts = {r->board, &r->sample, &r->terms};
    FamilyEvidence *e = &r->evidence[family];
    U32Vector rows = {0};
    e->min_facts = UINT32_MAX;
    for (size_t i = 0; i < r->states.count; i++) {
        board_list_rows(&facts, family, r->states.items[i], &rows);
        vector_push(&e->first_row, (uint32_t)e->rows.count);
        u32_append(&e->rows, &rows);
        e->min_facts = rows.count < e->min_facts ? (uint32_t)rows.count : e->min_facts;
        e->max_facts = rows.count > e->max_facts ? (uint32_t)rows.count : e->max_facts;
    }
    vector_push(&e->first_row, (uint32_t)e->rows.count);
    vector_free(&rows);
}

bool columns_determine(const Recogniser *r, uint32_t family, uint32_t columns) {
    assert(family < r->board->fluents.count);
    const FamilyEvidence *e = &r->evidence[family];
    uint64_t *hashes = memory_alloc((e->max_facts + 1) * sizeof *hashes);
    bool unique = true;
    for (size_t s = 0; s < r->states.count && unique; s++) {
        uint32_t first = e->first_row.items[s], count = e->first_row.items[s + 1] - first;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t *row = board_rows_get(&r->terms, family, e->rows.items[first + i]);
            hashes[i] = 1;
            for (uint32_t c = 0; columns >> c; c++)
                if (columns >> c & 1)
                    hashes[i] = hash_mix(hashes[i], row[c]);
        }
        qsort(hashes, count, sizeof *hashes, u64_compare);
        for (uint32_t i = 1; i < count; i++)
            unique &= hashes[i] != hashes[i - 1];
    }
    free(hashes);
    return unique;
}

static void collect_evidence(Recogniser *r) {
    uint32_t states = board_sample_states(&r->sample);
    uint32_t stride = states / MAX_STATES + 1;
    for (uint32_t s = 0; s < states; s += stride)
        vector_push(&r->states, s);
    r->evidence = memory_zalloc((r->board->fluents.count + 1) * sizeof *r->evidence);
    for (uint32_t f = 0; f < r->board->fluents.count; f++) {
        collect_rows(r, f);
        for (uint32_t c = 0; c < r->board->fluents.items[f].column_count; c++) {
            collect_column(r, f, c);
            r->evidence[f].keys |= (uint32_t)columns_determine(r, f, 1u << c) << c;
        }
        nested_find(r, f);
    }
}

static void free_evidence(Recogniser *r) {
    for (uint32_t f = 0; f < r->board->fluents.count; f++) {
        for (uint32_t c = 0; c < BOARD_MAX_COLUMNS + 2; c++)
            vector_free(&r->evidence[f].columns[c].values);
        vectors_free(&r->evidence[f].rows, &r->evidence[f].first_row);
    }
    free(r->evidence);
    vector_free(&r->states);
}

typedef struct {
    uint32_t family, x, y, plane;
    int score;
} Candidate;

/* Returns the percentage of squares that some fact names. */
static int coverage(const Recogniser *r, uint32_t family, uint32_t x, uint32_t y) {
    const FamilyEvidence *e = &r->evidence[family];
    const U32Vector *across = &e->columns[x].values, *up = &e->columns[y].values;
    size_t squares = across->count * up->count;
    uint64_t *seen = memory_zalloc(bitset_words(squares) * sizeof *seen);
    for (uint32_t i = 0; i < board_rows_count(&r->terms, family); i++) {
        const uint32_t *row = board_rows_get(&r->terms, family, i);
        uint32_t at_x = u32_index_of(across, row[x]), at_y = u32_index_of(up, row[y]);
        if (at_x != BOARD_NONE && at_y != BOARD_NONE)
            bitset_set(seen, at_y * across->count + at_x);
    }
    int percent = (int)(bitset_count(seen, bitset_words(squares)) * 100 / squares);
    free(seen);
    return percent;
}

/* Finds the column that distinguishes several boards of one shape. The remaining columns must then
 * be contents of squares, and neither coordinate may determine the other within a plane. */
static uint32_t find_plane(const Recogniser *r, uint32_t family, uint32_t x, uint32_t y,
                           uint32_t rest) {
    for (uint32_t c = 0; rest >> c; c++) {
        size_t planes = r->evidence[family].columns[c].values.count;
        uint32_t with_plane = 1u << c;
        if ((rest >> c & 1) && rest != with_plane && planes >= 2 && planes <= MAX_PLANES &&
            columns_determine(r, family, with_plane | 1u << x | 1u << y) &&
            !columns_determine(r, family, with_plane | 1u << x) &&
            !columns_determine(r, family, with_plane | 1u << y))
            return c;
    }
    return BOARD_NONE;
}

/* True if the name of the facts says that things are somewhere, and one relation orders x and y. */
static bool names_squares(const Recogniser *r, uint32_t family, uint32_t x, uint32_t y) {
    static const char *const words[] = {"at", "in", "on", "loc", "location", "pos", "position"};
    const char *name = symbols_name(&r->board->symbols, r->board->fluents.items[family].functor);
    const Column *cx = &r->evidence[family].columns[x], *cy = &r->evidence[family].columns[y];
    bool is_place = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is_place |= strcmp(name, words[i]) == 0;
    return is_place && is_ordered(cx) && cx->relation == cy->relation &&
           same_values(&cx->values, &cy->values);
}

/* Rates the columns other than x and y as contents of squares, in points. *plane becomes a column
 * that tells several boards apart, or BOARD_NONE. */
static int contents_points(const Recogniser *r, uint32_t family, uint32_t x, uint32_t y,
                           uint32_t *plane) {
    uint32_t count = r->board->fluents.items[family].column_count;
    uint32_t pair = 1u << x | 1u << y, rest = ((1u << count) - 1) & ~pair;
    *plane = BOARD_NONE;
    if (columns_determine(r, family, pair))
        return rest ? 30 : 20;
    if (columns_determine(r, family, rest))
        return 25;
    *plane = find_plane(r, family, x, y, rest);
    if (*plane != BOARD_NONE)
        return 12;
    /* A fact that gives one value for each key is a table, not a square. */
    bool is_key = columns_determine(r, family, rest | 1u << x) ||
                  columns_determine(r, family, rest | 1u << y);
    return !is_key ? 8 : names_squares(r, family, x, y) ? 0 : REJECTED;
}

/* True if every state maps each key to exactly one value, as heaps and counters do. */
static bool is_table(const Recogniser *r, uint32_t family) {
    const FamilyEvidence *e = &r->evidence[family];
    if (r->board->fluents.items[family].column_count != 2 || e->max_facts < 2)
        return false;
    for (uint32_t c = 0; c < 2; c++)
        if ((e->keys >> c & 1) && (e->min_facts == e->columns[c].values.count ||
                                   !same_values(&e->columns[0].values, &e->columns[1].values)))
            return true;
    return false;
}

/* True if the values are the suits of cards: ranks and suits are no squares. */
static bool has_suits(const Recogniser *r, const Column *c) {
    static const char *const suits[] = {"spade", "heart", "diamond", "club"};
    size_t found = 0;
    for (size_t i = 0; i < c->values.count && c->values.count == 4; i++)
        for (size_t s = 0; s < sizeof suits / sizeof *suits; s++)
            found += strncmp(symbols_name(&r->board->symbols, c->values.items[i]), suits[s],
                             strlen(suits[s])) == 0;
    return found == 4;
}

static int score_pair(const Recogniser *r, uint32_t family, uint32_t x, uint32_t y,
                      uint32_t *plane) {
    const FamilyEvidence *e = &r->evidence[family];
    const Column *cx = &e->columns[x], *cy = &e->columns[y];
    if (cx->values.count < 2 || cy->values.count < 2 || cx->has_role || cy->has_role ||
        has_suits(r, cx) || has_suits(r, cy))
        return 0;
    int covered = coverage(r, family, x, y);
    if (covered < (is_ordered(cx) && is_ordered(cy) ? MIN_COVERED_ORDERED : MIN_COVERED))
        return 0;
    int score = ORDERED_POINTS * (is_ordered(cx) + is_ordered(cy)) + covered / COVERED_PER_POINT;
    bool same = same_values(&cx->values, &cy->values);
    if (!same && !(is_ordered(cx) && is_ordered(cy)) &&
        r->board->fluents.items[family].column_count == 2)
        return 0;
    if (same)
        score += SAME_POINTS;
    else if (cx->relation != BOARD_NONE && cx->relation == cy->relation)
        score += RELATION_POINTS;
    if (e->max_facts > 1 && (e->keys & (1u << x | 1u << y)))
        score -= KEY_PENALTY;
    return score + (y == x + 1 ? ADJACENT_POINTS : 0) + contents_points(r, family, x, y, plane);
}

/* True if the name of the facts says that a role has cards at numbers. */
static bool names_cards(const Recogniser *r, uint32_t family) {
    static const char *const words[] = {"hand", "deck", "card", "discard"};
    const BoardFamily *f = &r->board->fluents.items[family];
    bool has_role = false, cards = false;
    for (uint32_t c = 0; c < f->column_count; c++)
        has_role |= r->evidence[family].columns[c].has_role;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cards |= strstr(symbols_name(&r->board->symbols, f->functor), words[i]) != NULL;
    return has_role && cards;
}

/* True if one fact lists the same things in some order: no pair of them is a square. */
static bool is_permutation(const Recogniser *r, uint32_t family) {
    const FamilyEvidence *e = &r->evidence[family];
    uint32_t count = r->board->fluents.items[family].column_count;
    bool same = count > 4 && e->max_facts == 1;
    for (uint32_t c = 1; c < count && same; c++)
        same = same_values(&e->columns[0].values, &e->columns[c].values);
    return same;
}

/* True if facts say which thing stands on which, and no relation orders the things. */
static bool is_stack(const Recogniser *r, uint32_t family) {
    const FamilyEvidence *e = &r->evidence[family];
    return r->board->fluents.items[family].column_count == 2 && (e->keys & 1) &&
           !is_ordered(&e->columns[0]) && !is_ordered(&e->columns[1]) &&
           makes_stacks(r, family, 0, 1);
}

/* Returns the pair of columns with the most points; among equals the first. */
static Candidate best_pair(const Recogniser *r, uint32_t family) {
    uint32_t count = r->board->fluents.items[family].column_count;
    Candidate best = {.family = family};
    if (r->board->fluents.items[family].join_count)
        return (Candidate){family, count, count + 1, BOARD_NONE, NESTED_SCORE};
    if (is_table(r, family) || links_squares(r, family) || names_cards(r, family) ||
        is_permutation(r, family) || is_stack(r, family))
        return best;
    for (uint32_t x = 0; x + 1 < count; x++)
        for (uint32_t y = x + 1; y < count; y++) {
            Candidate c = {.family = family, .x = x, .y = y};
            c.score = score_pair(r, family, x, y, &c.plane);
            if (c.score > best.score)
                best = c;
        }
    return best;
}

/* True if some state has pieces of both families on one square. */
static bool collide(Recogniser *r, uint32_t family, uint32_t other) {
    const BoardFamily *f = &r->board->fluents.items[family], *g = &r->board->fluents.items[other];
    const FamilyEvidence *e = &r->evidence[family], *d = &r->evidence[other];
    if (family_is_static(r, family) || family_is_static(r, other))
        return false; /* what never changes is ground that pieces stand on */
    for (size_t s = 0; s < r->states.count; s++)
        for (uint32_t i = e->first_row.items[s]; i < e->first_row.items[s + 1]; i++) {
            const uint32_t *row = board_rows_get(&r->terms, family, e->rows.items[i]);
            if (f->blank != SYMBOL_NONE && board_family_contents(r->board, f, row) == f->blank)
                continue;
            for (uint32_t j = d->first_row.items[s]; j < d->first_row.items[s + 1]; j++) {
                const uint32_t *with = board_rows_get(&r->terms, other, d->rows.items[j]);
                if (board_square_of(f, row) == board_square_of(g, with) &&
                    (g->blank == SYMBOL_NONE ||
                     board_family_contents(r->board, g, with) != g->blank))
                    return true;
            }
        }
    return false;
}

/* True if the family's pieces never share a square with those of another family on the grid. */
static bool may_overlay(Recogniser *r, uint32_t family, uint32_t grid) {
    const BoardFamily *f = &r->board->fluents.items[family];
    if (f->y_column != BOARD_NONE && f->plane_column != BOARD_NONE)
        return false;
    for (uint32_t g = 0; g < r->board->fluents.count; g++) {
        const BoardFamily *other = &r->board->fluents.items[g];
        if (g == family || other->kind != FAMILY_GRID || other->grid != grid)
            continue;
        if (board_family_has_contents(f) && board_family_has_contents(other) &&
            collide(r, family, g))
            return false;
    }
    return true;
}

static void copy_axis(BoardAxis *axis, const Column *column) {
    vector_clear(&axis->values);
    u32_append(&axis->values, &column->values);
    axis->order = column->order;
    axis->block = column->block;
}

static uint32_t new_grid(Recogniser *r, uint32_t family) {
    const BoardFamily *f = &r->board->fluents.items[family];
    const Column *columns = r->evidence[family].columns;
    BoardGrid grid = {.shape = GRID_SQUARES};
    copy_axis(&grid.x, &columns[f->x_column]);
    if (f->y_column != BOARD_NONE)
        copy_axis(&grid.y, &columns[f->y_column]);
    if (f->plane_column != BOARD_NONE)
        copy_axis(&grid.planes, &columns[f->plane_column]);
    vector_push(&r->board->grids, grid);
    return (uint32_t)r->board->grids.count - 1;
}

static bool fits_grid(const Recogniser *r, uint32_t family, const BoardGrid *grid) {
    const BoardFamily *f = &r->board->fluents.items[family];
    const Column *columns = r->evidence[family].columns;
    if ((f->y_column == BOARD_NONE) != (grid->y.values.count == 0) ||
        (f->plane_column != BOARD_NONE) != (grid->planes.values.count > 0))
        return false;
    if (f->plane_column != BOARD_NONE &&
        !u32_is_subset(&columns[f->plane_column].values, &grid->planes.values))
        return false;
    return u32_is_subset(&columns[f->x_column].values, &grid->x.values) &&
           (f->y_column == BOARD_NONE ||
            u32_is_subset(&columns[f->y_column].values, &grid->y.values));
}

static bool covers_grid(const Recogniser *r, uint32_t family, const BoardGrid *grid) {
    const BoardFamily *f = &r->board->fluents.items[family];
    const Column *columns = r->evidence[family].columns;
    return columns[f->x_column].values.count == grid->x.values.count &&
           (f->y_column == BOARD_NONE || columns[f->y_column].values.count == grid->y.values.count);
}

/* Widens the grid to the squares of a family that never changes, such as walls around a maze. */
static bool widen_grid(Recogniser *r, uint32_t family, uint32_t number) {
    const BoardFamily *f = &r->board->fluents.items[family];
    const Column *columns = r->evidence[family].columns;
    BoardGrid *grid = &r->board->grids.items[number];
    if (f->y_column == BOARD_NONE || !grid->y.values.count || !family_is_static(r, family) ||
        !u32_is_subset(&grid->x.values, &columns[f->x_column].values) ||
        !u32_is_subset(&grid->y.values, &columns[f->y_column].values) ||
        !may_overlay(r, family, number))
        return false;
    copy_axis(&grid->x, &columns[f->x_column]);
    copy_axis(&grid->y, &columns[f->y_column]);
    return true;
}

/* Puts the family on the first grid it fits, else on a grid of its own. If it fits but collides
 * with other pieces, it gets a grid of its own only if it covers the whole board. */
void place_family(Recogniser *r, uint32_t family, uint32_t x, uint32_t y, uint32_t plane) {
    BoardFamily *f = &r->board->fluents.items[family];
    assert(x < family_row_width(f) && (y == BOARD_NONE || y < family_row_width(f)));
    bool is_part = false;
    f->x_column = x;
    f->y_column = y;
    f->plane_column = plane;
    if (board_family_has_contents(f))
        f->blank = board_blank_find(&(BoardFacts){r->board, &r->sample, &r->terms}, family);
    for (uint32_t g = 0; g < r->board->grids.count; g++) {
        const BoardGrid *grid = &r->board->grids.items[g];
        if (!fits_grid(r, family, grid) && !widen_grid(r, family, g))
            continue;
        if (may_overlay(r, family, g)) {
            f->kind = FAMILY_GRID;
            f->grid = g;
            return;
        }
        is_part |= !covers_grid(r, family, grid);
    }
    if (is_part || r->evidence[family].max_facts == 0)
        return; /* what no match has shown makes no board of its own */
    f->kind = FAMILY_GRID;
    f->grid = new_grid(r, family);
}

static int compare_candidates(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : (x->family > y->family) - (x->family < y->family);
}

static void find_grids(Recogniser *r) {
    VECTOR(Candidate) candidates = {0};
    for (uint32_t f = 0; f < r->board->fluents.count; f++) {
        Candidate c = best_pair(r, f);
        if (c.score >= MIN_GRID_SCORE)
            vector_push(&candidates, c);
    }
    vector_sort(&candidates, compare_candidates);
    for (size_t i = 0; i < candidates.count; i++) {
        const Candidate *c = &candidates.items[i];
        place_family(r, c->family, c->x, c->y, c->plane);
    }
    vector_free(&candidates);
}

static void add_piece(BoardGrid *grid, BoardPiece piece) {
    for (size_t i = 0; i < grid->pieces.count; i++)
        if (grid->pieces.items[i].family == piece.family &&
            grid->pieces.items[i].text == piece.text)
            return;
    if (grid->pieces.count < MAX_PIECES)
        vector_push(&grid->pieces, piece);
}

static void list_squares_and_pieces(Recogniser *r, uint32_t family) {
    BoardFamily *f = &r->board->fluents.items[family];
    if (f->kind != FAMILY_GRID)
        return;
    BoardGrid *grid = &r->board->grids.items[f->grid];
    size_t squares = (size_t)grid_width(grid) * grid_height(grid);
    if (!grid->exists)
        grid->exists = memory_zalloc(bitset_words(squares) * sizeof *grid->exists);
    for (size_t s = 0; s < squares && !r->knows_all_fluents; s++)
        bitset_set(grid->exists, s);
    for (uint32_t i = 0; i < board_rows_count(&r->terms, family); i++) {
        const uint32_t *row = board_rows_get(&r->terms, family, i);
        uint32_t x = axis_index(&grid->x, row[f->x_column]);
        uint32_t y = f->y_column == BOARD_NONE ? 0 : axis_index(&grid->y, row[f->y_column]);
        if (x == BOARD_NONE || y == BOARD_NONE)
            continue;
        bitset_set(grid->exists, (size_t)y * grid_width(grid) + x);
        Symbol text = board_family_contents(r->board, f, row);
        add_piece(grid, (BoardPiece){.family = family, .text = text, .is_blank = text == f->blank});
    }
}

static bool is_alone(const Board *board, uint32_t family) {
    for (uint32_t f = 0; f < board->fluents.count; f++)
        if (f != family && board->fluents.items[f].kind == FAMILY_GRID &&
            board->fluents.items[f].grid == board->fluents.items[family].grid)
            return false;
    return true;
}

/* Finds out if a fact without contents marks empty squares: it must cover the whole board. If there
 * is no other family, it marks squares until a player removes it. */
static void find_floor(Recogniser *r, uint32_t family) {
    const BoardFacts facts = {r->board, &r->sample, &r->terms};
    BoardFamily *f = &r->board->fluents.items[family];
    if (f->kind != FAMILY_GRID || board_family_has_contents(f) || f->plane_column != BOARD_NONE)
        return;
    BoardGrid *grid = &r->board->grids.items[f->grid];
    size_t words = bitset_words((size_t)grid_width(grid) * grid_height(grid));
    f->shows_absence = is_alone(r->board, family) && board_blank_is_lost(&facts, family);
    if (!board_blank_is_floor(&facts, family, bitset_count(grid->exists, words)) ||
        (is_alone(r->board, family) && !f->shows_absence)) {
        f->shows_absence = false;
        return;
    }
    f->blank = f->functor;
    for (size_t i = 0; i < grid->pieces.count; i++)
        grid->pieces.items[i].is_blank |= grid->pieces.items[i].family == family;
    if (f->shows_absence) {
        Text text = {0};
        text_printf(&text, "not %s", symbols_name(&r->board->symbols, f->functor));
        Symbol gone = symbols_intern(&r->board->symbols, text.items, text.count);
        add_piece(grid, (BoardPiece){.family = family, .text = gone, .is_absence = true});
        vector_free(&text);
    }
}

static void find_places(const Recogniser *r, BoardGrid *grid) {
    Places places;
    if (grid->track || grid->y.values.count || grid->x.values.count < MIN_PLACES ||
        grid->x.order == ORDER_CHAIN || !places_find(r, &grid->x.values, &places))
        return;
    grid->shape = GRID_PLACES;
    grid->points = places.points;
    grid->links = (BoardLinks){places.links.items, places.links.count, places.links.capacity};
    grid->is_lattice = places.is_lattice;
}

/* A grid of dots, which only links name. */
static void all_squares_exist(BoardGrid *grid) {
    size_t squares = (size_t)grid_width(grid) * grid_height(grid);
    grid->exists = memory_zalloc(bitset_words(squares) * sizeof *grid->exists);
    for (size_t s = 0; s < squares; s++)
        bitset_set(grid->exists, s);
}

static void finish_grids(Recogniser *r, const Rules *rules) {
    Ground ground = {.recogniser = r, .rules = rules};
    predicates_collect(&ground.predicates, rules);
    ground_find_clues(&ground);
    for (uint32_t f = 0; f < r->board->fluents.count; f++)
        list_squares_and_pieces(r, f);
    for (uint32_t f = 0; f < r->board->fluents.count; f++)
        find_floor(r, f);
    grids_find_main(r->board);
    for (size_t g = 0; g < r->board->grids.count; g++) {
        if (!r->board->grids.items[g].exists)
            all_squares_exist(&r->board->grids.items[g]);
        hexagons_find(r, &r->board->grids.items[g]);
        find_places(r, &r->board->grids.items[g]);
        grid_mark_pieces(r->board, &r->board->grids.items[g]);
    }
    ground_find(&ground);
    predicates_free(&ground.predicates);
    board_find_looks(&(BoardFacts){r->board, &r->sample, &r->terms}, r->board);
}

static void intern_names(Board *board, const Game *game) {
    const Symbols *names = game->rules->terms.symbols;
    Text text = {0};
    for (Symbol s = 0; s < names->names.count; s++) {
        text_clear(&text);
        for (const char *c = symbols_name(names, s); *c; c++)
            text_add_char(&text, *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c);
        symbols_intern(&board->symbols, text_string(&text), text.count);
    }
    for (uint32_t r = 0; r < game->role_count; r++) {
        const char *name = game->roles[r];
        vector_push(&board->roles, symbols_intern(&board->symbols, name, strlen(name)));
    }
    vector_free(&text);
}

Board *board_recognise(Game *game, const BoardOptions *options) {
    assert(game);
    Recogniser r = {.board = memory_zalloc(sizeof *r.board),
                    .knows_all_fluents = game_has_circuit(game)};
    TermRows moves;
    intern_names(r.board, game);
    board_sample_play(&r.sample, game, options);
    board_rows_read(&r.terms, r.board, &r.board->fluents, &r.sample.fluents);
    board_rows_read(&moves, r.board, &r.board->moves, &r.sample.moves);
    board_rows_free(&moves);
    static_rows_collect(&r.statics, r.board, game);
    collect_evidence(&r);
    find_grids(&r);
    rest_classify(&r);
    pairs_find(&r);
    moves_point_at_squares(r.board, game);
    finish_grids(&r, game->rules);
    free_evidence(&r);
    board_rows_free(&r.terms);
    vector_free(&r.statics);
    board_sample_free(&r.sample);
    return r.board;
}

static void free_families(BoardFamilies *families) {
    for (size_t i = 0; i < families->count; i++)
        vectors_free(&families->items[i].expansions, &families->items[i].amounts);
    vector_free(families);
}

void board_free(Board *board) {
    if (!board)
        return;
    for (size_t i = 0; i < board->grids.count; i++) {
        BoardGrid *grid = &board->grids.items[i];
        vectors_free(&grid->x.values, &grid->y.values, &grid->planes.values, &grid->pieces,
                     &grid->links, &grid->clues, &grid->signs, &grid->mirror);
        memory_free(grid->exists, grid->points, grid->colours);
    }
    vector_free(&board->grids);
    vector_free(&board->pairs);
    free_families(&board->fluents);
    free_families(&board->moves);
    vectors_free(&board->roles, &board->role_colours);
    symbols_free(&board->symbols);
    free(board);
}
