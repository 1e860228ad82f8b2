/* Recognition of boards, family by family. The pair of columns that looks most like coordinates
 * makes a grid. A family without such a pair is tried as a row, heaps, stacks or a counter. The
 * evidence is functional dependence in all sampled states, such as one piece per square. */
#include "analysis/board/board.h"

#include <assert.h>
#include <string.h>

#include "analysis/board/recogniser.h"
#include "base/bitset.h"

/* All numbers are guesses, tuned by hand on the games of the corpus. */
enum {
    MIN_PLACES = 5,   /* places of a board that is no grid */
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

/* True if a relation of the rules orders the column. Numbers and letters are only names. */
static bool is_ordered(const Column *c) {
    return c->order == ORDER_CHAIN;
}

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
    return is_key ? REJECTED : 8;
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

static int score_pair(const Recogniser *r, uint32_t family, uint32_t x, uint32_t y,
                      uint32_t *plane) {
    const FamilyEvidence *e = &r->evidence[family];
    const Column *cx = &e->columns[x], *cy = &e->columns[y];
    if (cx->values.count < 2 || cy->values.count < 2 || cx->has_role || cy->has_role)
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

/* Returns the pair of columns with the most points; among equals the first. */
static Candidate best_pair(const Recogniser *r, uint32_t family) {
    uint32_t count = r->board->fluents.items[family].column_count;
    Candidate best = {.family = family};
    if (r->board->fluents.items[family].join_count)
        return (Candidate){family, count, count + 1, BOARD_NONE, NESTED_SCORE};
    if (is_table(r, family) || links_squares(r, family))
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
static void place_family(Recogniser *r, uint32_t family, uint32_t x, uint32_t y, uint32_t plane) {
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
    if (is_part)
        return;
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

/* True if the value depends only on the number of turns and never repeats in a match. */
static bool counts_steps(const Recogniser *r, uint32_t family) {
    const BoardFacts facts = {r->board, &r->sample, &r->terms};
    U32Vector value_at = {0}, rows = {0};
    bool counts = true;
    for (uint32_t s = 0; s < board_sample_states(&r->sample) && counts; s++) {
        board_list_rows(&facts, family, s, &rows);
        Symbol value =
            rows.count ? board_rows_get(&r->terms, family, vector_last(&rows))[0] : SYMBOL_NONE;
        uint32_t step = r->sample.step.items[s];
        if (step == value_at.count && !u32_contains(&value_at, value))
            vector_push(&value_at, value);
        counts = step < value_at.count && value_at.items[step] == value;
    }
    counts &= value_at.count > 2;
    vectors_free(&value_at, &rows);
    return counts;
}

/* True if, in every state in which exactly one role has a choice, the value is that role. */
static bool names_mover(const Recogniser *r, uint32_t family) {
    const FamilyEvidence *e = &r->evidence[family];
    uint32_t right = 0, asked = 0;
    if (!u32_is_subset(&e->columns[0].values, &r->board->roles))
        return false;
    for (size_t s = 0; s < r->states.count; s++) {
        uint32_t mover = r->sample.mover.items[r->states.items[s]];
        if (mover == BOARD_NONE || e->first_row.items[s] == e->first_row.items[s + 1])
            continue;
        asked++;
        right += board_rows_get(&r->terms, family, e->rows.items[e->first_row.items[s]])[0] ==
                 r->board->roles.items[mover];
    }
    return asked && right == asked;
}

/* True if the values of the column are places of a board that is no grid. */
static bool names_places(const Recogniser *r, const Column *c) {
    Places places;
    if (c->values.count < MIN_PLACES || c->has_role || !places_find(r, &c->values, &places))
        return false;
    places_free(&places);
    return true;
}

/* True if another fluent marks several of the family's values at once. */
static bool has_fellow(const Recogniser *r, uint32_t family) {
    const U32Vector *values = &r->evidence[family].columns[0].values;
    for (uint32_t f = 0; f < r->board->fluents.count; f++)
        if (f != family && r->board->fluents.items[f].column_count == 1 &&
            r->evidence[f].max_facts > 1 && same_values(values, &r->evidence[f].columns[0].values))
            return true;
    return false;
}

static void classify_unary(Recogniser *r, uint32_t family) {
    BoardFamily *f = &r->board->fluents.items[family];
    const FamilyEvidence *e = &r->evidence[family];
    const Column *c = &e->columns[0];
    f->value_column = 0;
    if (e->max_facts == 1 && names_mover(r, family))
        f->kind = FAMILY_TURN;
    else if (e->max_facts == 1 && counts_steps(r, family))
        f->kind = FAMILY_STEP;
    else if (!is_ordered(c) && (e->max_facts > 1 || has_fellow(r, family)) && names_places(r, c))
        place_family(r, family, 0, BOARD_NONE, BOARD_NONE);
    else if (e->max_facts == 1 && board_rows_count(&r->terms, family) > 1)
        f->kind = FAMILY_COUNTER;
    else if (c->values.count > 2 && is_ordered(c) && !c->has_role)
        place_family(r, family, 0, BOARD_NONE, BOARD_NONE);
    else if (e->max_facts > 1)
        f->kind = FAMILY_HANDS;
}

/* True if facts say which thing stands on which: no thing carries two, and there is no cycle. */
static bool makes_stacks(const Recogniser *r, uint32_t family, uint32_t key, uint32_t value) {
    const FamilyEvidence *e = &r->evidence[family];
    const Column *keys = &e->columns[key], *values = &e->columns[value];
    size_t shared = 0;
    for (size_t i = 0; i < values->values.count; i++)
        shared += u32_contains(&keys->values, values->values.items[i]);
    bool is_axis = is_ordered(keys) && same_values(&keys->values, &values->values);
    if (shared < 2 || e->max_facts < 2 || is_axis)
        return false;
    for (size_t s = 0; s < r->states.count; s++) {
        uint32_t first = e->first_row.items[s], end = e->first_row.items[s + 1];
        for (uint32_t i = first; i < end; i++) {
            Symbol at = board_rows_get(&r->terms, family, e->rows.items[i])[key];
            for (uint32_t depth = 0, j = first; j < end; j++) {
                const uint32_t *row = board_rows_get(&r->terms, family, e->rows.items[j]);
                if (row[key] != at)
                    continue;
                at = row[value];
                if (++depth > end - first)
                    return false;
                j = first - 1;
            }
        }
    }
    return true;
}

static void classify_keyed(Recogniser *r, uint32_t family, uint32_t key) {
    BoardFamily *f = &r->board->fluents.items[family];
    const FamilyEvidence *e = &r->evidence[family];
    const Column *k = &e->columns[key];
    if (f->column_count > 2) {
        if (k->values.count > 2 && is_ordered(k) && !k->has_role)
            place_family(r, family, key, BOARD_NONE, BOARD_NONE);
        return;
    }
    const Column *v = &e->columns[1 - key];
    f->key_column = key;
    f->value_column = 1 - key;
    bool has_amounts = v->values.count > 2 && is_ordered(v);
    if (makes_stacks(r, family, key, 1 - key)) {
        f->kind = FAMILY_STACKS;
    } else if (has_amounts && !k->has_role) {
        f->kind = FAMILY_HEAPS;
        u32_append(&f->amounts, &v->values);
    } else if (k->values.count > 2 && is_ordered(k) && !k->has_role) {
        place_family(r, family, key, BOARD_NONE, BOARD_NONE);
    } else {
        f->kind = FAMILY_COUNTER;
    }
}

/* True if facts say which role has which thing. Finds the column of the role. */
static bool makes_hands(const Recogniser *r, uint32_t family, uint32_t *holder) {
    const FamilyEvidence *e = &r->evidence[family];
    uint32_t count = r->board->fluents.items[family].column_count, all = (1u << count) - 1;
    for (uint32_t c = 0; c < count; c++) {
        const U32Vector *values = &e->columns[c].values;
        if (values->count < 2 || !u32_is_subset(values, &r->board->roles) || (e->keys >> c & 1) ||
            (count > 2 && !columns_determine(r, family, all & ~(1u << c))))
            continue;
        *holder = c;
        return true;
    }
    return false;
}

/* Finds the argument that names places of a board that is no grid, and maybe one that tells several
 * such boards apart. Amounts in places are heaps. Returns BOARD_NONE if there is none. */
static uint32_t find_place_column(const Recogniser *r, uint32_t family, uint32_t *plane) {
    const FamilyEvidence *e = &r->evidence[family];
    uint32_t count = r->board->fluents.items[family].column_count;
    *plane = BOARD_NONE;
    for (uint32_t c = 0; c < count && count > 1 && count < 4 && e->max_facts > 1; c++) {
        const Column *column = &e->columns[c];
        const Column *other = &e->columns[count == 2 ? 1 - c : c];
        bool is_heap = count == 2 && is_ordered(other) && other->values.count > 2;
        if (is_ordered(column) || is_heap || column->values.count < MIN_PLACES)
            continue;
        if ((e->keys >> c & 1) && names_places(r, column))
            return c;
        for (uint32_t p = 0; p < count && !(e->keys >> c & 1); p++) {
            const Column *planes = &e->columns[p];
            if (p != c && planes->values.count > 1 && planes->values.count < MIN_PLACES &&
                !planes->has_role && columns_determine(r, family, 1u << c | 1u << p) &&
                names_places(r, column)) {
                *plane = p;
                return c;
            }
        }
    }
    return BOARD_NONE;
}

/* Finds two arguments of several facts, side by side, that are ordered coordinates of some grid.
 * Returns the first of them, or BOARD_NONE. */
static uint32_t marks_squares(const Recogniser *r, uint32_t family) {
    const BoardFamily *f = &r->board->fluents.items[family];
    const FamilyEvidence *e = &r->evidence[family];
    for (uint32_t x = 0; x + 1 < f->column_count && e->max_facts > 1; x++) {
        const Column *cx = &e->columns[x], *cy = &e->columns[x + 1];
        bool is_known = (e->keys >> x & 3) || cx->has_role || cy->has_role ||
                        !((is_ordered(cx) && is_ordered(cy)) || family_is_static(r, family));
        for (size_t g = 0; g < r->board->grids.count && !is_known; g++) {
            const BoardGrid *grid = &r->board->grids.items[g];
            if (grid->y.values.count && u32_is_subset(&cx->values, &grid->x.values) &&
                u32_is_subset(&cy->values, &grid->y.values))
                return x;
        }
    }
    return BOARD_NONE;
}

static void classify_rest(Recogniser *r) {
    for (uint32_t family = 0; family < r->board->fluents.count; family++) {
        BoardFamily *f = &r->board->fluents.items[family];
        const FamilyEvidence *e = &r->evidence[family];
        if (f->kind != FAMILY_FACTS || f->column_count == 0 || links_find(r, family))
            continue;
        uint32_t x = marks_squares(r, family);
        if (x != BOARD_NONE) {
            place_family(r, family, x, x + 1, BOARD_NONE);
            continue;
        }
        uint32_t plane, place = find_place_column(r, family, &plane);
        if (f->column_count == 1) {
            classify_unary(r, family);
        } else if (place != BOARD_NONE) {
            place_family(r, family, place, BOARD_NONE, plane);
        } else if (makes_hands(r, family, &f->key_column)) {
            f->kind = FAMILY_HANDS;
        } else if (e->keys && e->max_facts > 0) {
            /* The key is a column with roles if there is one, else the first key column. */
            uint32_t key = (uint32_t)__builtin_ctz(e->keys);
            for (uint32_t c = 0; c < f->column_count; c++)
                if ((e->keys >> c & 1) && e->columns[c].has_role && !e->columns[key].has_role)
                    key = c;
            classify_keyed(r, family, key);
        }
    }
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
    if (grid->y.values.count || grid->x.values.count < MIN_PLACES || grid->x.order == ORDER_CHAIN ||
        !places_find(r, &grid->x.values, &places))
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

static void finish_grids(Recogniser *r) {
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
    classify_rest(&r);
    moves_point_at_squares(r.board, game);
    finish_grids(&r);
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
                     &grid->links);
        memory_free(grid->exists, grid->points);
    }
    vector_free(&board->grids);
    free_families(&board->fluents);
    free_families(&board->moves);
    vectors_free(&board->roles, &board->role_colours);
    symbols_free(&board->symbols);
    free(board);
}
