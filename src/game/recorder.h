/* A source of random matches other than this processor, such as a GPU. It delivers every state and
 * move, which an observer (observer.h) shows to its visitor. */
#pragma once

#include "game/game.h"
#include "game/mask.h"

/* One thread uses a recorder. */
typedef struct {
    void *context;
    /* Begins the next LANES matches, all in this state (NULL: the initial one). False on
     * failure. */
    bool (*begin)(void *context, const State *start);
    /* Delivers the next turn: the lanes that played it, the states after it by fluent, and the
     * lanes that chose each move of the circuit. The bits of other lanes are undefined. False on
     * failure. */
    bool (*turn)(void *context, LaneMask *playing, Lanes *next, Lanes *moves);
} MatchRecorder;
