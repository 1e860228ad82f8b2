/* Tracks: boards of one line with amounts on them, such as the points of backgammon and the pits of
 * kalaha. They are rows whose contents are an owner and an amount, or an amount alone. */
#include <ctype.h>
#include <stdlib.h>

#include "analysis/board/recogniser.h"

enum { MIN_TRACK = 8, MAX_TRACK = 60 }; /* places of a track (guesses) */

static bool is_number(const Recogniser *r, Symbol symbol) {
    const char *text = symbols_name(&r->board->symbols, symbol);
    for (const char *c = text; *c; c++)
        if (!isdigit((unsigned char)*c))
            return false;
    return *text != '\0';
}

/* Numbers in ascending order first, other names, such as `bar`, behind them. */
static uint32_t sort_places(const Recogniser *r, U32Vector *places) {
    U32Vector numbers = {0}, names = {0};
    for (size_t i = 0; i < places->count; i++)
        vector_push(is_number(r, places->items[i]) ? &numbers : &names, places->items[i]);
    for (size_t i = 1; i < numbers.count; i++)
        for (size_t k = i; k > 0; k--) {
            uint32_t a = numbers.items[k - 1], b = numbers.items[k];
            if (atol(symbols_name(&r->board->symbols, a)) <=
                atol(symbols_name(&r->board->symbols, b)))
                break;
            numbers.items[k - 1] = b;
            numbers.items[k] = a;
        }
    uint32_t count = (uint32_t)numbers.count;
    vector_clear(places);
    u32_append(places, &numbers);
    u32_append(places, &names);
    vectors_free(&numbers, &names);
    return count;
}

/* A relation that pairs the places, each with one that is not itself, both ways: what one side
 * calls 13 the other side calls 12. */
static void find_mirror(const Recogniser *r, BoardGrid *grid) {
    uint32_t n = grid_width(grid);
    for (size_t first = 0, end; first < r->statics.count && !grid->mirror.count; first = end) {
        U32Vector other = {0};
        uint32_t pairs = 0;
        bool fits = r->statics.items[first].arity == 2;
        for (uint32_t i = 0; i < n; i++)
            vector_push(&other, i);
        for (end = first; end < r->statics.count && r->statics.items[end].arity == 2 &&
                          r->statics.items[end].relation == r->statics.items[first].relation;
             end++) {
            uint32_t a = axis_index(&grid->x, r->statics.items[end].values[0]);
            uint32_t b = axis_index(&grid->x, r->statics.items[end].values[1]);
            fits = fits && a != BOARD_NONE && b != BOARD_NONE && a != b && other.items[a] == a;
            if (fits)
                other.items[a] = b;
            pairs++;
        }
        end += end == first;
        for (uint32_t i = 0; i < n && fits; i++)
            fits = other.items[other.items[i]] == i;
        if (fits && pairs * 10 > n * 8)
            grid->mirror = other;
        else
            vector_free(&other);
    }
}

static void make_track(Recogniser *r, uint32_t family, uint32_t place, uint32_t amount,
                       uint32_t ring) {
    BoardFamily *f = &r->board->fluents.items[family];
    place_family(r, family, place, BOARD_NONE, BOARD_NONE);
    f->amount_column = amount;
    if (f->kind != FAMILY_GRID)
        return;
    r->board->grids.items[f->grid].track = ring;
    if (r->board->fluents.items[family].column_count == 3)
        find_mirror(r, &r->board->grids.items[f->grid]);
}

bool track_find(Recogniser *r, uint32_t family) {
    FamilyEvidence *e = &r->evidence[family];
    uint32_t owner = BOARD_NONE;
    if (r->board->fluents.items[family].column_count != 3 || e->max_facts < 2)
        return false;
    for (uint32_t c = 0; c < 3; c++)
        if (e->columns[c].values.count > 1 &&
            u32_is_subset(&e->columns[c].values, &r->board->roles))
            owner = c;
    for (uint32_t place = 0; place < 3 && owner != BOARD_NONE; place++) {
        uint32_t amount = 3 - owner - place;
        Column *places = &e->columns[place];
        bool numbers = place != owner && places->values.count >= MIN_TRACK &&
                       places->values.count <= MAX_TRACK;
        for (size_t i = 0; numbers && i < e->columns[amount].values.count; i++)
            numbers = is_number(r, e->columns[amount].values.items[i]);
        if (!numbers || !columns_determine(r, family, 1u << owner | 1u << place))
            continue;
        uint32_t ring = sort_places(r, &places->values);
        if (ring < MIN_TRACK)
            continue;
        make_track(r, family, place, amount, ring);
        return true;
    }
    return false;
}

/* By value: the number of values from which a relation leads to it; `from` becomes those to which
 * the value leads. Rows of three name a value, maybe a role, and the next value. */
static void list_steps(const Recogniser *r, const U32Vector *values, uint8_t *steps) {
    size_t n = values->count;
    for (size_t i = 0; i < r->statics.count; i++) {
        const StaticRow *row = &r->statics.items[i];
        bool has_role = row->arity == 3 && u32_contains(&r->board->roles, row->values[0]);
        if (row->arity != 2 && !has_role)
            continue;
        uint32_t a = u32_index_of(values, row->values[has_role]);
        uint32_t b = u32_index_of(values, row->values[has_role + 1]);
        if (a != BOARD_NONE && b != BOARD_NONE && a != b)
            steps[a * n + b] = 1;
    }
}

/* Walks around the ring: from each place to the next one that is not visited, and that the fewest
 * places lead to, since players pass by each other's stores. */
static bool walk_ring(const Recogniser *r, U32Vector *values) {
    size_t n = values->count;
    uint8_t *steps = memory_zalloc(n * n + 1);
    uint32_t *into = memory_zalloc((n + 1) * sizeof *into);
    U32Vector path = {0}, ring = {0};
    list_steps(r, values, steps);
    for (size_t i = 0; i < n * n; i++)
        into[i % n] += steps[i];
    vector_push(&path, 0);
    for (bool found = true; found && path.count < n;) {
        uint32_t at = vector_last(&path), next = BOARD_NONE;
        for (uint32_t k = 0; k < n; k++)
            if (steps[at * n + k] && !u32_contains(&path, k) &&
                (next == BOARD_NONE || into[k] < into[next]))
                next = k;
        found = next != BOARD_NONE;
        if (found)
            vector_push(&path, next);
    }
    bool is_ring = path.count == n && steps[vector_last(&path) * n];
    for (size_t i = 0; i < n && is_ring; i++)
        is_ring = into[i] < 3;
    for (size_t i = 0; i < n && is_ring; i++)
        vector_push(&ring, values->items[path.items[i]]);
    if (is_ring) {
        vector_clear(values);
        u32_append(values, &ring);
    }
    memory_free(steps, into);
    vectors_free(&path, &ring);
    return is_ring;
}

bool track_of_heaps(Recogniser *r, uint32_t family, uint32_t key) {
    U32Vector *places = &r->evidence[family].columns[key].values;
    uint32_t count = (uint32_t)places->count;
    if (count < MIN_TRACK || count > MAX_TRACK || !walk_ring(r, places))
        return false;
    make_track(r, family, key, 1 - key, count);
    return true;
}
