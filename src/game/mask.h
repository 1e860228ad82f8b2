/* Sets of lanes. Always inlined, so that each caller compiles them for its own instruction set. */
#pragma once

#include <string.h>

#include "base/bitset.h"
#include "base/cpu.h"
#include "circuit/kernel.h"

typedef struct {
    uint64_t words[LANE_WORDS];
} LaneMask;

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
    for (int i = 0; i < LANE_WORDS; i++)
        m.words[i] = a->words[i] & b->words[i];
    return m;
}

ALWAYS_INLINE void mask_add(LaneMask *a, const LaneMask *b) {
    for (int i = 0; i < LANE_WORDS; i++)
        a->words[i] |= b->words[i];
}

/* The lanes of a row that are also in the mask. */
ALWAYS_INLINE LaneMask mask_within(const Lanes *lanes, const LaneMask *among) {
    LaneMask mask = mask_of(lanes);
    return mask_and(&mask, among);
}

ALWAYS_INLINE void mask_remove(LaneMask *a, const LaneMask *b) {
    for (int i = 0; i < LANE_WORDS; i++)
        a->words[i] &= ~b->words[i];
}

ALWAYS_INLINE bool mask_any(const LaneMask *m) {
    uint64_t any = 0;
    for (int i = 0; i < LANE_WORDS; i++)
        any |= m->words[i];
    return any != 0;
}
