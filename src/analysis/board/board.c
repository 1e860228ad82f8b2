/* Recognition of boards, family by family. The pair of columns that looks most like coordinates
 * makes a grid. A family without such a pair is tried as a row, heaps, stacks or a counter. The
 * evidence is functional dependence in all sampled states, such as one piece per square. */
#include "analysis/board/board.h"

#include <assert.h>
#include <string.h>

#include "analysis/board/board_internal.h"
#include "base/bitset.h"

/* All numbers are guesses, tuned by hand on the games of the corpus. */
enum {
    MAX_STATES = 80,  /* sampled states that are examined */
    MAX_PLANES = 16,  /* planes of one grid, which are boards of the same shape */
    MAX_PIECES = 400, /* kinds of pieces of one grid */
    /* The next constants are points for a pair of columns as coordinates. */
    GRID_SCORE = 40,       /* least score of a pair that makes a grid */
    ORDERED_POINTS = 12,   /* added for each column that a relation of the rules orders */
    SAME_POINTS = 16,      /* added if both columns have the same values */
    RELATION_POINTS = 6,   /* added if the same relation orders both columns */
    NEXT_POINTS = 4,       /* added if the columns are next to each other */
    KEY_PENALTY = 20,      /* subtracted if one coordinate alone determines the piece */
    COVERED_PER_POINT = 5, /* percent of the squares named by facts that earn one point */
    MIN_COVERED = 25,      /* percent of the squares named by facts; a pair with less is rejected */
    MIN_COVERED_ORDERED = 5, /* MIN_COVERED if a relation orders both columns */
    REJECTED = -1000
};

typedef struct {
    U32Vector values; /* in the order of the axis; empty if they are too many */
    BoardOrder order;
    uint32_t relation; /* the relation that gave the order, or BOARD_NONE */
    bool has_role;     /* some value is a role */
} Column;

/* Evidence of the sample about one family. */
typedef struct {
    Column columns[BOARD_MAX_COLUMNS];
    U32Vector rows;        /* row numbers of the family's facts, state after state */
    U32Vector first_row;   /* by state: index of its first entry in `rows`; one more for the end */
    uint32_t fewest, most; /* least and greatest number of facts in one state */
    uint32_t keys;         /* bitset of columns; each of them alone determines all others */
} Evidence;

typedef struct {
    Board *board;
    BoardSample sample;
    TermRows terms;
    StaticRows statics;
    Evidence *evidence;     /* by family */
    U32Vector states;       /* indices of the sampled states that are examined */
    bool knows_all_fluents; /* false if there may be squares that no match has reached */
} Recogniser;

static bool same_values(const U32Vector *a, const U32Vector *b) {
    return a->count == b->count && u32_is_subset(a, b);
}

