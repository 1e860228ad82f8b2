/* Different values are counted only in a sample, because just the planning of joins needs them. */
#include "ground/relation.h"

enum { DISTINCT_SAMPLE = 4096 }; /* tuples in which distinct values are counted (untuned) */

void relations_add(GroundRelations *relations, uint32_t arity) {
    GroundRelation *relation = memory_zalloc(sizeof *relation);
    tuples_init(&relation->tuples, arity);
    vector_push(relations, relation);
}

void relations_free(GroundRelations *relations) {
    for (size_t i = 0; i < relations->count; i++) {
        GroundRelation *relation = relations->items[i];
        tuples_free(&relation->tuples);
        vectors_free(&relation->atoms, &relation->distinct);
        free(relation);
    }
    vector_free(relations);
}

void relation_add(GroundRelation *relation, const Term *tuple, uint32_t atom) {
    bool is_new = tuples_insert(&relation->tuples, tuple);
    assert(is_new);
    (void)is_new;
    vector_push(&relation->atoms, atom);
}

uint32_t relation_distinct(GroundRelation *relation, uint32_t column) {
    const TupleSet *tuples = &relation->tuples;
    assert(column < tuples->arity);
    if (!relation->distinct.count || tuples->count > 2 * relation->distinct_at) {
        vector_clear(&relation->distinct);
        for (uint32_t i = 0; i < tuples->arity; i++) {
            uint32_t distinct = tuples_distinct(tuples, i, DISTINCT_SAMPLE);
            vector_push(&relation->distinct, distinct ? distinct : 1);
        }
        relation->distinct_at = tuples->count;
    }
    return relation->distinct.items[column];
}

size_t relation_bytes(const GroundRelation *relation) {
    return tuples_bytes(&relation->tuples) + relation->atoms.capacity * sizeof(uint32_t);
}
