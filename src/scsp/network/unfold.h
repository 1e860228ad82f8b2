/* The network of a match of at most T turns: T copies of the template, in which the next fluents of
 * a turn are the fluents of the following turn, and one more copy of the constraints on the last
 * state alone. After a terminal state actions and fluents have an additional value, undefined;
 * `terminal` stays true, nothing more is paid and draws have no effect. Turns share their tables,
 * whose first column tells whether the match was over. */
#pragma once

#include "scsp/network/template.h"

enum { UNFOLD_MAX_TURNS = 1000 };

/* Makes a network of at most UNFOLD_MAX_TURNS turns. Free it with scsp_free; the template must
 * outlive it. `state` has the values of the groups at the start; NULL for the initial one. */
void unfold(Scsp *network, const Template *template, uint32_t turns, const uint16_t *state);
/* Makes the network of everything that depends on the state alone. Fluents, terminal and scores
 * have the same numbers as in the template. */
void unfold_state(Scsp *network, const Template *template);