/* Lists the distinct values of a column over the first rows; none if there are too many values. */
static void list_column(const Recogniser *r, uint32_t family, uint32_t column, uint32_t rows,
                        U32Vector *values) {
    assert(column < r->board->fluents.items[family].column_count);
    uint8_t *seen = memory_zalloc(r->board->symbols.names.count + 1);
    for (uint32_t i = 0; i < rows && values->count <= BOARD_MAX_AXIS_LENGTH; i++) {
        Symbol value = rows_get(&r->terms, family, i)[column];
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
    const Evidence *e = &r->evidence[family];
    Column *c = &r->evidence[family].columns[column];
    U32Vector seen = {0};
    list_column(r, family, column, count_seen_rows(r, family), &seen);
    list_column(r, family, column, rows_count(&r->terms, family), &c->values);
    bool is_full = e->fewest == e->most && e->most >= 2 * seen.count;
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
    const BoardSearch search = {r->board, &r->sample, &r->terms};
    Evidence *e = &r->evidence[family];
    U32Vector rows = {0};
    e->fewest = UINT32_MAX;
    for (size_t i = 0; i < r->states.count; i++) {
        list_rows(&search, family, r->states.items[i], &rows);
        vector_push(&e->first_row, (uint32_t)e->rows.count);
        u32_append(&e->rows, &rows);
        e->fewest = rows.count < e->fewest ? (uint32_t)rows.count : e->fewest;
        e->most = rows.count > e->most ? (uint32_t)rows.count : e->most;
    }
    vector_push(&e->first_row, (uint32_t)e->rows.count);
    vector_free(&rows);
}

/* True if no state has two facts that agree in these columns, so they determine the others. */
static bool determines(const Recogniser *r, uint32_t family, uint32_t columns) {
    assert(family < r->board->fluents.count);
    const Evidence *e = &r->evidence[family];
    uint64_t *hashes = memory_alloc((e->most + 1) * sizeof *hashes);
    bool unique = true;
    for (size_t s = 0; s < r->states.count && unique; s++) {
        uint32_t first = e->first_row.items[s], count = e->first_row.items[s + 1] - first;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t *row = rows_get(&r->terms, family, e->rows.items[first + i]);
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
    uint32_t states = sample_states(&r->sample);
    uint32_t stride = states / MAX_STATES + 1;
    for (uint32_t s = 0; s < states; s += stride)
        vector_push(&r->states, s);
    r->evidence = memory_zalloc((r->board->fluents.count + 1) * sizeof *r->evidence);
    for (uint32_t f = 0; f < r->board->fluents.count; f++) {
        collect_rows(r, f);
        for (uint32_t c = 0; c < r->board->fluents.items[f].column_count; c++) {
            collect_column(r, f, c);
            r->evidence[f].keys |= (uint32_t)determines(r, f, 1u << c) << c;
        }
    }
}

static void free_evidence(Recogniser *r) {
    for (uint32_t f = 0; f < r->board->fluents.count; f++) {
        for (uint32_t c = 0; c < BOARD_MAX_COLUMNS; c++)
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
    const Evidence *e = &r->evidence[family];
    const U32Vector *across = &e->columns[x].values, *up = &e->columns[y].values;
    size_t squares = across->count * up->count;
    uint64_t *seen = memory_zalloc(bitset_words(squares) * sizeof *seen);
    for (uint32_t i = 0; i < rows_count(&r->terms, family); i++) {
        const uint32_t *row = rows_get(&r->terms, family, i);
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
            determines(r, family, with_plane | 1u << x | 1u << y) &&
            !determines(r, family, with_plane | 1u << x) &&
            !determines(r, family, with_plane | 1u << y))
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
    if (determines(r, family, pair))
        return rest ? 30 : 20;
    if (determines(r, family, rest))
        return 25;
    *plane = find_plane(r, family, x, y, rest);
    if (*plane != BOARD_NONE)
        return 12;
    /* A fact that gives one value for each key is a table, not a square. */
    bool is_key = determines(r, family, rest | 1u << x) || determines(r, family, rest | 1u << y);
    return is_key ? REJECTED : 8;
}

/* True if facts name pairs of squares, such as lines between dots. A grid cannot show these. */
static bool links_squares(const Recogniser *r, uint32_t family) {
    const Column *c = r->evidence[family].columns;
    return r->board->fluents.items[family].column_count == 4 && c[0].values.count > 1 &&
           same_values(&c[0].values, &c[2].values) && same_values(&c[1].values, &c[3].values);
}

/* True if every state maps each key to exactly one value, as heaps and counters do. */
static bool is_table(const Recogniser *r, uint32_t family) {
    const Evidence *e = &r->evidence[family];
    if (r->board->fluents.items[family].column_count != 2 || e->most < 2)
        return false;
    for (uint32_t c = 0; c < 2; c++)
        if ((e->keys >> c & 1) && (e->fewest == e->columns[c].values.count ||
                                   !same_values(&e->columns[0].values, &e->columns[1].values)))
            return true;
    return false;
}

static int score_pair(const Recogniser *r, uint32_t family, uint32_t x, uint32_t y,
                      uint32_t *plane) {
    const Evidence *e = &r->evidence[family];
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
    if (e->most > 1 && (e->keys & (1u << x | 1u << y)))
        score -= KEY_PENALTY;
    return score + (y == x + 1 ? NEXT_POINTS : 0) + contents_points(r, family, x, y, plane);
}

/* Returns the pair of columns with the most points; among equals the first. */
static Candidate best_pair(const Recogniser *r, uint32_t family) {
    uint32_t count = r->board->fluents.items[family].column_count;
    Candidate best = {.family = family};
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
    const Evidence *e = &r->evidence[family], *d = &r->evidence[other];
    for (size_t s = 0; s < r->states.count; s++)
        for (uint32_t i = e->first_row.items[s]; i < e->first_row.items[s + 1]; i++) {
            const uint32_t *row = rows_get(&r->terms, family, e->rows.items[i]);
            if (f->blank != SYMBOL_NONE && family_contents(r->board, f, row) == f->blank)
                continue;
            for (uint32_t j = d->first_row.items[s]; j < d->first_row.items[s + 1]; j++) {
                const uint32_t *with = rows_get(&r->terms, other, d->rows.items[j]);
                if (square_of(f, row) == square_of(g, with) &&
                    (g->blank == SYMBOL_NONE || family_contents(r->board, g, with) != g->blank))
                    return true;
            }
        }
    return false;
}

/* True if the family's pieces never share a square with those of another family on the grid. */
static bool may_overlay(Recogniser *r, uint32_t family, uint32_t grid) {
    const BoardFamily *f = &r->board->fluents.items[family];
    if (f->plane_column != BOARD_NONE || r->board->grids.items[grid].planes.values.count)
        return false;
    for (uint32_t g = 0; g < r->board->fluents.count; g++) {
        const BoardFamily *other = &r->board->fluents.items[g];
        if (g == family || other->kind != FAMILY_GRID || other->grid != grid)
            continue;
        if (family_has_contents(f) && family_has_contents(other) && collide(r, family, g))
            return false;
    }
    return true;
}

static void copy_axis(BoardAxis *axis, const Column *column) {
    vector_clear(&axis->values);
    u32_append(&axis->values, &column->values);
    axis->order = column->order;
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
    if ((f->y_column == BOARD_NONE) != (grid->y.values.count == 0))
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

/* Puts the family on the first grid it fits, else on a grid of its own. If it fits but collides
 * with other pieces, it gets a grid of its own only if it covers the whole board. */
static void place_family(Recogniser *r, uint32_t family, uint32_t x, uint32_t y, uint32_t plane) {
    BoardFamily *f = &r->board->fluents.items[family];
    assert(x < f->column_count && (y == BOARD_NONE || y < f->column_count));
    bool is_part = false;
    f->x_column = x;
    f->y_column = y;
    f->plane_column = plane;
    if (family_has_contents(f))
        f->blank = blank_find(&(BoardSearch){r->board, &r->sample, &r->terms}, family);
    for (uint32_t g = 0; g < r->board->grids.count; g++) {
        const BoardGrid *grid = &r->board->grids.items[g];
        if (!fits_grid(r, family, grid))
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
        if (c.score >= GRID_SCORE)
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
    const BoardSearch search = {r->board, &r->sample, &r->terms};
    U32Vector value_at = {0}, rows = {0};
    bool counts = true;
    for (uint32_t s = 0; s < sample_states(&r->sample) && counts; s++) {
        list_rows(&search, family, s, &rows);
        Symbol value =
            rows.count ? rows_get(&r->terms, family, vector_last(&rows))[0] : SYMBOL_NONE;
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
    const Evidence *e = &r->evidence[family];
    uint32_t right = 0, asked = 0;
    if (!u32_is_subset(&e->columns[0].values, &r->board->roles))
        return false;
    for (size_t s = 0; s < r->states.count; s++) {
        uint32_t mover = r->sample.mover.items[r->states.items[s]];
        if (mover == BOARD_NONE || e->first_row.items[s] == e->first_row.items[s + 1])
            continue;
        asked++;
        right += rows_get(&r->terms, family, e->rows.items[e->first_row.items[s]])[0] ==
                 r->board->roles.items[mover];
    }
    return asked && right == asked;
}

static void classify_unary(Recogniser *r, uint32_t family) {
    BoardFamily *f = &r->board->fluents.items[family];
    const Evidence *e = &r->evidence[family];
    const Column *c = &e->columns[0];
    f->value_column = 0;
    if (e->most == 1 && names_mover(r, family))
        f->kind = FAMILY_TURN;
    else if (e->most == 1 && counts_steps(r, family))
        f->kind = FAMILY_STEP;
    else if (e->most == 1 && rows_count(&r->terms, family) > 1)
        f->kind = FAMILY_COUNTER;
    else if (c->values.count > 2 && is_ordered(c) && !c->has_role)
        place_family(r, family, 0, BOARD_NONE, BOARD_NONE);
}

/* True if facts say which thing stands on which: no thing carries two, and there is no cycle. */
static bool makes_stacks(const Recogniser *r, uint32_t family, uint32_t key, uint32_t value) {
    const Evidence *e = &r->evidence[family];
    const Column *keys = &e->columns[key], *values = &e->columns[value];
    size_t shared = 0;
    for (size_t i = 0; i < values->values.count; i++)
        shared += u32_contains(&keys->values, values->values.items[i]);
    bool is_axis = is_ordered(keys) && same_values(&keys->values, &values->values);
    if (shared < 2 || e->most < 2 || is_axis)
        return false;
    for (size_t s = 0; s < r->states.count; s++) {
        uint32_t first = e->first_row.items[s], end = e->first_row.items[s + 1];
        for (uint32_t i = first; i < end; i++) {
            Symbol at = rows_get(&r->terms, family, e->rows.items[i])[key];
            for (uint32_t depth = 0, j = first; j < end; j++) {
                const uint32_t *row = rows_get(&r->terms, family, e->rows.items[j]);
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
    const Evidence *e = &r->evidence[family];
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
    const Evidence *e = &r->evidence[family];
    uint32_t count = r->board->fluents.items[family].column_count, all = (1u << count) - 1;
    for (uint32_t c = 0; c < count; c++) {
        const U32Vector *values = &e->columns[c].values;
        if (values->count < 2 || !u32_is_subset(values, &r->board->roles) || (e->keys >> c & 1) ||
            !determines(r, family, all & ~(1u << c)))
            continue;
        *holder = c;
        return true;
    }
    return false;
}

static void classify_rest(Recogniser *r) {
    for (uint32_t family = 0; family < r->board->fluents.count; family++) {
        BoardFamily *f = &r->board->fluents.items[family];
        const Evidence *e = &r->evidence[family];
        if (f->kind != FAMILY_FACTS || f->column_count == 0)
            continue;
        if (f->column_count == 1) {
            classify_unary(r, family);
        } else if (makes_hands(r, family, &f->key_column)) {
            f->kind = FAMILY_HANDS;
        } else if (e->keys && e->most > 0) {
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
    for (uint32_t i = 0; i < rows_count(&r->terms, family); i++) {
        const uint32_t *row = rows_get(&r->terms, family, i);
        uint32_t x = axis_index(&grid->x, row[f->x_column]);
        uint32_t y = f->y_column == BOARD_NONE ? 0 : axis_index(&grid->y, row[f->y_column]);
        if (x == BOARD_NONE || y == BOARD_NONE)
            continue;
        bitset_set(grid->exists, (size_t)y * grid_width(grid) + x);
        Symbol text = family_contents(r->board, f, row);
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
    const BoardSearch search = {r->board, &r->sample, &r->terms};
    BoardFamily *f = &r->board->fluents.items[family];
    if (f->kind != FAMILY_GRID || family_has_contents(f) || f->plane_column != BOARD_NONE)
        return;
    BoardGrid *grid = &r->board->grids.items[f->grid];
    size_t words = bitset_words((size_t)grid_width(grid) * grid_height(grid));
    f->shows_absence = is_alone(r->board, family) && blank_is_lost(&search, family);
    if (!blank_is_floor(&search, family, bitset_count(grid->exists, words)) ||
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

/* Squares are hexagons if a relation between them has steps along both axes and one diagonal. */
static void find_hexagons(const Recogniser *r, BoardGrid *grid) {
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

static void finish_grids(Recogniser *r) {
    for (uint32_t f = 0; f < r->board->fluents.count; f++)
        list_squares_and_pieces(r, f);
    for (uint32_t f = 0; f < r->board->fluents.count; f++)
        find_floor(r, f);
    for (size_t g = 0; g < r->board->grids.count; g++) {
        find_hexagons(r, &r->board->grids.items[g]);
        grid_mark_pieces(r->board, &r->board->grids.items[g]);
    }
    board_find_looks(&(BoardSearch){r->board, &r->sample, &r->terms}, r->board);
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
    sample_play(&r.sample, game, options);
    rows_read(&r.terms, r.board, &r.board->fluents, &r.sample.fluents);
    rows_read(&moves, r.board, &r.board->moves, &r.sample.moves);
    rows_free(&moves);
    static_rows_collect(&r.statics, r.board, game);
    collect_evidence(&r);
    find_grids(&r);
    classify_rest(&r);
    moves_point_at_squares(r.board, game);
    finish_grids(&r);
    free_evidence(&r);
    rows_free(&r.terms);
    vector_free(&r.statics);
    sample_free(&r.sample);
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
        vectors_free(&grid->x.values, &grid->y.values, &grid->planes.values, &grid->pieces);
        free(grid->exists);
    }
    vector_free(&board->grids);
    free_families(&board->fluents);
    free_families(&board->moves);
    vectors_free(&board->roles, &board->role_colours);
    symbols_free(&board->symbols);
    free(board);
}
