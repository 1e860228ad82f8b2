/* Sets of tuples of numbers, with a hash index on any choice of columns.
 *
 * Rows are only appended until the set is cleared. So a row number stays valid, the rows added
 * since some moment are a range (what semi-naive evaluation calls the delta), and an index is
 * brought up to date by adding the rows it lacks. Index 0 covers all columns and keeps the rows
 * distinct. */
#pragma once

#include <assert.h>

#include "base/vector.h"

#define TUPLE_NONE UINT32_MAX

typedef VECTOR(uint16_t) Columns;

/* Rows whose keys have equal hashes form a chain from the newest to the oldest, so a reader that
 * has reached a row never meets rows added later. */
typedef struct {
    Columns columns;      /* the key, ascending */
    uint32_t *buckets;    /* per bucket: newest row + 1, or 0 if the bucket is empty */
    uint32_t bucket_mask; /* number of buckets - 1; there are at least twice as many as rows */
    uint32_t *older;      /* per row: next older row of its bucket + 1, or 0 */
    uint32_t capacity;    /* entries allocated in `older` */
    uint32_t rows;        /* rows indexed so far */
} TupleIndex;

typedef struct {
    uint32_t arity;           /* values per row */
    uint32_t count, capacity; /* rows */
    uint32_t *values;         /* row after row */
    VECTOR(TupleIndex) indexes;
} TupleSet;

void tuples_init(TupleSet *set, uint32_t arity);
void tuples_free(TupleSet *set);
/* Removes the rows. Indexes and memory stay. */
void tuples_clear(TupleSet *set);
/* Bytes allocated for rows and indexes. */
size_t tuples_bytes(const TupleSet *set);

static inline const uint32_t *tuples_row(const TupleSet *set, uint32_t row) {
    return set->values + (size_t)row * set->arity;
}

/* Appends a row without looking for an equal one and returns the place of its values. No index
 * knows the row yet. */
uint32_t *tuples_append(TupleSet *set);
/* Adds a row unless the set has an equal one. True if it was new. Index 0 must be up to date and
 * stays so. */
bool tuples_insert(TupleSet *set, const uint32_t *row);
/* The number of an equal row, or TUPLE_NONE. Index 0 must be up to date. */
uint32_t tuples_find(const TupleSet *set, const uint32_t *row);

/* The number of the index on these columns, in ascending order. Makes the index if there is
 * none. */
uint32_t tuples_index(TupleSet *set, const uint16_t *columns, uint32_t count);
void tuples_update_index(TupleSet *set, uint32_t number);
/* Walks over the rows that agree with the key, a whole row, on the columns of an index: returns the
 * newest such row + 1 from the chain entry `at` on, or 0. Start with tuples_chain; go on with the
 * entry `older` of the row found. */
uint32_t tuples_next_match(const TupleSet *set, uint32_t number, const uint32_t *key, uint32_t at);
uint32_t tuples_chain(const TupleSet *set, uint32_t number, const uint32_t *key);

static inline uint32_t tuples_older(const TupleSet *set, uint32_t index, uint32_t row) {
    assert(row < set->indexes.items[index].rows);
    return set->indexes.items[index].older[row];
}

/* Number of different values in a column, counted in at most `max_rows` rows. */
uint32_t tuples_distinct(const TupleSet *set, uint32_t column, uint32_t max_rows);

/* Adds one value to the hash of a key, which starts from 0. */
static inline uint64_t tuples_hash(uint64_t hash, uint32_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 32;
}
