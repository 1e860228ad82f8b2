/* A description of a game and its sizes as JSON. */
#pragma once

#include <jansson.h>

#include "circuit/circuit.h"
#include "game/game.h"
#include "gdl/info.h"

/* Sizes that only the grounder knows. */
typedef struct {
    bool known; /* it finished within its budget */
    size_t fluents, moves;
} GroundCounts;

/* Spends at most some CPU seconds. `stopped` may be NULL. */
GroundCounts rules_count_ground(const Rules *rules, const bool *stopped);
/* "kif" or "infix". */
const char *notation_name(Notation notation);
/* Roles, sizes and predicates. The caller adds the name of the file. */
json_t *rules_info_json(const Rules *rules, const bool *stopped);
/* Numbers of fluents, moves by role, rules and what they consist of. */
json_t *ground_json(const Grounding *g);
size_t ground_moves_of_role(const Grounding *g, uint32_t role);
/* Sizes of the game's circuit, which it must have. */
json_t *circuit_json(const Game *game);
