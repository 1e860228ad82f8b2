/* Tuples and indexes against a plain array. */
#include "ground/relation.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/random.h"

enum { COLUMNS = 4, VALUES = 7, TUPLES = 1500 };

static void random_tuple(Random *random, Term *tuple) {
    for (int c = 0; c < COLUMNS; c++)
        tuple[c] = (Term)random_below(random, VALUES);
}

static uint32_t find_plainly(Term (*all)[COLUMNS], uint32_t count, const Term *tuple) {
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(all[i], tuple, sizeof all[i]) == 0)
            return i;
    return TUPLE_NONE;
}

static bool agrees(const Term *a, const Term *b, uint64_t mask) {
    for (int c = 0; c < COLUMNS; c++)
        if (mask >> c & 1 && a[c] != b[c])
            return false;
    return true;
}

/* The chain of an index holds exactly the tuples that agree with the key, newest first. */
static void check_lookup(const Relation *r, Term (*all)[COLUMNS], uint32_t index, uint64_t mask,
                         const Term *key) {
    uint32_t tuple = tuples_lookup(r, index, key);
    for (uint32_t i = r->count; i-- > 0;) {
        if (!agrees(all[i], key, mask))
            continue;
        cr_assert_eq(tuple, i);
        tuple = r->indexes.items[index].next.items[tuple];
    }
    cr_assert_eq(tuple, TUPLE_NONE);
}

Test(relation, finds_and_indexes) {
    static Term all[TUPLES][COLUMNS];
    Relation r = {.arity = COLUMNS};
    Random random;
    random_seed(&random, 1);
    uint32_t early[4];
    static const uint64_t masks[4] = {1, 6, 8, 11};
    for (int i = 0; i < 2; i++) /* two indexes from the start, two on a filled relation */
        early[i] = tuples_index(&r, masks[i]);
    while (r.count < TUPLES) {
        Term tuple[COLUMNS];
        random_tuple(&random, tuple);
        uint32_t expected = find_plainly(all, r.count, tuple);
        cr_assert_eq(tuples_find(&r, tuple), expected);
        if (expected != TUPLE_NONE)
            continue;
        memcpy(all[r.count], tuple, sizeof tuple);
        uint32_t number = tuples_add(&r, tuple, 1000 + r.count);
        cr_assert_eq(number, r.count - 1);
        cr_assert_eq(r.tags.items[number], 1000 + number);
    }
    for (int i = 2; i < 4; i++)
        early[i] = tuples_index(&r, masks[i]);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(tuples_index(&r, masks[i]), early[i]);
        for (unsigned n = 0; n < 50; n++) {
            Term key[COLUMNS];
            random_tuple(&random, key);
            check_lookup(&r, all, early[i], masks[i], key);
        }
    }
    for (uint32_t c = 0; c < COLUMNS; c++)
        cr_assert_eq(tuples_distinct(&r, c), VALUES);
    cr_assert_gt(tuples_bytes(&r), TUPLES * COLUMNS * sizeof(Term));
    tuples_free(&r);
}

Test(relation, without_columns) {
    Relation r = {.arity = 0};
    cr_assert_eq(tuples_find(&r, NULL), TUPLE_NONE);
    cr_assert_eq(tuples_add(&r, NULL, 5), 0);
    cr_assert_eq(tuples_find(&r, NULL), 0);
    tuples_free(&r);
}

Test(relation, as_wide_as_it_gets) {
    Relation r = {.arity = RELATION_MOST_COLUMNS};
    Term tuple[RELATION_MOST_COLUMNS] = {0};
    uint32_t index = tuples_index(&r, 1ull << 63);
    for (Term i = 0; i < 100; i++) {
        tuple[63] = i % 3;
        tuple[0] = i;
        tuples_add(&r, tuple, i);
    }
    uint32_t found = tuples_lookup(&r, index, tuple), count = 0;
    for (; found != TUPLE_NONE; found = r.indexes.items[index].next.items[found])
        count++;
    cr_assert_eq(count, 34);
    tuples_free(&r);
}
