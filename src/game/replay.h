/* Replays a recorded match: compares every state, legal move, terminal test and goal with the
 * answers of a reasoner. The sliced reasoner is checked in all its lanes at once. */
#pragma once

#include "game/game.h"
#include "game/trace.h"

typedef struct {
    uint32_t matches, steps; /* number compared */
    bool is_equal;
    uint32_t match; /* where the first difference is: its number and the line of its state */
    uint32_t line;
    Text difference; /* what differs; empty if nothing does */
} Replay;

/* False with an error in the report if the game lacks what the reasoner needs. Free the text. */
bool replay_trace(Game *game, const Trace *trace, Reasoner reasoner, Replay *result,
                  Report *report);
