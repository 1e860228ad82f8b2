/* The statements about fragments of GDL-II that are about all states, checked on all of them. */
#pragma once

#include "analysis/facts/fragments.h"

typedef struct {
    uint64_t states;
    Oblivious oblivious; /* SEMANTIC, WEAK or NOT */
    bool perceive_the_same;
    bool moves_public;
    uint32_t twin_moves;
} StateFragments;

/* False if there are too many states or the budget is spent: then nothing is known. */
bool fragments_of_all_states(Game *game, CpuBudget budget, StateFragments *found);

/* The number of moves of which both numbers are divisors; 0 if it is too large, or one of them is
 * 0. */
uint32_t fragments_common_twin(uint32_t a, uint32_t b);

/* What one joint move shows to one role. */
typedef struct {
    uint64_t seen;   /* by the role: its own move and its percepts */
    uint64_t others; /* what the other players did */
} Shown;

typedef VECTOR(Shown) ShownVector;

/* Adds what the joint move shows to the role, whose percepts have that key. */
void shown_add(ShownVector *shown, const Game *game, uint32_t role, const uint32_t *joint,
               uint64_t percepts);
/* Whether two joint moves that differ in another player's move look the same. Sorts them. */
bool shown_hides_moves(ShownVector *shown);
