/* Compares the random generators with a second, plain implementation of the published algorithms
 * and with published numbers, and tests their statistics. */
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static uint64_t rotate_left(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

/* xoshiro256++ and splitmix64 as on prng.di.unimi.it. */
static uint64_t reference_next(uint64_t s[4]) {
    const uint64_t result = rotate_left(s[0] + s[3], 23) + s[0];
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

static uint64_t reference_splitmix(uint64_t *x) {
    uint64_t z = (*x += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* Goodness of fit to equal shares, as a number of standard deviations (Wilson and Hilferty 1931).
 */
static double chi_square_deviation(const unsigned *counts, size_t cells, double samples) {
    double expected = samples / (double)cells, sum = 0, freedom = (double)cells - 1;
    for (size_t i = 0; i < cells; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return (cbrt(sum / freedom) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom));
}

Test(random, gives_the_published_numbers) {
    static const uint64_t published[] = {UINT64_C(41943041),
                                         UINT64_C(58720359),
                                         UINT64_C(3588806011781223),
                                         UINT64_C(3591011842654386),
                                         UINT64_C(9228616714210784205),
                                         UINT64_C(9973669472204895162),
                                         UINT64_C(14011001112246962877),
                                         UINT64_C(12406186145184390807),
                                         UINT64_C(15849039046786891736),
                                         UINT64_C(10450023813501588000)};
    Random random = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        cr_assert_eq(random_next(&random), published[i]);
}

Test(random, seeds_with_the_published_splitmix64) {
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431)};
    Random random;
    random_seed(&random, 1234567);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(random.state[i], published[i]);
}

Test(random, follows_the_reference_for_many_seeds) {
    for (uint64_t seed = 0; seed < 100; seed++) {
        Random random;
        random_seed(&random, seed * UINT64_C(0x123456789abcdef1));
        uint64_t x = seed * UINT64_C(0x123456789abcdef1), state[4];
        for (int i = 0; i < 4; i++)
            state[i] = reference_splitmix(&x);
        for (int i = 0; i < 1000; i++)
            cr_assert_eq(random_next(&random), reference_next(state));
    }
}

/* A step is linear over the field of two elements: column i is the successor of the state in which
 * only bit i is set. The matrix squared 128 times must be the jump. */
typedef struct Matrix {
    uint64_t column[256][4];
} Matrix;

static void apply(const Matrix *matrix, uint64_t state[4]) {
    uint64_t image[4] = {0};
    for (int bit = 0; bit < 256; bit++)
        if (state[bit / 64] >> (bit % 64) & 1)
            for (int i = 0; i < 4; i++)
                image[i] ^= matrix->column[bit][i];
    memcpy(state, image, sizeof image);
}

Test(random, jumps_two_to_the_128_steps) {
    static Matrix power, square;
    for (int bit = 0; bit < 256; bit++) {
        power.column[bit][bit / 64] = UINT64_C(1) << (bit % 64);
        reference_next(power.column[bit]);
    }
    for (int doubling = 0; doubling < 128; doubling++) {
        square = power;
        for (int bit = 0; bit < 256; bit++)
            apply(&power, square.column[bit]);
        power = square;
    }
    Random random;
    random_seed(&random, 5);
    uint64_t state[4];
    memcpy(state, random.state, sizeof state);
    apply(&power, state);
    random_jump(&random);
    cr_assert_arr_eq(random.state, state, sizeof state);
}

Test(random, below_stays_below) {
    Random random;
    random_seed(&random, 6);
    static const uint64_t bounds[] = {1, 2, 3, 1000, UINT64_C(1) << 32, UINT64_C(3) << 62, ~0ull};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (int n = 0; n < 10000; n++)
            cr_assert_lt(random_below(&random, bounds[i]), bounds[i]);
}

Test(random, below_is_uniform_for_small_bounds) {
    Random random;
    random_seed(&random, 7);
    for (unsigned bound = 2; bound <= 100; bound++) {
        unsigned counts[100] = {0};
        for (int n = 0; n < 100000; n++)
            counts[random_below(&random, bound)]++;
        cr_assert_lt(fabs(chi_square_deviation(counts, bound, 100000)), 5, "bound %u", bound);
    }
}

/* With a bound of three quarters of 2^64, taking the product without rejection would make every
 * third number twice as likely. Each third of the range must get its third. */
Test(random, below_is_uniform_for_huge_bounds) {
    Random random;
    random_seed(&random, 8);
    uint64_t bound = UINT64_C(3) << 62;
    unsigned by_range[3] = {0}, by_remainder[3] = {0};
    for (int n = 0; n < 300000; n++) {
        uint64_t number = random_below(&random, bound);
        by_range[number >> 62]++;
        by_remainder[number % 3]++;
    }
    cr_assert_lt(chi_square_deviation(by_range, 3, 300000), 5);
    cr_assert_lt(chi_square_deviation(by_remainder, 3, 300000), 5);
}

Test(random, doubles_fill_the_unit_interval_evenly) {
    Random random;
    random_seed(&random, 9);
    unsigned counts[64] = {0};
    for (int n = 0; n < 640000; n++) {
        double number = random_double(&random);
        cr_assert(number >= 0 && number < 1);
        counts[(int)(number * 64)]++;
    }
    cr_assert_lt(fabs(chi_square_deviation(counts, 64, 640000)), 5);
}

Test(random, doubles_never_round_up_to_one) {
    /* In this state the next word is all ones. */
    Random random = {{UINT64_MAX, 0, 0, 1}};
    cr_assert_eq(random_next(&(Random){{UINT64_MAX, 0, 0, 1}}), UINT64_MAX);
    cr_assert_eq(random_double(&random), 1 - 0x1p-53);
}

Test(random, wide_lanes_are_streams_a_jump_apart) {
    enum { STEPS = 100 };
    RandomWide wide;
    random_wide_seed(&wide, 10);
    uint64_t words[STEPS * RANDOM_LANES];
    random_wide_fill(&wide, words, STEPS * RANDOM_LANES);
    Random stream;
    random_seed(&stream, 10);
    for (int lane = 0; lane < RANDOM_LANES; lane++, random_jump(&stream)) {
        Random copy = stream;
        for (int step = 0; step < STEPS; step++)
            cr_assert_eq(words[step * RANDOM_LANES + lane], reference_next(copy.state));
    }
}

Test(random, wide_split_continues_after_the_streams_taken) {
    Random source, ninth;
    RandomWide first, second, seeded;
    random_seed(&source, 11);
    ninth = source;
    for (int i = 0; i < RANDOM_LANES; i++)
        random_jump(&ninth);
    random_wide_split(&first, &source);
    random_wide_split(&second, &source);
    random_wide_seed(&seeded, 11);
    cr_assert_arr_eq(&first, &seeded, sizeof first);
    uint64_t word;
    random_wide_fill(&second, &word, 1);
    cr_assert_eq(word, random_next(&ninth));
}

Test(random, wide_fill_drops_what_is_left_of_the_last_step) {
    for (size_t words = 0; words < 3 * RANDOM_LANES; words++) {
        RandomWide wide, whole;
        random_wide_seed(&wide, 12);
        random_wide_seed(&whole, 12);
        size_t steps = (words + RANDOM_LANES - 1) / RANDOM_LANES;
        uint64_t some[3 * RANDOM_LANES + 1], all[3 * RANDOM_LANES];
        some[words] = 0x5a5a;
        random_wide_fill(&wide, some, words);
        random_wide_fill(&whole, all, steps * RANDOM_LANES);
        cr_assert_eq(memcmp(some, all, words * sizeof *some), 0);
        cr_assert_eq(some[words], 0x5a5a, "nothing is written past the end");
        cr_assert_arr_eq(&wide, &whole, sizeof wide);
    }
}

Test(random, every_wide_bit_is_fair) {
    RandomWide wide;
    random_wide_seed(&wide, 13);
    unsigned ones[RANDOM_LANES][64] = {{0}};
    for (int step = 0; step < 20000; step++) {
        uint64_t words[RANDOM_LANES];
        random_wide_fill(&wide, words, RANDOM_LANES);
        for (int lane = 0; lane < RANDOM_LANES; lane++)
            for (int bit = 0; bit < 64; bit++)
                ones[lane][bit] += words[lane] >> bit & 1;
    }
    for (int lane = 0; lane < RANDOM_LANES; lane++)
        for (int bit = 0; bit < 64; bit++)
            cr_assert_lt(fabs(ones[lane][bit] - 10000.0), 5 * sqrt(5000));
}
