/* Compares bit sets with arrays of booleans, especially at the word boundaries 63, 64 and 65. */
#include "base/bitset.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/random.h"

enum { BITS = 200, WORDS = 4 };

static void fill(uint64_t *words, bool *truth, Random *random, double density) {
    for (size_t i = 0; i < BITS; i++) {
        truth[i] = random_double(random) < density;
        bitset_assign(words, i, truth[i]);
    }
}

Test(bitset, needs_a_word_for_each_begun_64_bits) {
    cr_assert_eq(bitset_words(0), 0);
    cr_assert_eq(bitset_words(1), 1);
    cr_assert_eq(bitset_words(64), 1);
    cr_assert_eq(bitset_words(65), 2);
    cr_assert_eq(bitset_words(SIZE_MAX), SIZE_MAX / 64 + 1);
}

Test(bitset, touches_only_the_bit_it_is_told) {
    static const size_t bits[] = {0, 1, 62, 63, 64, 65, 127, 128, 199};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        uint64_t words[WORDS] = {0};
        bitset_set(words, bits[i]);
        for (size_t bit = 0; bit < BITS; bit++)
            cr_assert_eq(bitset_get(words, bit), bit == bits[i]);
        bitset_assign(words, bits[i], true);
        cr_assert_eq(bitset_count(words, WORDS), 1);
        bitset_assign(words, bits[i], false);
        cr_assert_not(bitset_any(words, WORDS));

        memset(words, 0xff, sizeof words);
        bitset_clear(words, bits[i]);
        for (size_t bit = 0; bit < BITS; bit++)
            cr_assert_eq(bitset_get(words, bit), bit != bits[i]);
    }
}

Test(bitset, next_visits_the_set_bits_in_order) {
    Random random;
    random_seed(&random, 1);
    for (int density = 0; density <= 10; density++) {
        uint64_t words[WORDS] = {0};
        bool truth[BITS];
        fill(words, truth, &random, density / 10.0);
        size_t found = bitset_next(words, WORDS, 0), count = 0;
        for (size_t bit = 0; bit < BITS; bit++) {
            if (!truth[bit])
                continue;
            cr_assert_eq(found, bit);
            found = bitset_next(words, WORDS, found + 1);
            count++;
        }
        cr_assert_eq(found, BITSET_END);
        cr_assert_eq(bitset_count(words, WORDS), count);
        cr_assert_eq(bitset_any(words, WORDS), count > 0);
    }
}

Test(bitset, next_ends_past_the_last_word) {
    uint64_t words[2] = {0, UINT64_C(1) << 63};
    cr_assert_eq(bitset_next(words, 2, 127), 127);
    cr_assert_eq(bitset_next(words, 2, 128), BITSET_END);
    cr_assert_eq(bitset_next(words, 2, 100000), BITSET_END);
    cr_assert_eq(bitset_next(words, 1, 0), BITSET_END);
    cr_assert_eq(bitset_next(words, 0, 0), BITSET_END);
}

Test(bitset, equal_sees_a_difference_in_any_bit) {
    for (size_t bit = 0; bit < BITS; bit++) {
        uint64_t a[WORDS] = {7, 0, 7, 0}, b[WORDS] = {7, 0, 7, 0};
        cr_assert(bitset_equal(a, b, WORDS));
        bitset_assign(a, bit, !bitset_get(a, bit));
        cr_assert_not(bitset_equal(a, b, WORDS));
    }
    cr_assert(bitset_equal(NULL, NULL, 0));
}

Test(bitset, agree_sees_a_difference_in_the_mask_alone) {
    const uint64_t mask[WORDS] = {5, 0, ~UINT64_C(0), 1};
    for (size_t bit = 0; bit < BITS; bit++) {
        uint64_t a[WORDS] = {7, 0, 7, 0}, b[WORDS] = {7, 0, 7, 0};
        cr_assert(bitset_agree(a, b, mask, WORDS));
        bitset_assign(a, bit, !bitset_get(a, bit));
        cr_assert_eq(bitset_agree(a, b, mask, WORDS), !bitset_get(mask, bit));
    }
    cr_assert(bitset_agree(NULL, NULL, NULL, 0));
}

Test(bitset, bulk_operations_are_those_of_booleans) {
    Random random;
    random_seed(&random, 2);
    uint64_t a[WORDS] = {0}, b[WORDS] = {0}, both[WORDS], either[WORDS], only_a[WORDS];
    bool in_a[BITS], in_b[BITS];
    fill(a, in_a, &random, 0.5);
    fill(b, in_b, &random, 0.5);
    memcpy(both, a, sizeof a);
    memcpy(either, a, sizeof a);
    memcpy(only_a, a, sizeof a);
    bitset_and(both, b, WORDS);
    bitset_or(either, b, WORDS);
    bitset_andnot(only_a, b, WORDS);
    for (size_t bit = 0; bit < BITS; bit++) {
        cr_assert_eq(bitset_get(both, bit), in_a[bit] && in_b[bit]);
        cr_assert_eq(bitset_get(either, bit), in_a[bit] || in_b[bit]);
        cr_assert_eq(bitset_get(only_a, bit), in_a[bit] && !in_b[bit]);
    }
    bitset_andnot(a, a, WORDS);
    cr_assert_not(bitset_any(a, WORDS), "a set without itself is empty");
}

Test(bitset, transposing_exchanges_rows_and_columns) {
    Random random;
    random_seed(&random, 3);
    uint64_t block[64], turned[64];
    for (size_t i = 0; i < 64; i++)
        turned[i] = block[i] = random_next(&random);
    bitset_transpose(turned);
    for (size_t i = 0; i < 64; i++)
        for (size_t k = 0; k < 64; k++)
            cr_assert_eq(bitset_get(&turned[i], k), bitset_get(&block[k], i));
}
