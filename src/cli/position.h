/* A position of a match that the user describes by the joint moves that lead to it: one move for
 * each role, in the order of the roles. `a noop; noop b`, `((a noop) (noop b))` and `a noop noop b`
 * are the same match. */
#pragma once

#include "game/belief.h"

typedef struct {
    Game *game; /* not owned */
    GameWork *work;
    State state;
    uint32_t *joint; /* by role: moves of the current turn that are known */
    uint32_t filled; /* number of roles whose move is known */
    uint32_t turns;  /* turns played */
    U32Vector moves; /* all joint moves made, role after role */
} MatchPosition;

/* Starts at the initial position. */
void position_init(MatchPosition *position, Game *game);
void position_free(MatchPosition *position);
/* Plays the joint moves of the text. Returns false, with the reason on standard error, if the text
 * is wrong. */
bool position_play(MatchPosition *position, const char *text);
/* Returns the belief of the role at this position, in a game with hidden information. Free it with
 * belief_free. */
BeliefFilter *position_belief(const MatchPosition *position, uint32_t role, uint64_t seed);
