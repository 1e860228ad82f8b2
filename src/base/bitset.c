/* Loops over the words of bit sets, simple enough for compilers to vectorise. */
#include "base/bitset.h"

size_t bitset_count(const uint64_t *words, size_t nwords) {
    size_t count = 0;
    for (size_t i = 0; i < nwords; i++)
        count += (size_t)__builtin_popcountll(words[i]);
    return count;
}

bool bitset_any(const uint64_t *words, size_t nwords) {
    for (size_t i = 0; i < nwords; i++)
        if (words[i] != 0)
            return true;
    return false;
}

bool bitset_equal(const uint64_t *a, const uint64_t *b, size_t nwords) {
    for (size_t i = 0; i < nwords; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

bool bitset_agree(const uint64_t *a, const uint64_t *b, const uint64_t *mask, size_t nwords) {
    for (size_t w = 0; w < nwords; w++)
        if ((a[w] ^ b[w]) & mask[w])
            return false;
    return true;
}

void bitset_and(uint64_t *into, const uint64_t *from, size_t nwords) {
    for (size_t i = 0; i < nwords; i++)
        into[i] &= from[i];
}

void bitset_or(uint64_t *into, const uint64_t *from, size_t nwords) {
    for (size_t i = 0; i < nwords; i++)
        into[i] |= from[i];
}

void bitset_andnot(uint64_t *into, const uint64_t *from, size_t nwords) {
    for (size_t i = 0; i < nwords; i++)
        into[i] &= ~from[i];
}

/* Recursive halving: at each width, blocks above and below the diagonal are exchanged. */
void bitset_transpose(uint64_t block[64]) {
    uint64_t mask = 0xffffffff;
    for (uint32_t width = 32; width; width /= 2, mask ^= mask << width)
        for (uint32_t i = 0; i < 64; i = (i + width + 1) & ~width) {
            uint64_t swapped = (block[i] >> width ^ block[i + width]) & mask;
            block[i] ^= swapped << width;
            block[i + width] ^= swapped;
        }
}
