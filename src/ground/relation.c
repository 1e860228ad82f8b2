/* An index is maintained as tuples arrive; nothing is ever removed. */
#include "ground/relation.h"

#include <assert.h>
#include <string.h>

static uint64_t hash_tuple(const Term *tuple, uint32_t arity) {
    uint64_t hash = 1;
    for (uint32_t i = 0; i < arity; i++)
        hash = hash_mix(hash, tuple[i]);
    return hash_finish(hash);
}

static uint64_t hash_masked(const Term *tuple, uint64_t mask) {
    uint64_t hash = 2;
    for (uint64_t m = mask; m; m &= m - 1)
        hash = hash_mix(hash, tuple[__builtin_ctzll(m)]);
    return hash_finish(hash);
}

static bool equal_masked(const Term *a, const Term *b, uint64_t mask) {
    for (uint64_t m = mask; m; m &= m - 1)
        if (a[__builtin_ctzll(m)] != b[__builtin_ctzll(m)])
            return false;
    return true;
}

uint32_t tuples_find(const Relation *relation, const Term *tuple) {
    if (relation->arity == 0)
        return relation->count ? 0 : TUPLE_NONE;
    uint32_t id;
    TableProbe p = table_probe(&relation->table, hash_tuple(tuple, relation->arity));
    while (table_next(&relation->table, &p, &id))
        if (memcmp(tuples_tuple(relation, id), tuple, relation->arity * sizeof(Term)) == 0)
            return id;
    return TUPLE_NONE;
}

static uint32_t find_group(const Relation *relation, const Index *index, const Term *key) {
    uint32_t group;
    TableProbe p = table_probe(&index->table, hash_masked(key, index->mask));
    while (table_next(&index->table, &p, &group))
        if (equal_masked(tuples_tuple(relation, index->heads.items[group]), key, index->mask))
            return group;
    return TUPLE_NONE;
}

static void index_add(const Relation *relation, Index *index, uint32_t tuple) {
    const Term *terms = tuples_tuple(relation, tuple);
    uint32_t group = find_group(relation, index, terms);
    if (group == TUPLE_NONE) {
        vector_push(&index->next, TUPLE_NONE);
        vector_push(&index->heads, tuple);
        table_insert(&index->table, hash_masked(terms, index->mask),
                     (uint32_t)index->heads.count - 1);
        return;
    }
    vector_push(&index->next, index->heads.items[group]);
    index->heads.items[group] = tuple;
}

uint32_t tuples_add(Relation *relation, const Term *tuple, uint32_t tag) {
    uint32_t id = relation->count++;
    vector_reserve(&relation->terms, relation->terms.count + relation->arity + 1); /* never NULL */
    Term *copy = vector_extend(&relation->terms, relation->arity);
    if (relation->arity)
        memcpy(copy, tuple, relation->arity * sizeof *copy);
    vector_push(&relation->tags, tag);
    table_insert(&relation->table, hash_tuple(tuple, relation->arity), id);
    for (size_t i = 0; i < relation->indexes.count; i++)
        index_add(relation, &relation->indexes.items[i], id);
    return id;
}

uint32_t tuples_index(Relation *relation, uint64_t mask) {
    assert(relation->arity <= RELATION_MOST_COLUMNS);
    for (size_t i = 0; i < relation->indexes.count; i++)
        if (relation->indexes.items[i].mask == mask)
            return (uint32_t)i;
    Index index = {.mask = mask};
    for (uint32_t tuple = 0; tuple < relation->count; tuple++)
        index_add(relation, &index, tuple);
    vector_push(&relation->indexes, index);
    return (uint32_t)relation->indexes.count - 1;
}

uint32_t tuples_lookup(const Relation *relation, uint32_t index, const Term *key) {
    const Index *i = &relation->indexes.items[index];
    uint32_t group = find_group(relation, i, key);
    return group == TUPLE_NONE ? TUPLE_NONE : i->heads.items[group];
}

static uint32_t count_distinct(const Relation *relation, uint32_t column) {
    enum { SAMPLE = 4096 };
    Table seen = {0};
    uint32_t distinct = 0;
    uint32_t sampled = relation->count < SAMPLE ? relation->count : SAMPLE;
    uint32_t stride = sampled ? relation->count / sampled : 1;
    for (uint32_t i = 0; i < sampled; i++) {
        Term term = tuples_tuple(relation, i * stride)[column];
        uint64_t hash = hash_finish(hash_mix(3, term));
        uint32_t other;
        bool found = false;
        for (TableProbe p = table_probe(&seen, hash); !found && table_next(&seen, &p, &other);)
            found = other == term;
        if (!found) {
            table_insert(&seen, hash, term);
            distinct++;
        }
    }
    table_free(&seen);
    return distinct ? distinct : 1;
}

uint32_t tuples_distinct(Relation *relation, uint32_t column) {
    if (!relation->distinct.count || relation->count > 2 * relation->distinct_at) {
        vector_clear(&relation->distinct);
        for (uint32_t i = 0; i < relation->arity; i++)
            vector_push(&relation->distinct, count_distinct(relation, i));
        relation->distinct_at = relation->count;
    }
    return relation->distinct.items[column];
}

void tuples_free(Relation *relation) {
    for (size_t i = 0; i < relation->indexes.count; i++) {
        table_free(&relation->indexes.items[i].table);
        vector_free(&relation->indexes.items[i].heads);
        vector_free(&relation->indexes.items[i].next);
    }
    vector_free(&relation->indexes);
    vector_free(&relation->terms);
    vector_free(&relation->tags);
    vector_free(&relation->distinct);
    table_free(&relation->table);
}

static size_t table_bytes(const Table *table) {
    return table->slots ? (table->mask + 1) * sizeof *table->slots : 0;
}

size_t tuples_bytes(const Relation *relation) {
    size_t bytes = (relation->terms.capacity + relation->tags.capacity) * sizeof(uint32_t) +
                   table_bytes(&relation->table);
    for (size_t i = 0; i < relation->indexes.count; i++) {
        const Index *index = &relation->indexes.items[i];
        bytes += table_bytes(&index->table) +
                 (index->heads.capacity + index->next.capacity) * sizeof(uint32_t);
    }
    return bytes;
}
