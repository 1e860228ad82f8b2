/* The residual game of a state. A fluent is settled in a state if no continuation of the match
 * changes it; then it is a constant, and the circuit can be folded. The residual game is what is
 * left of the circuit that terminal, goals and legality depend on, with the values of its unsettled
 * fluents. States with equal residual games have equal continuations, move for move and goal for
 * goal. Settled fluents are proven by three-valued evaluation. */
#pragma once

#include "game/game.h"

typedef struct Residuals Residuals;

/* NULL if the game, which must outlive the result, has no circuit or one with loops. */
Residuals *residual_create(const Game *game);
void residual_free(Residuals *residuals);

/* The number, from 0 on, of the state's residual game. Equal numbers mean equal residual games. */
uint32_t residual_number(Residuals *residuals, const State *state);
/* Number of different residual games met. */
size_t residual_count(const Residuals *residuals);
/* Work so far, in evaluated nodes of the circuit. */
uint64_t residual_work(const Residuals *residuals);
size_t residual_bytes(const Residuals *residuals);
