/* A source of random matches other than this processor, such as a GPU. It delivers every state and
 * move, and an observer (observer.h) shows them. */
#pragma once

#include "game/game.h"
#include "game/mask.h"

/* Used by one thread. */
typedef struct {
    void *context;
    /* Begins the next LANES matches, all in this state (NULL: the initial one). False if it fails.
     */
    bool (*begin)(void *context, const State *start);
    /* Delivers the next turn: the lanes that played it, the states after it by fluent, and the
     * lanes that chose each move of the circuit. Other lanes are undefined. False if it fails. */
    bool (*turn)(void *context, LaneMask *playing, Lanes *next, Lanes *moves);
} MatchRecorder;
