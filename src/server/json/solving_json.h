/* What solving came to as JSON, for `marelle solve --json` and the library. */
#pragma once

#include "server/json/json.h"
#include "strategy/solving.h"

/* One run. The counts of searches over several trees are there if there are any. */
json_t *solved_json(const Game *game, const GameWork *work, const Solved *solved);
/* Adds what exact solving says besides: the values of all roles, method, outcome and states. */
void solved_add_exact(json_t *object, const Game *game, const ExactResult *exact);
