/* Growable arrays. VECTOR(T) is a struct type; give it a name with typedef to pass it around.
 * Zero-initialise to use, vector_free to end. Items are reached as v.items[i]. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define VECTOR(T)                                                                                  \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t count, capacity;                                                                    \
    }

typedef VECTOR(uint32_t) U32Vector;

static inline void *vector_grown(void *items, size_t *capacity, size_t needed, size_t item_bytes) {
    if (needed <= *capacity)
        return items;
    size_t grown = *capacity + *capacity / 2;
    if (grown < 8)
        grown = 8;
    *capacity = grown < needed ? needed : grown;
    return memory_realloc(items, *capacity * item_bytes);
}

#define vector_reserve(v, needed)                                                                  \
    ((v)->items = vector_grown((v)->items, &(v)->capacity, (needed), sizeof *(v)->items))

#define vector_push(v, item)                                                                       \
    (vector_reserve((v), (v)->count + 1), (v)->items[(v)->count++] = (item))

/* Appends n items without giving them values and returns a pointer to the first. */
#define vector_extend(v, n)                                                                        \
    (vector_reserve((v), (v)->count + (n)), (v)->count += (n), (v)->items + (v)->count - (n))

/* Appends copies of n items, also where n is 0 and `from` is NULL. */
#define vector_append(v, from, n)                                                                  \
    ((n) ? (void)memcpy(vector_extend((v), (n)), (from), (n) * sizeof *(v)->items) : (void)0)

/* Sorts the items, also where there are none yet. */
#define vector_sort(v, compare)                                                                    \
    ((v)->count > 1 ? qsort((v)->items, (v)->count, sizeof *(v)->items, (compare)) : (void)0)

/* Gives back what is allocated beyond the items. */
#define vector_shrink(v)                                                                           \
    ((v)->capacity = (v)->count,                                                                   \
     (v)->items = memory_realloc((v)->items, (v)->count * sizeof *(v)->items))

#define vector_pop(v) ((v)->items[--(v)->count])
#define vector_last(v) ((v)->items[(v)->count - 1])
#define vector_clear(v) ((void)((v)->count = 0))
#define vector_free(v) (free((v)->items), (v)->items = NULL, (v)->count = (v)->capacity = 0)

/* Membership by a linear scan, for short lists. */
static inline bool u32_contains(const U32Vector *list, uint32_t item) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return true;
    return false;
}

/* For vector_sort, qsort and bsearch: ascending. */
static inline int u32_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Membership in a list sorted by u32_compare. */
static inline bool u32_sorted_contains(const U32Vector *list, uint32_t item) {
    return list->count &&
           bsearch(&item, list->items, list->count, sizeof item, u32_compare) != NULL;
}

/* Keeps what both ascending lists hold. */
static inline void u32_intersect(U32Vector *into, const U32Vector *with) {
    size_t kept = 0, j = 0;
    for (size_t i = 0; i < into->count; i++) {
        while (j < with->count && with->items[j] < into->items[i])
            j++;
        if (j < with->count && with->items[j] == into->items[i])
            into->items[kept++] = into->items[i];
    }
    into->count = kept;
}
