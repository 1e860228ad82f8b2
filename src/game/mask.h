/* Sets of lanes. Always inlined, so that each caller compiles them for its own instruction set. */
#pragma once

#include <string.h>

#include "base/bitset.h"
#include "base/cpu.h"
#include "circuit/kernel.h"

typedef struct {
    uint64_t words[LANE_WORDS];
} LaneMask;

/* The words of a mask as one vector: a mask that is written word by word and read as a vector waits
 * for all its writes. */
typedef uint64_t MaskVector
    __attribute__((vector_size(LANE_WORDS * sizeof(uint64_t)), aligned(8), may_alias));
#define MASK_VECTOR(mask) (*(MaskVector *)(mask)->words)
#define CONST_MASK_VECTOR(mask) (*(const MaskVector *)(mask)->words)

/* Loops over the lanes of a mask in order. */
#define FOR_LANES(mask, lane)                                                                      \
    for (size_t lane = bitset_next((mask)->words, LANE_WORDS, 0); lane < LANES;                    \
         lane = bitset_next((mask)->words, LANE_WORDS, lane + 1))

ALWAYS_INLINE LaneMask mask_of(const Lanes *lanes) {
    LaneMask mask;
    memcpy(&mask, lanes, sizeof mask);
    return mask;
}

ALWAYS_INLINE uint64_t mask_count(const LaneMask *m) {
    uint64_t count = 0;
    for (int i = 0; i < LANE_WORDS; i++)
        count += (uint64_t)__builtin_popcountll(m->words[i]);
    return count;
}

ALWAYS_INLINE LaneMask mask_and(const LaneMask *a, const LaneMask *b) {
    LaneMask m;
    MASK_VECTOR(&m) = CONST_MASK_VECTOR(a) & CONST_MASK_VECTOR(b);
    return m;
}

ALWAYS_INLINE LaneMask mask_not(const LaneMask *a) {
    LaneMask m;
    MASK_VECTOR(&m) = ~CONST_MASK_VECTOR(a);
    return m;
}

ALWAYS_INLINE void mask_add(LaneMask *a, const LaneMask *b) {
    MASK_VECTOR(a) |= CONST_MASK_VECTOR(b);
}

/* The lanes of a row that are also in the mask. */
ALWAYS_INLINE LaneMask mask_within(const Lanes *lanes, const LaneMask *among) {
    LaneMask mask = mask_of(lanes);
    return mask_and(&mask, among);
}

ALWAYS_INLINE void mask_remove(LaneMask *a, const LaneMask *b) {
    MASK_VECTOR(a) &= ~CONST_MASK_VECTOR(b);
}

ALWAYS_INLINE bool mask_any(const LaneMask *m) {
    uint64_t any = 0;
    for (int i = 0; i < LANE_WORDS; i++)
        any |= m->words[i];
    return any != 0;
}
