/* Decisive moves (Teytaud and Teytaud 2010): playouts in which a player who can end the match at
 * once with the best goal does so. The successor by each move is substituted into `terminal` and
 * the goal, and what all moves have in common is built once. */
#pragma once

#include "circuit/turn.h"

/* Restricts the legal moves of the only role that can have a choice in this phase: if one of them
 * wins at once, only such moves stay. `map` has a copy in `aig` of the nodes of the circuit that do
 * not depend on moves. `best_goals` gives, by role, the number of its best goal in the circuit, or
 * DECISIVE_NONE. Leaves the moves as they are if several roles choose, or if the networks would
 * grow too much. */
#define DECISIVE_NONE UINT32_MAX
void decisive_restrict(Aig *aig, const TurnNetworks *turn, uint32_t phase,
                       const uint32_t *best_goals, const Signal *map, Signal *legal);
