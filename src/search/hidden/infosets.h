/* Information sets: the statistics of a role's decisions, indexed by what the role knows instead of
 * by the state, which it may not know. A set is found by the 64-bit hash that belief.h computes
 * from knowledge; equal hashes count as equal knowledge. */
#pragma once

#include "base/table.h"
#include "base/vector.h"

typedef struct {
    double total;  /* sum of the role's values after this move; in cfr weighted by iteration */
    double regret; /* cfr: sum of what the move would have gained over the mixture */
    double strategy_sum; /* cfr: weighted sum of the move's probabilities */
    uint64_t visits;     /* number of visits, including those whose playouts are not finished */
    uint32_t move;
} InfoArm;

typedef struct {
    uint64_t knowledge;
    uint64_t visits;
    double weight; /* cfr: sum of the weights in the arms' totals */
    void *extra;   /* the method's own data, from infosets_alloc_extra; NULL: none */
    uint32_t role, arm_count;
    InfoArm *arms;
} InfoSet;

typedef struct {
    size_t max_bytes, bytes; /* bytes allowed, and in use */
    VECTOR(InfoSet *) sets;
    Table table;
} InfoSets;

/* To begin, set the budget; everything else is zero. */
void infosets_clear(InfoSets *sets);
void infosets_free(InfoSets *sets);

InfoSet *infosets_find(const InfoSets *sets, uint32_t role, uint64_t knowledge);
/* Adds a set. Returns NULL if the budget is spent. There must be no such set yet. */
InfoSet *infosets_add(InfoSets *sets, uint32_t role, uint64_t knowledge, const U32Vector *legal);
/* Gives a set zeroed memory for the method. Returns NULL if the budget is spent. */
void *infosets_alloc_extra(InfoSets *sets, InfoSet *set, size_t bytes);

/* The index of a move's arm, which is added if it is new. `guess` is the index to try first. */
uint32_t infoset_arm(InfoSets *sets, InfoSet *set, uint32_t move, uint32_t guess);
