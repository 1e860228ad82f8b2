/* Checks the statements about fragments of GDL-II in all states of a small game. */
#pragma once

#include "analysis/facts/fragments.h"

typedef struct {
    uint64_t states;
    uint64_t chance_states; /* states in which chance moves */
    Oblivious oblivious;    /* OBLIVIOUS_SEMANTIC, OBLIVIOUS_WEAK or OBLIVIOUS_NOT */
    bool perceive_the_same; /* all players have the same percepts in every turn */
    bool moves_public;      /* see Fragments */
    uint32_t twin_moves;    /* see Fragments */
} StateFragments;

/* Nothing is examined yet. */
static inline StateFragments fragments_of_nothing(void) {
    return (StateFragments){.oblivious = OBLIVIOUS_SEMANTIC,
                            .perceive_the_same = true,
                            .moves_public = true,
                            .twin_moves = 1};
}

/* Examines all states. False, without a result, if they are too many or the budget is spent. */
bool fragments_of_all_states(Game *game, CpuBudget budget, StateFragments *found);
/* True if in some sampled states the percepts tell every player all moves. */
bool fragments_show_moves(const Samples *samples, CpuBudget budget);

/* Adds a state with these moves of chance. `first` keeps the moves of the first state. */
void fragments_add_chance(StateFragments *found, U32Vector *first, const uint32_t *moves,
                          size_t count);
/* True if all players have the same percepts. `keys` has the key of the percepts of each role. */
bool fragments_same_percepts(const Game *game, const uint64_t *keys);

/* What a role knows, and something that its knowledge may determine, as hashes. */
typedef struct {
    uint64_t known, fact;
} Knowledge;

typedef VECTOR(Knowledge) KnowledgeVector;

/* True if equal knowledge always comes with equal facts. Sorts the list. */
bool knowledge_decides(KnowledgeVector *list);
