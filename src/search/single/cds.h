/* Concept decomposition search (Guenther 2007), for games of one role that fall into subgames:
 * solve the subgames, then combine. Each subgame is explored by itself, which says how far every
 * state of it is from the best ones (subgame_distances.h). Plans of the subgames are not listed and
 * interleaved: states of the whole game are searched best first by the sum of the distances, so
 * that every line is one of the rules, moves that act in several subgames at once need no special
 * care, and an end that comes too early is one more state that leads nowhere. */
#pragma once

#include "search/multitree/mtmcts.h"

typedef struct Cds Cds;

/* The game must have one role and a circuit, and outlive it. */
Cds *cds_create(Game *game, const MultiTreeParts *parts, size_t byte_limit);
void cds_free(Cds *cds);

/* Starts over from this state. */
void cds_set_state(Cds *cds, const State *state);
/* The match has moved on to this state. Explored subgames stay. */
void cds_advance(Cds *cds, const State *next);
/* Runs until the budget is spent or nothing is left to do. The budget's playouts count states. */
void cds_run(Cds *cds, const SearchBudget *budget);

/* True if a line with the greatest goal was found. */
bool cds_is_solved(const Cds *cds);
/* Solved, out of memory, or all that can be reached was seen. */
bool cds_is_done(const Cds *cds);
/* The best found from the present state on; GOAL_NONE and an empty line before. */
int cds_score(const Cds *cds);
const U32Vector *cds_line(const Cds *cds);
/* States looked at, of subgames and of the game. */
uint64_t cds_states(const Cds *cds);

/* Decomposes and searches from the initial state, as mtmcts_solve does. */
void cds_solve(Game *game, uint64_t seed, size_t byte_limit, const SearchBudget *budget,
               MtmctsSolution *solution);
