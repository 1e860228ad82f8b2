/* From rows of lanes to words by lane. A row is one bit of all 512 lanes; those who read the lanes
 * one by one want all bits of one lane together. */
#pragma once

#include <string.h>

#include "base/cpu.h"
#include "circuit/kernel.h"

/* The functions are always inlined, so that each caller compiles them for its own instruction set.
 */

ALWAYS_INLINE void transpose_swap(Lanes *a, Lanes *b, uint32_t width, uint64_t mask) {
    Lanes swapped = ((*a >> width) ^ *b) & mask;
    *a ^= swapped << width;
    *b ^= swapped;
}

static const uint64_t transpose_wide[] = {0xffffffff, 0xffff0000ffff, 0xff00ff00ff00ff};
static const uint64_t transpose_narrow[] = {0x0f0f0f0f0f0f0f0f, 0x3333333333333333,
                                            0x5555555555555555};

/* Exchanges eight rows that are `step` apart at the widths 4, 2 and 1 times `width`. */
ALWAYS_INLINE void transpose_eight(Lanes *block, uint32_t step, uint32_t width,
                                   const uint64_t masks[3]) {
    Lanes r[8];
    for (uint32_t i = 0; i < 8; i++)
        r[i] = block[i * step];
    for (uint32_t i = 0; i < 4; i++)
        transpose_swap(&r[i], &r[i + 4], 4 * width, masks[0]);
    for (uint32_t i = 0; i < 8; i += i % 4 == 1 ? 3 : 1)
        transpose_swap(&r[i], &r[i + 2], 2 * width, masks[1]);
    for (uint32_t i = 0; i < 8; i += 2)
        transpose_swap(&r[i], &r[i + 1], width, masks[2]);
    for (uint32_t i = 0; i < 8; i++)
        block[i * step] = r[i];
}

/* Transposes eight matrices of 64 times 64 bits at once: matrix g is word g of every row. Bit i of
 * word g of row k becomes bit k of word g of row i. Two passes of eight rows at a time do what six
 * passes over all rows would, with the rows in registers. */
ALWAYS_INLINE void transpose_lanes(Lanes block[64]) {
    for (uint32_t i = 0; i < 8; i++)
        transpose_eight(block + i, 8, 8, transpose_wide);
    for (uint32_t i = 0; i < 64; i += 8)
        transpose_eight(block + i, 1, 1, transpose_narrow);
}

typedef union {
    uint64_t rows[64];
    uint64_t eights[8][8];
    Lanes lanes[8]; /* eight rows each */
} BitMatrix;

/* Transposes one matrix. Rows that are exchanged must stand in different vectors: first they are
 * eight or more apart; for the rest, row 8 i + j moves from vector i to vector j and back. */
ALWAYS_INLINE void transpose_matrix(BitMatrix *m) {
    BitMatrix turned;
    transpose_eight(m->lanes, 1, 8, transpose_wide);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++)
            turned.eights[j][i] = m->eights[i][j];
    transpose_eight(turned.lanes, 1, 1, transpose_narrow);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++)
            m->eights[i][j] = turned.eights[j][i];
}

/* For each of the first `lanes` lanes one word: bit i of words[lane * stride] is the lane's bit in
 * rows[i]. At most 64 rows; NULL stands for a row of zeros. */
ALWAYS_INLINE void transpose_rows(const Lanes *const *rows, uint32_t count, uint32_t lanes,
                                  uint64_t *words, size_t stride) {
    Lanes block[64];
    for (uint32_t i = 0; i < 64; i++)
        block[i] = i < count && rows[i] ? *rows[i] : (Lanes){0};
    transpose_lanes(block);
    for (uint32_t group = 0; group * 64 < lanes; group++) {
        uint32_t end = lanes - group * 64 < 64 ? lanes - group * 64 : 64;
        uint64_t *to = words + (size_t)group * 64 * stride;
        for (uint32_t i = 0; i < end; i++)
            to[i * stride] = block[i][group];
    }
}

/* Writes the lowest `count` bits of a word as bytes 0 and 1. A factor puts a copy of eight bits
 * into each byte, and the mask leaves bit i in byte i. */
ALWAYS_INLINE void spread_bits(uint64_t bits, uint32_t count, uint8_t *bytes) {
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "byte 0 of a word is its lowest");
    uint64_t all[8];
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t picked = (bits >> (8 * i) & 0xff) * 0x0101010101010101 & 0x8040201008040201;
        all[i] = (picked + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    }
    if (count == 64)
        memcpy(bytes, all, 64);
    else
        memcpy(bytes, all, count);
}
