/* Random matches that something other than this processor plays, such as a GPU, and hands over with
 * every state and move, for observers to show (observer.h). */
#pragma once

#include "game/game.h"
#include "game/mask.h"

/* One thread's. */
typedef struct {
    void *context;
    /* Turns to the next LANES matches, all of which begin in the state (NULL: the initial one).
     * False if it can play no more. */
    bool (*begin)(void *context, const State *start);
    /* What happened in their next turn: the lanes that played it, the states after it by fluent,
     * and by move of the circuit the lanes that chose it. Lanes that do not play may hold
     * anything. False if it can play no more. */
    bool (*turn)(void *context, LaneMask *playing, Lanes *next, Lanes *moves);
} MatchRecorder;
