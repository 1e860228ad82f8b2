/* What is certain when parts of a state are unknown: every answer is false, true or unknown. Used
 * to bound goals over a subgame, to find what a move can change, and to solve. */
#pragma once

#include "circuit/ternary.h"
#include "game/game.h"

typedef struct Partial Partial;

/* A workspace for one thread; NULL if the game has no circuit. Everything is unknown at first. */
Partial *partial_create(const Game *game);
void partial_free(Partial *partial);

void partial_set_fluent(Partial *partial, uint32_t fluent, Ternary value);
/* Of a role; setting one true does not set the others of the role false. */
void partial_set_move(Partial *partial, uint32_t role, uint32_t move, Ternary value);
/* Sets all fluents from a state, so that single ones can be made unknown afterwards. */
void partial_set_state(Partial *partial, const State *state);

/* Answers for what was set last. */
Ternary partial_terminal(Partial *partial);
Ternary partial_legal(Partial *partial, uint32_t role, uint32_t move);
Ternary partial_next(Partial *partial, uint32_t fluent);
/* Least and greatest value the role's goal can have; GOAL_NONE for both if none can hold. */
void partial_goal(Partial *partial, uint32_t role, int *least, int *greatest);
