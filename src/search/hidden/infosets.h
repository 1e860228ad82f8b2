/* Information sets: what a search remembers about the decisions of a role, by what the role knows
 * and not by the state, which it may not know. Found by the numbers that belief.h gives to
 * knowledge; two of them are taken to be the same without looking further. */
#pragma once

#include "base/table.h"
#include "base/vector.h"

typedef struct {
    double total;    /* values of the role after this move, weighted */
    double regret;   /* what the move would have gained, summed up; of cfr */
    double share;    /* probabilities given to it, weighted; of cfr */
    uint64_t visits; /* those under way included */
    uint32_t move;
} InfoArm;

typedef struct {
    uint64_t knowledge;
    uint64_t visits;
    double weight; /* of cfr: of the totals */
    void *extra;   /* of the method, from infosets_alloc_extra */
    uint32_t role, arm_count;
    InfoArm *arms;
} InfoSet;

typedef struct {
    size_t budget, bytes; /* allowed, and in use */
    VECTOR(InfoSet *) sets;
    Table table;
} InfoSets;

void infosets_init(InfoSets *sets, size_t budget);
void infosets_clear(InfoSets *sets);
void infosets_free(InfoSets *sets);

InfoSet *infosets_find(const InfoSets *sets, uint32_t role, uint64_t knowledge);
/* NULL if the budget is spent. There must be no such set yet. */
InfoSet *infosets_add(InfoSets *sets, uint32_t role, uint64_t knowledge, const U32Vector *legal);
/* Cleared memory for the method; NULL if the budget is spent. */
void *infosets_alloc_extra(InfoSets *sets, InfoSet *set, size_t bytes);

/* The arm of a move, added if the role had not had it so far: in a game in which a role does not
 * know its legal moves. `guess` is where it usually is. */
uint32_t infoset_arm(InfoSets *sets, InfoSet *set, uint32_t move, uint32_t guess);
