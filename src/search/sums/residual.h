/* What is left of a game in a state. A fluent is settled if nothing that can still happen changes
 * it; then it is as good as a constant, and the circuit folds: what terminal, goals, legality and
 * the fluents that they hang on still look at is what is left. States of which the same is left,
 * with the same values of all fluents that are not settled there, go on in the same way, move for
 * move and goal for goal; so a board that was played before another one counts for no more than
 * what it brings. That a fluent is settled is proven in three values, so nothing is guessed. */
#pragma once

#include "game/game.h"

typedef struct Residuals Residuals;

/* NULL if the game has no circuit, or one with loops. The game must outlive it. */
Residuals *residual_create(const Game *game);
void residual_free(Residuals *residuals);

/* The number of what is left in the state: equal for states only if it is the same. Numbers are
 * given from 0 on. */
uint32_t residual_number(Residuals *residuals, const State *state);
/* How many numbers were given. */
size_t residual_count(const Residuals *residuals);
/* Nodes of the circuit that were evaluated so far, for those who count work. */
uint64_t residual_work(const Residuals *residuals);
size_t residual_bytes(const Residuals *residuals);
