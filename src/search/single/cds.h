/* Concept decomposition search (Guenther 2007) for games of one role that fall into subgames: solve
 * the subgames, then combine. Each subgame is explored by itself, which gives the distance of each
 * of its states from its best states (subgame_distances.h). Plans of the subgames are not listed
 * and interleaved. Instead, states of the whole game are searched best first by the sum of the
 * distances. So every line found is legal, moves that act in several subgames at once need no
 * special care, and a match that ends too early is one more dead end. */
#pragma once

#include "search/multitree/mtmcts.h"

typedef struct Cds Cds;

/* The game must have one role and a circuit, and must outlive the search. */
Cds *cds_create(Game *game, const GameParts *parts, size_t byte_limit);
void cds_free(Cds *cds);

/* Starts over from this state. */
void cds_set_state(Cds *cds, const State *state);
/* Tells the search that the match has moved on to this state. Explored subgames are kept. */
void cds_advance(Cds *cds, const State *next);
/* Runs until the budget is spent or nothing is left to do. A playout pays for one state. */
void cds_run(Cds *cds, const SearchBudget *budget);

/* True if a line with the greatest goal was found. */
bool cds_is_solved(const Cds *cds);
/* Goal and moves of the best line from the present state on; GOAL_NONE and none at first. */
int cds_score(const Cds *cds);
const U32Vector *cds_line(const Cds *cds);
/* States looked at so far, in subgames and in the whole game together. */
uint64_t cds_states(const Cds *cds);

/* Decomposes the game and searches it from the initial state, like mtmcts_solve. */
void cds_solve(Game *game, uint64_t seed, size_t byte_limit, const SearchBudget *budget,
               MtmctsSolution *solution);
