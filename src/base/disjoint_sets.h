/* Disjoint sets (union-find) over an array of parents that belongs to the caller. Every set is
 * represented by its smallest item, so that results do not depend on the order of the unions. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Makes a set of each item. */
static inline void sets_init(uint32_t *parents, size_t count) {
    for (size_t i = 0; i < count; i++)
        parents[i] = (uint32_t)i;
}

/* The representative of the item's set. Halves the path to it (path halving). */
static inline uint32_t sets_find(uint32_t *parents, uint32_t item) {
    while (parents[item] != item)
        item = parents[item] = parents[parents[item]];
    return item;
}

static inline void sets_join(uint32_t *parents, uint32_t a, uint32_t b) {
    a = sets_find(parents, a);
    b = sets_find(parents, b);
    parents[a < b ? b : a] = a < b ? a : b;
}
