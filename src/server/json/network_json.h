/* Constraint networks and their values as JSON: the keys of `marelle scsp --json`. */
#pragma once

#include <jansson.h>

#include "scsp/exact/game_network.h"

json_t *network_json(const GameNetwork *n);
json_t *network_answer_json(const GameNetwork *n, const NetworkQuestion *question,
                            const NetworkAnswer *answer);
