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

/* Appends n items without giving them values and returns a pointer to the first. An empty vector
 * may have no memory, from which no offset may be taken, not even 0. */
#define vector_extend(v, n)                                                                        \
    (vector_reserve((v), (v)->count + (n)), (v)->count += (n),                                     \
     (v)->count ? (v)->items + (v)->count - (n) : (v)->items)
/* The items from `first` on, of which there may be none. */
#define vector_from(v, first) ((v)->count ? (v)->items + (first) : (v)->items)

/* Appends copies of n items, which must not belong to the vector itself. */
#define vector_append(v, from, n)                                                                  \
    ((void)sizeof((v)->items[0] = *(from)),                                                        \
     (n) ? (void)memcpy(vector_extend((v), (n)), (from), (n) * sizeof *(v)->items) : (void)0)

/* Sorts the items; an empty vector is allowed. */
#define vector_sort(v, compare)                                                                    \
    ((v)->count > 1 ? qsort((v)->items, (v)->count, sizeof *(v)->items, (compare)) : (void)0)

/* Frees the memory allocated beyond the items. */
#define vector_shrink(v)                                                                           \
    ((v)->capacity = (v)->count,                                                                   \
     (v)->items = memory_realloc((v)->items, (v)->count * sizeof *(v)->items))

#define vector_pop(v) ((v)->items[--(v)->count])
#define vector_last(v) ((v)->items[(v)->count - 1])
#define vector_clear(v) ((void)((v)->count = 0))
#define vector_free(v) (free((v)->items), (v)->items = NULL, (v)->count = (v)->capacity = 0)

/* Frees several vectors: vectors_free(&a, &b, &c). */
#define vectors_free(...)                                                                          \
    vectors_free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

static inline void vectors_free_all(void *const *vectors, size_t count) {
    for (size_t i = 0; i < count; i++) {
        VECTOR(char) vector;
        memcpy(&vector, vectors[i], sizeof vector);
        free(vector.items);
        memset(vectors[i], 0, sizeof vector);
    }
}

/* The place of the item's first occurrence, or UINT32_MAX. A linear scan, for short lists. */
static inline uint32_t u32_index_of(const U32Vector *list, uint32_t item) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return i;
    return UINT32_MAX;
}

static inline bool u32_contains(const U32Vector *list, uint32_t item) {
    return u32_index_of(list, item) != UINT32_MAX;
}

/* The index of the item, which is appended if it is not in the list. */
static inline uint32_t u32_place(U32Vector *list, uint32_t item) {
    uint32_t place = u32_index_of(list, item);
    if (place != UINT32_MAX)
        return place;
    vector_push(list, item);
    return (uint32_t)list->count - 1;
}

static inline bool u32_equal(const U32Vector *a, const U32Vector *b) {
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

/* A new array of `count` + 1 entries, all UINT32_MAX, which stands for "none". */
static inline uint32_t *u32_none(size_t count) {
    uint32_t *array = memory_alloc((count + 1) * sizeof *array);
    memset(array, 0xff, (count + 1) * sizeof *array);
    return array;
}

/* For vector_sort, qsort and bsearch: ascending. */
static inline int u32_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts in ascending order: short lists by insertion, long ones by qsort. */
static inline void u32_sort(uint32_t *items, size_t count) {
    enum { SHORT = 32 }; /* (untuned) */
    if (count > SHORT) {
        qsort(items, count, sizeof *items, u32_compare);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t moved = items[i];
        size_t j = i;
        for (; j > 0 && items[j - 1] > moved; j--)
            items[j] = items[j - 1];
        items[j] = moved;
    }
}

/* True if the item is in a list sorted by u32_compare. */
static inline bool u32_sorted_contains(const U32Vector *list, uint32_t item) {
    return list->count &&
           bsearch(&item, list->items, list->count, sizeof item, u32_compare) != NULL;
}

/* Removes the items that are not in the other list. Both lists are in ascending order. */
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

/* True if every item of one list is in the other. */
static inline bool u32_is_subset(const U32Vector *part, const U32Vector *whole) {
    for (size_t i = 0; i < part->count; i++)
        if (!u32_contains(whole, part->items[i]))
            return false;
    return true;
}

/* Sorts in ascending order and drops repeated items. */
static inline void u32_sort_unique(U32Vector *list) {
    vector_sort(list, u32_compare);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!kept || list->items[i] != list->items[kept - 1])
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* Frees an array of lists. */
static inline void u32_free_lists(U32Vector *lists, size_t count) {
    for (size_t i = 0; lists && i < count; i++)
        vector_free(&lists[i]);
    free(lists);
}

/* Appends the items of one list to another. */
static inline void u32_append(U32Vector *to, const U32Vector *from) {
    vector_append(to, from->items, from->count);
}

static inline void u32_copy(U32Vector *to, const U32Vector *from) {
    vector_clear(to);
    u32_append(to, from);
}

/* Removes the first item; there must be one. */
static inline void u32_drop_first(U32Vector *list) {
    memmove(list->items, list->items + 1, --list->count * sizeof *list->items);
}

/* For vector_sort and qsort: ascending. */
static inline int u64_compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the items and returns the number of different ones. */
static inline size_t u64_count_distinct(uint64_t *items, size_t count) {
    qsort(items, count, sizeof *items, u64_compare);
    size_t distinct = count > 0;
    for (size_t i = 1; i < count; i++)
        distinct += items[i] != items[i - 1];
    return distinct;
}
