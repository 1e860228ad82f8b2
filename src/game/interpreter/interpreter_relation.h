/* Relations: sets of rows of values, with as many hash indexes as the plans ask for. Rows are only
 * appended until the relation is cleared, so a row number is a name, the rows since a moment are a
 * range (what semi-naive evaluation calls the delta), and an index is brought up to date by adding
 * the rows it lacks. Index 0 covers all columns and keeps the rows of a derived relation apart. */
#pragma once

#include <stdbool.h>

#include "base/vector.h"
#include "game/interpreter/interpreter_store.h"

typedef VECTOR(uint16_t) Columns;

typedef struct {
    Columns columns;      /* the key, ascending */
    uint32_t *buckets;    /* row + 1 of the newest row with that hash, 0 if none */
    uint32_t bucket_mask; /* number of buckets - 1 */
    uint32_t *older;      /* by row: row + 1 of the next older one in its bucket */
    uint32_t capacity;    /* of `older` */
    uint32_t rows;        /* indexed so far */
} Index;

typedef struct {
    uint32_t arity;
    uint32_t count, capacity; /* rows */
    Value *values;            /* row after row */
    VECTOR(Index) indexes;
} Relation;

void relation_start(Relation *relation, uint32_t arity);
void relation_end(Relation *relation);
void relation_clear(Relation *relation);
/* The index on these ascending columns, made if there is none. Never on all columns: that is 0. */
uint32_t relation_index(Relation *relation, const uint16_t *columns, uint32_t count);
void index_add_missing_rows(Relation *relation, uint32_t number);
/* Appends without looking for an equal row; indexes notice later. */
Value *relation_append(Relation *relation);
/* Adds a row unless it is there; index 0 must be up to date and stays so. True if it was new. */
bool relation_insert(Relation *relation, const Value *row);
/* Number of different values in a column. */
uint32_t relation_distinct(const Relation *relation, uint32_t column);

static inline uint64_t hash_value(uint64_t hash, Value value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 32;
}

static inline const Value *relation_row(const Relation *relation, uint32_t row) {
    return relation->values + (size_t)row * relation->arity;
}

/* Whether an up-to-date index 0 holds the row. */
bool relation_contains(const Relation *relation, const Value *row);
