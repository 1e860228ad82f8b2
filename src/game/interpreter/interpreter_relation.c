/* Buckets are at least twice the rows, so chains are short; a chain runs from the newest row to the
 * oldest, so that a reader who has its first row never meets rows added later. */
#include "game/interpreter/interpreter_relation.h"

#include <string.h>

void relation_start(Relation *relation, uint32_t arity) {
    *relation = (Relation){.arity = arity};
    Index whole = {0};
    for (uint32_t c = 0; c < arity; c++)
        vector_push(&whole.columns, (uint16_t)c);
    vector_push(&relation->indexes, whole);
}

void relation_end(Relation *relation) {
    for (size_t i = 0; i < relation->indexes.count; i++) {
        Index *index = &relation->indexes.items[i];
        vector_free(&index->columns);
        free(index->buckets);
        free(index->older);
    }
    vector_free(&relation->indexes);
    free(relation->values);
}

void relation_clear(Relation *relation) {
    relation->count = 0;
    for (size_t i = 0; i < relation->indexes.count; i++) {
        Index *index = &relation->indexes.items[i];
        if (index->rows > 0)
            memset(index->buckets, 0, ((size_t)index->bucket_mask + 1) * sizeof *index->buckets);
        index->rows = 0;
    }
}

uint32_t relation_index(Relation *relation, const uint16_t *columns, uint32_t count) {
    for (uint32_t i = 0; i < relation->indexes.count; i++) {
        const Columns *have = &relation->indexes.items[i].columns;
        if (have->count == count &&
            (count == 0 || memcmp(have->items, columns, count * sizeof *columns) == 0))
            return i;
    }
    Index index = {0};
    for (uint32_t i = 0; i < count; i++)
        vector_push(&index.columns, columns[i]);
    vector_push(&relation->indexes, index);
    return (uint32_t)relation->indexes.count - 1;
}

static uint64_t hash_row(const Index *index, const Value *row) {
    uint64_t hash = 0;
    for (size_t i = 0; i < index->columns.count; i++)
        hash = hash_value(hash, row[index->columns.items[i]]);
    return hash;
}

static void link_row(Index *index, uint32_t row, uint64_t hash) {
    uint32_t *bucket = &index->buckets[hash & index->bucket_mask];
    index->older[row] = *bucket;
    *bucket = row + 1;
}

static void grow_buckets(const Relation *relation, Index *index, uint32_t rows) {
    uint32_t buckets = 16;
    while (buckets < 2 * rows)
        buckets *= 2;
    free(index->buckets);
    index->buckets = memory_zalloc(buckets * sizeof *index->buckets);
    index->bucket_mask = buckets - 1;
    for (uint32_t row = 0; row < index->rows; row++)
        link_row(index, row, hash_row(index, relation_row(relation, row)));
}

static void make_room(const Relation *relation, Index *index, uint32_t rows) {
    if (index->capacity < rows) {
        index->capacity = rows < 16 ? 16 : rows + rows / 2;
        index->older = memory_realloc(index->older, index->capacity * sizeof *index->older);
    }
    if (!index->buckets || 2 * (uint64_t)rows > (uint64_t)index->bucket_mask + 1)
        grow_buckets(relation, index, rows);
}

void index_add_missing_rows(Relation *relation, uint32_t number) {
    Index *index = &relation->indexes.items[number];
    if (index->rows == relation->count)
        return;
    make_room(relation, index, relation->count);
    for (uint32_t row = index->rows; row < relation->count; row++)
        link_row(index, row, hash_row(index, relation_row(relation, row)));
    index->rows = relation->count;
}

Value *relation_append(Relation *relation) {
    if (relation->count == relation->capacity) {
        relation->capacity = relation->capacity < 16 ? 16 : relation->capacity * 2;
        size_t bytes = (size_t)relation->capacity * relation->arity * sizeof *relation->values;
        relation->values = memory_realloc(relation->values, bytes > 0 ? bytes : 1);
    }
    return relation->values + (size_t)relation->count++ * relation->arity;
}

static bool find_row(const Relation *relation, const Index *index, uint64_t hash,
                     const Value *row) {
    if (!index->buckets)
        return false;
    uint32_t at = index->buckets[hash & index->bucket_mask];
    for (; at > 0; at = index->older[at - 1]) {
        const Value *have = relation_row(relation, at - 1);
        uint32_t c = 0;
        while (c < relation->arity && have[c] == row[c])
            c++;
        if (c == relation->arity)
            return true;
    }
    return false;
}

bool relation_contains(const Relation *relation, const Value *row) {
    const Index *index = &relation->indexes.items[0];
    return relation->count > 0 && find_row(relation, index, hash_row(index, row), row);
}

bool relation_insert(Relation *relation, const Value *row) {
    Index *index = &relation->indexes.items[0];
    uint64_t hash = hash_row(index, row);
    if (find_row(relation, index, hash, row))
        return false;
    Value *copy = relation_append(relation);
    if (relation->arity > 0)
        memcpy(copy, row, relation->arity * sizeof *row);
    make_room(relation, index, relation->count);
    link_row(index, relation->count - 1, hash);
    index->rows = relation->count;
    return true;
}

uint32_t relation_distinct(const Relation *relation, uint32_t column) {
    Relation seen;
    relation_start(&seen, 1);
    for (uint32_t row = 0; row < relation->count; row++)
        relation_insert(&seen, relation_row(relation, row) + column);
    uint32_t count = seen.count;
    relation_end(&seen);
    return count;
}
