/* Compares tuples and their indexes with a plain array. */
#include "base/tuples.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/random.h"

enum { COLUMNS = 4, VALUES = 7, TUPLES = 1500, MAX_WIDTH = 64 };

static void random_tuple(Random *random, uint32_t *tuple) {
    for (int c = 0; c < COLUMNS; c++)
        tuple[c] = (uint32_t)random_below(random, VALUES);
}

static uint32_t find_plainly(uint32_t (*all)[COLUMNS], uint32_t count, const uint32_t *tuple) {
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(all[i], tuple, sizeof all[i]) == 0)
            return i;
    return TUPLE_NONE;
}

static bool agrees(const uint32_t *a, const uint32_t *b, const Columns *columns) {
    for (size_t i = 0; i < columns->count; i++)
        if (a[columns->items[i]] != b[columns->items[i]])
            return false;
    return true;
}

/* The walk over an index meets exactly the rows that agree with the key, newest first. */
static void check_lookup(const TupleSet *set, uint32_t (*all)[COLUMNS], uint32_t index,
                         const uint32_t *key) {
    uint32_t at = tuples_next_match(set, index, key, tuples_chain(set, index, key));
    for (uint32_t i = set->count; i-- > 0;) {
        if (!agrees(all[i], key, &set->indexes.items[index].columns))
            continue;
        cr_assert_eq(at, i + 1);
        at = tuples_next_match(set, index, key, tuples_older(set, index, i));
    }
    cr_assert_eq(at, 0);
}

static const struct {
    uint16_t columns[3];
    uint32_t count;
} keys[] = {{{0}, 1}, {{1, 2}, 2}, {{3}, 1}, {{0, 1, 3}, 3}};

static uint32_t make_index(TupleSet *set, int key) {
    return tuples_index(set, keys[key].columns, keys[key].count);
}

/* Fills the set and the array with the same distinct random rows. */
static void fill(TupleSet *set, uint32_t (*all)[COLUMNS], Random *random) {
    while (set->count < TUPLES) {
        uint32_t tuple[COLUMNS];
        random_tuple(random, tuple);
        uint32_t expected = find_plainly(all, set->count, tuple);
        cr_assert_eq(tuples_find(set, tuple), expected);
        if (expected == TUPLE_NONE)
            memcpy(all[set->count], tuple, sizeof tuple);
        cr_assert_eq(tuples_insert(set, tuple), expected == TUPLE_NONE);
    }
}

Test(tuples, finds_and_indexes) {
    static uint32_t all[TUPLES][COLUMNS];
    TupleSet set;
    tuples_init(&set, COLUMNS);
    Random random;
    random_seed(&random, 1);
    uint32_t indexes[4];
    for (int i = 0; i < 2; i++) /* two indexes from the start, two on a filled set */
        indexes[i] = make_index(&set, i);
    for (int round = 0; round < 2; round++) { /* the second round comes after a clear */
        fill(&set, all, &random);
        for (int i = 2; i < 4; i++)
            indexes[i] = make_index(&set, i);
        for (int i = 0; i < 4; i++) {
            cr_assert_eq(make_index(&set, i), indexes[i]);
            tuples_update_index(&set, indexes[i]);
            for (unsigned n = 0; n < 50; n++) {
                uint32_t key[COLUMNS];
                random_tuple(&random, key);
                check_lookup(&set, all, indexes[i], key);
            }
        }
        for (uint32_t c = 0; c < COLUMNS; c++)
            cr_assert_eq(tuples_distinct(&set, c, 1000), VALUES);
        cr_assert_gt(tuples_bytes(&set), TUPLES * COLUMNS * sizeof(uint32_t));
        tuples_clear(&set);
        cr_assert_eq(tuples_find(&set, all[0]), TUPLE_NONE);
    }
    tuples_free(&set);
}

Test(tuples, without_columns) {
    TupleSet set;
    tuples_init(&set, 0);
    cr_assert_eq(tuples_find(&set, NULL), TUPLE_NONE);
    cr_assert(tuples_insert(&set, NULL));
    cr_assert_not(tuples_insert(&set, NULL));
    cr_assert_eq(tuples_find(&set, NULL), 0);
    tuples_free(&set);
}

Test(tuples, with_many_columns) {
    TupleSet set;
    tuples_init(&set, MAX_WIDTH);
    uint32_t tuple[MAX_WIDTH] = {0};
    uint32_t index = tuples_index(&set, (uint16_t[]){MAX_WIDTH - 1}, 1), count = 0;
    for (uint32_t i = 0; i < 100; i++) {
        tuple[MAX_WIDTH - 1] = i % 3;
        tuple[0] = i;
        cr_assert(tuples_insert(&set, tuple));
    }
    tuples_update_index(&set, index);
    uint32_t at = tuples_next_match(&set, index, tuple, tuples_chain(&set, index, tuple));
    for (; at; at = tuples_next_match(&set, index, tuple, tuples_older(&set, index, at - 1)))
        count++;
    cr_assert_eq(count, 34);
    tuples_free(&set);
}
