/* A relation while the rules are grounded: its tuples of ground terms, and the atom of each. */
#pragma once

#include "base/tuples.h"
#include "gdl/terms.h"

enum { RELATION_MAX_COLUMNS = 64 }; /* sets of columns are bits of a 64-bit word */

typedef struct {
    TupleSet tuples;
    U32Vector atoms;             /* per tuple: its ground atom, or UINT32_MAX */
    U32Vector distinct;          /* per column: different values when last counted */
    uint32_t distinct_at;        /* number of tuples when last counted */
    uint32_t old_end, delta_end; /* end of the tuples before the current round; of its delta */
} GroundRelation;

/* Relations by number. A relation does not move when the list grows. */
typedef VECTOR(GroundRelation *) GroundRelations;

/* Appends an empty relation. */
void relations_add(GroundRelations *relations, uint32_t arity);
void relations_free(GroundRelations *relations);

/* Adds a tuple that is not in the relation. */
void relation_add(GroundRelation *relation, const Term *tuple, uint32_t atom);
/* Estimates the number of different values in a column, at least 1; anew after each doubling. */
uint32_t relation_distinct(GroundRelation *relation, uint32_t column);
size_t relation_bytes(const GroundRelation *relation);

/* The number of a tuple, or TUPLE_NONE. */
static inline uint32_t relation_find(const GroundRelation *relation, const Term *tuple) {
    return tuples_find(&relation->tuples, tuple);
}

static inline const Term *relation_tuple(const GroundRelation *relation, uint32_t tuple) {
    assert(tuple < relation->tuples.count);
    return tuples_row(&relation->tuples, tuple);
}
