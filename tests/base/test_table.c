/* Compares the hash table with a plain array, with good and with very bad hashes. */
#include "base/table.h"

#include <criterion/criterion.h>

static bool holds(const Table *table, uint64_t hash, uint32_t id) {
    uint32_t found;
    for (TableProbe p = table_probe(table, hash); table_next(table, &p, &found);)
        if (found == id)
            return true;
    return false;
}

Test(table, empty_holds_nothing) {
    Table table = {0};
    cr_assert(!holds(&table, 17, 0));
    table_clear(&table);
    table_free(&table);
}

Test(table, finds_what_was_inserted) {
    Table table = {0};
    for (uint32_t id = 0; id < 100000; id++)
        table_insert(&table, hash_finish(hash_mix(1, id)), id);
    cr_assert_eq(table.count, 100000);
    for (uint32_t id = 0; id < 100000; id++) {
        cr_assert(holds(&table, hash_finish(hash_mix(1, id)), id));
        cr_assert(!holds(&table, hash_finish(hash_mix(1, id)), id + 1));
    }
    cr_assert(!holds(&table, hash_finish(hash_mix(2, 5)), 5));
    table_clear(&table);
    cr_assert_eq(table.count, 0);
    cr_assert(!holds(&table, hash_finish(hash_mix(1, 5)), 5));
    table_free(&table);
}

Test(table, equal_hashes_are_all_candidates) {
    Table table = {0};
    for (uint32_t id = 0; id < 1000; id++)
        table_insert(&table, 0xffffffff00000000ull, id);
    for (uint32_t id = 0; id < 1000; id++)
        cr_assert(holds(&table, 0xffffffff00000000ull, id));
    cr_assert(holds(&table, 0xffffffff12345678ull, 3), "the lower half is not looked at");
    cr_assert(!holds(&table, 0xfffffffe00000000ull, 3));
    table_free(&table);
}

Test(table, hash_of_bytes) {
    cr_assert_neq(hash_bytes("abc", 3), hash_bytes("abd", 3));
    cr_assert_eq(hash_bytes("abcx", 3), hash_bytes("abcy", 3));
    cr_assert_neq(hash_bytes("", 0), hash_bytes("\0", 1));
}
