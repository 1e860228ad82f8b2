/* Sets of small integers over plain arrays of 64-bit words.
 *
 * The words belong to the caller, so that a set can live inside any struct or arena. One invariant
 * makes counting and comparing plain word loops: the bits of the last word past the end stay zero.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returned by bitset_next when no set bit is left. */
#define BITSET_END SIZE_MAX

/* Number of words that a set of `bits` bits takes. */
static inline size_t bitset_words(size_t bits) {
    return bits / 64 + (bits % 64 != 0);
}

static inline bool bitset_get(const uint64_t *words, size_t bit) {
    return words[bit / 64] >> (bit % 64) & 1;
}

static inline void bitset_set(uint64_t *words, size_t bit) {
    words[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static inline void bitset_clear(uint64_t *words, size_t bit) {
    words[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

/* Sets or clears the bit without a branch. */
static inline void bitset_assign(uint64_t *words, size_t bit, bool value) {
    uint64_t *word = &words[bit / 64];
    *word = (*word & ~(UINT64_C(1) << (bit % 64))) | (uint64_t)value << (bit % 64);
}

/* The first set bit at or after `from`, which may lie past the end, or BITSET_END. To visit a set:
 *     for (size_t i = bitset_next(w, n, 0); i != BITSET_END; i = bitset_next(w, n, i + 1)) */
static inline size_t bitset_next(const uint64_t *words, size_t nwords, size_t from) {
    size_t word = from / 64;
    if (word >= nwords)
        return BITSET_END;
    uint64_t left = words[word] & ~UINT64_C(0) << (from % 64);
    while (left == 0) {
        if (++word == nwords)
            return BITSET_END;
        left = words[word];
    }
    return word * 64 + (size_t)__builtin_ctzll(left);
}

/* The number of set bits. */
size_t bitset_count(const uint64_t *words, size_t nwords);

/* True if some bit is set. */
bool bitset_any(const uint64_t *words, size_t nwords);

/* True if both sets have the same bits. */
bool bitset_equal(const uint64_t *a, const uint64_t *b, size_t nwords);

/* True if both sets have the same bits among those of the mask. */
bool bitset_agree(const uint64_t *a, const uint64_t *b, const uint64_t *mask, size_t nwords);

/* Intersection, union and difference, stored in `into`, which may be `from` itself. */
void bitset_and(uint64_t *into, const uint64_t *from, size_t nwords);
void bitset_or(uint64_t *into, const uint64_t *from, size_t nwords);
void bitset_andnot(uint64_t *into, const uint64_t *from, size_t nwords);

/* Transposes a matrix of 64 times 64 bits: bit i of word k becomes bit k of word i. */
void bitset_transpose(uint64_t block[64]);

/* Visits the set bits in ascending order: bitset_each(i, words, nwords) statement. */
#define bitset_each(bit, words, nwords)                                                            \
    for (size_t bit = bitset_next((words), (nwords), 0); bit != BITSET_END;                        \
         bit = bitset_next((words), (nwords), bit + 1))

/* True if the sets have a bit in common. */
static inline bool bitset_overlaps(const uint64_t *a, const uint64_t *b, size_t nwords) {
    for (size_t i = 0; i < nwords; i++)
        if (a[i] & b[i])
            return true;
    return false;
}

/* True if every bit of `part` is also in `whole`. */
static inline bool bitset_includes(const uint64_t *whole, const uint64_t *part, size_t nwords) {
    for (size_t i = 0; i < nwords; i++)
        if (part[i] & ~whole[i])
            return false;
    return true;
}
