/* There are at least twice as many buckets as rows, so chains of different keys are short. */
#include "base/tuples.h"

#include <string.h>

enum { MIN_ROWS = 16, MIN_BUCKETS = 16 }; /* allocated at once (untuned) */

void tuples_init(TupleSet *set, uint32_t arity) {
    *set = (TupleSet){.arity = arity};
    TupleIndex whole = {0};
    for (uint32_t c = 0; c < arity; c++)
        vector_push(&whole.columns, (uint16_t)c);
    vector_push(&set->indexes, whole);
}

void tuples_free(TupleSet *set) {
    for (size_t i = 0; i < set->indexes.count; i++) {
        TupleIndex *index = &set->indexes.items[i];
        vector_free(&index->columns);
        memory_free(index->buckets, index->older);
    }
    vector_free(&set->indexes);
    free(set->values);
}

void tuples_clear(TupleSet *set) {
    set->count = 0;
    for (size_t i = 0; i < set->indexes.count; i++) {
        TupleIndex *index = &set->indexes.items[i];
        if (index->rows > 0)
            memset(index->buckets, 0, ((size_t)index->bucket_mask + 1) * sizeof *index->buckets);
        index->rows = 0;
    }
}

size_t tuples_bytes(const TupleSet *set) {
    size_t words = (size_t)set->capacity * set->arity;
    for (size_t i = 0; i < set->indexes.count; i++) {
        const TupleIndex *index = &set->indexes.items[i];
        words += index->capacity + (index->buckets ? (size_t)index->bucket_mask + 1 : 0);
    }
    return words * sizeof(uint32_t);
}

uint32_t tuples_index(TupleSet *set, const uint16_t *columns, uint32_t count) {
    for (uint32_t i = 0; i < set->indexes.count; i++) {
        const Columns *have = &set->indexes.items[i].columns;
        if (have->count == count &&
            (count == 0 || memcmp(have->items, columns, count * sizeof *columns) == 0))
            return i;
    }
    TupleIndex index = {0};
    for (uint32_t i = 0; i < count; i++) {
        assert(columns[i] < set->arity && (i == 0 || columns[i - 1] < columns[i]));
        vector_push(&index.columns, columns[i]);
    }
    vector_push(&set->indexes, index);
    return (uint32_t)set->indexes.count - 1;
}

static uint64_t hash_row(const TupleIndex *index, const uint32_t *row) {
    uint64_t hash = 0;
    for (size_t i = 0; i < index->columns.count; i++)
        hash = tuples_hash(hash, row[index->columns.items[i]]);
    return hash;
}

static void link_row(TupleIndex *index, uint32_t row, uint64_t hash) {
    uint32_t *bucket = &index->buckets[hash & index->bucket_mask];
    index->older[row] = *bucket;
    *bucket = row + 1;
}

static void link_rows(const TupleSet *set, TupleIndex *index, uint32_t first, uint32_t end) {
    for (uint32_t row = first; row < end; row++)
        link_row(index, row, hash_row(index, tuples_row(set, row)));
}

static void make_room(const TupleSet *set, TupleIndex *index, uint32_t rows) {
    if (index->capacity < rows) {
        index->capacity = rows < MIN_ROWS ? MIN_ROWS : rows + rows / 2;
        index->older = memory_realloc(index->older, index->capacity * sizeof *index->older);
    }
    if (index->buckets && 2 * (uint64_t)rows <= (uint64_t)index->bucket_mask + 1)
        return;
    uint32_t buckets = MIN_BUCKETS;
    while (buckets < 2 * rows)
        buckets *= 2;
    free(index->buckets);
    index->buckets = memory_zalloc(buckets * sizeof *index->buckets);
    index->bucket_mask = buckets - 1;
    link_rows(set, index, 0, index->rows);
}

void tuples_update_index(TupleSet *set, uint32_t number) {
    assert(number < set->indexes.count);
    TupleIndex *index = &set->indexes.items[number];
    if (index->rows == set->count)
        return;
    make_room(set, index, set->count);
    link_rows(set, index, index->rows, set->count);
    index->rows = set->count;
}

uint32_t *tuples_append(TupleSet *set) {
    if (set->count == set->capacity) {
        set->capacity = set->capacity < MIN_ROWS ? MIN_ROWS : set->capacity * 2;
        set->values =
            memory_realloc(set->values, (size_t)set->capacity * set->arity * sizeof *set->values);
    }
    return set->values + (size_t)set->count++ * set->arity;
}

static uint32_t find_hashed(const TupleSet *set, uint64_t hash, const uint32_t *row) {
    const TupleIndex *index = &set->indexes.items[0];
    if (!index->buckets)
        return TUPLE_NONE;
    uint32_t at = index->buckets[hash & index->bucket_mask];
    for (; at > 0; at = index->older[at - 1]) {
        const uint32_t *have = tuples_row(set, at - 1);
        uint32_t c = 0;
        while (c < set->arity && have[c] == row[c])
            c++;
        if (c == set->arity)
            return at - 1;
    }
    return TUPLE_NONE;
}

uint32_t tuples_find(const TupleSet *set, const uint32_t *row) {
    return set->count > 0 ? find_hashed(set, hash_row(&set->indexes.items[0], row), row)
                          : TUPLE_NONE;
}

bool tuples_insert(TupleSet *set, const uint32_t *row) {
    TupleIndex *index = &set->indexes.items[0];
    uint64_t hash = hash_row(index, row);
    if (find_hashed(set, hash, row) != TUPLE_NONE)
        return false;
    uint32_t *copy = tuples_append(set);
    if (set->arity > 0)
        memcpy(copy, row, set->arity * sizeof *row);
    make_room(set, index, set->count);
    link_row(index, set->count - 1, hash);
    index->rows = set->count;
    return true;
}

uint32_t tuples_chain(const TupleSet *set, uint32_t number, const uint32_t *key) {
    const TupleIndex *index = &set->indexes.items[number];
    return index->buckets ? index->buckets[hash_row(index, key) & index->bucket_mask] : 0;
}

uint32_t tuples_next_match(const TupleSet *set, uint32_t number, const uint32_t *key, uint32_t at) {
    const TupleIndex *index = &set->indexes.items[number];
    for (; at > 0; at = index->older[at - 1]) {
        const uint32_t *row = tuples_row(set, at - 1);
        size_t i = 0;
        while (i < index->columns.count &&
               row[index->columns.items[i]] == key[index->columns.items[i]])
            i++;
        if (i == index->columns.count)
            break;
    }
    return at;
}

uint32_t tuples_distinct(const TupleSet *set, uint32_t column, uint32_t max_rows) {
    assert(column < set->arity && max_rows > 0);
    uint32_t counted = set->count < max_rows ? set->count : max_rows;
    uint32_t stride = counted ? set->count / counted : 1;
    TupleSet seen;
    tuples_init(&seen, 1);
    for (uint32_t i = 0; i < counted; i++)
        tuples_insert(&seen, tuples_row(set, i * stride) + column);
    uint32_t count = seen.count;
    tuples_free(&seen);
    return count;
}
