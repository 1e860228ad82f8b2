/* Families that are no grid of two coordinates: whose turn it is, steps, counters, heaps, stacks,
 * hands, rows and boards of named places. */
#include <assert.h>

#include "analysis/board/recogniser.h"

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

/* True if a value is a thing that stands on others. */
static bool names_things(const Recogniser *r, const Column *c) {
    for (uint32_t f = 0; f < r->board->fluents.count; f++) {
        const BoardFamily *family = &r->board->fluents.items[f];
        if (family->kind != FAMILY_STACKS)
            continue;
        const U32Vector *things = &r->evidence[f].columns[family->key_column].values;
        for (size_t i = 0; i < c->values.count; i++)
            if (u32_contains(things, c->values.items[i]))
                return true;
    }
    return false;
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
    else if (!is_ordered(c) && (e->max_facts > 1 || has_fellow(r, family)) && !names_things(r, c) &&
             names_places(r, c))
        place_family(r, family, 0, BOARD_NONE, BOARD_NONE);
    else if (e->max_facts == 1 && board_rows_count(&r->terms, family) > 1)
        f->kind = FAMILY_COUNTER;
    else if (c->values.count > 2 && is_ordered(c) && !c->has_role)
        place_family(r, family, 0, BOARD_NONE, BOARD_NONE);
    else if (e->max_facts > 1)
        f->kind = FAMILY_HANDS;
}

bool makes_stacks(const Recogniser *r, uint32_t family, uint32_t key, uint32_t value) {
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
    } else if (has_amounts && !k->has_role && track_of_heaps(r, family, key)) {
        return;
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

/* The last resort: all that a role has, or that there is, by the name of the facts. A column that
 * only numbers the things of one hand is not shown. */
static void gather_hands(Recogniser *r, uint32_t family) {
    BoardFamily *f = &r->board->fluents.items[family];
    const FamilyEvidence *e = &r->evidence[family];
    uint32_t rest = (1u << f->column_count) - 1;
    f->kind = FAMILY_HANDS;
    f->key_column = f->x_column = f->y_column = f->plane_column = BOARD_NONE;
    for (uint32_t c = f->column_count; c-- > 0;)
        if (e->columns[c].values.count && f->column_count > 1 &&
            u32_is_subset(&e->columns[c].values, &r->board->roles))
            f->key_column = c;
    uint32_t key = f->key_column == BOARD_NONE ? 0 : 1u << f->key_column;
    for (uint32_t c = 0; c < f->column_count && key; c++) {
        bool counts = e->columns[c].order == ORDER_NUMBERS || is_ordered(&e->columns[c]);
        if (!(key >> c & 1) && counts && e->max_facts > 2 && (rest & ~key & ~(1u << c)) &&
            columns_determine(r, family, key | 1u << c) &&
            !columns_determine(r, family, rest & ~(1u << c))) {
            f->index_column = c;
            return;
        }
    }
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

void rest_classify(Recogniser *r) {
    for (uint32_t n = 0; n < 2 * r->board->fluents.count; n++) {
        uint32_t family = n % (uint32_t)r->board->fluents.count;
        BoardFamily *f = &r->board->fluents.items[family];
        const FamilyEvidence *e = &r->evidence[family];
        if (n < r->board->fluents.count && f->column_count < 2)
            continue; /* stacks first, since what stands there is no place */
        if (f->kind != FAMILY_FACTS || f->column_count == 0 || links_find(r, family))
            continue;
        uint32_t x = marks_squares(r, family);
        if (x != BOARD_NONE) {
            place_family(r, family, x, x + 1, BOARD_NONE);
            continue;
        }
        if (track_find(r, family))
            continue;
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
        if (f->kind == FAMILY_FACTS)
            gather_hands(r, family);
    }
}
