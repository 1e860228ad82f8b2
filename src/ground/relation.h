/* Relations: sets of tuples of ground terms with hash indexes on any choice of columns. Tuples
 * keep the order of their arrival, so a range of numbers is a point in time: semi-naive evaluation
 * reads "what was there before this round" as "numbers below a limit". */
#pragma once

#include "base/table.h"
#include "base/vector.h"
#include "gdl/terms.h"

enum { RELATION_MOST_COLUMNS = 64 };
#define TUPLE_NONE UINT32_MAX

/* Chains the tuples that agree on the columns of the mask, newest first. */
typedef struct {
    uint64_t mask;
    Table table;     /* key -> group */
    U32Vector heads; /* per group: its newest tuple */
    U32Vector next;  /* per tuple: the next older one of its group, or TUPLE_NONE */
} Index;

typedef struct {
    uint32_t arity;
    uint32_t count;
    U32Vector terms; /* arity * count */
    U32Vector tags;  /* per tuple: whatever the owner wants (the ground atom) */
    Table table;
    VECTOR(Index) indexes;
    U32Vector distinct;          /* per column: different values when last counted */
    uint32_t distinct_at;        /* tuples when last counted */
    uint32_t old_end, delta_end; /* tuples before the present round, and of its delta */
} Relation;

/* Relations by number; each stays where it is when the table grows. */
typedef VECTOR(Relation *) RelationTable;

static inline const Term *tuples_tuple(const Relation *relation, uint32_t tuple) {
    return relation->terms.items + (size_t)tuple * relation->arity;
}

/* TUPLE_NONE if absent. */
uint32_t tuples_find(const Relation *relation, const Term *tuple);
/* Adds a tuple known to be absent; returns its number. */
uint32_t tuples_add(Relation *relation, const Term *tuple, uint32_t tag);
/* The index on these columns, made if there is none; numbers stay valid. */
uint32_t tuples_index(Relation *relation, uint64_t mask);
/* The newest tuple whose masked columns equal the key's (a full tuple, others ignored). */
uint32_t tuples_lookup(const Relation *relation, uint32_t index, const Term *key);
/* Different values in a column, roughly: counted again when the relation has doubled. */
uint32_t tuples_distinct(Relation *relation, uint32_t column);
void tuples_free(Relation *relation);
size_t tuples_bytes(const Relation *relation);
