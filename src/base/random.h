/* Reproducible random numbers: xoshiro256++ (Blackman and Vigna 2021), alone or with eight streams
 * in parallel.
 *
 * It uses only integer arithmetic on 64-bit words, so that a seed gives the same numbers with every
 * compiler and on every machine. Streams that must not overlap are cut out of one sequence of
 * length 2^256 by jumps of 2^128 steps. */
#pragma once

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* One stream. The state is never all zero. */
typedef struct Random {
    uint64_t state[4];
} Random;

/* Starts the stream of a seed. Any seed is good, and neighbouring seeds give unrelated streams. */
void random_seed(Random *random, uint64_t seed);

/* Moves 2^128 steps ahead. Copy, jump, copy, jump... gives each thread a stream of its own. */
void random_jump(Random *random);

/* Next 64 random bits. */
static inline uint64_t random_next(Random *random) {
    uint64_t *s = random->state;
    uint64_t sum = s[0] + s[3];
    uint64_t result = (sum << 23 | sum >> 41) + s[0];
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* A number from 0 to bound - 1, all equally likely. The bound must not be 0. Multiplies instead of
 * dividing (Lemire 2019); the division runs once in 2^64 / bound calls. */
static inline uint64_t random_below(Random *random, uint64_t bound) {
    __extension__ typedef unsigned __int128 Product;
    assert(bound > 0);
    Product product = (Product)random_next(random) * bound;
    if ((uint64_t)product < bound) {
        uint64_t excess = -bound % bound;
        while ((uint64_t)product < excess)
            product = (Product)random_next(random) * bound;
    }
    return (uint64_t)(product >> 64);
}

/* Brings the items into a random order, all equally likely (Fisher and Yates 1938). */
static inline void random_shuffle(Random *random, uint32_t *items, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t other = random_below(random, i);
        uint32_t moved = items[i - 1];
        items[i - 1] = items[other];
        items[other] = moved;
    }
}

/* A multiple of 2^-53 in [0, 1). */
static inline double random_double(Random *random) {
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* Eight streams that advance together, for code that plays many games at once in bit lanes. */
enum { RANDOM_LANES = 8 };

typedef struct RandomWide {
    uint64_t state[4][RANDOM_LANES];
} RandomWide;

/* Starts the eight streams of a seed: lane i is random_seed followed by i jumps. */
void random_wide_seed(RandomWide *wide, uint64_t seed);

/* Takes the next eight streams of `source`, which then continues after them. */
void random_wide_split(RandomWide *wide, Random *source);

/* Fills `out` with random words: word i comes from lane i % 8. Each call starts with a new step, so
 * the unused words of a last partial step are lost. */
void random_wide_fill(RandomWide *wide, uint64_t *out, size_t words);
