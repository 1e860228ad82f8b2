/* Checks the statements about fragments of GDL-II in all states of a small game. */
#pragma once

#include "analysis/facts/fragments.h"

typedef struct {
    uint64_t states;
    Oblivious oblivious;    /* OBLIVIOUS_SEMANTIC, OBLIVIOUS_WEAK or OBLIVIOUS_NOT */
    bool perceive_the_same; /* all players have the same percepts in every turn */
    bool moves_public;      /* see Fragments */
    uint32_t twin_moves;    /* see Fragments */
} StateFragments;

/* Examines all states. Returns false, with a meaningless result, if there are too many states or
 * the budget is spent. */
bool fragments_of_all_states(Game *game, CpuBudget budget, StateFragments *found);

/* Returns the role of chance; role_count if the game has none. */
uint32_t fragments_chance_role(const Game *game);

/* Returns the least common multiple of two numbers of moves; 0 if it is too large or one of them is
 * 0. */
uint32_t fragments_common_twin(uint32_t a, uint32_t b);

/* The information that one joint move gives to one role, as hashes. */
typedef struct {
    uint64_t seen;   /* hash of the role's own move and its percepts */
    uint64_t others; /* hash of the moves of the other players */
} Shown;

typedef VECTOR(Shown) ShownVector;

/* Adds the information that the joint move gives to the role; `percepts` is the key of its
 * percepts. */
void shown_add(ShownVector *shown, const Game *game, uint32_t role, const uint32_t *joint,
               uint64_t percepts);
/* True if two joint moves that differ in another player's move give the same information. Sorts the
 * list. */
bool shown_hides_moves(ShownVector *shown);
