/* The network of a whole match of at most T turns: T copies of the template, where the fluents of
 * the next state are those of the next turn, and one more copy of what the last state decides. Once
 * a state is terminal, later actions and fluents have one value more, undefined, `terminal` stays
 * true, and nothing is paid again; chance goes on without effect. Tables are shared by all turns:
 * their first column says whether the match was over. */
#pragma once

#include "scsp/network/template.h"

enum { UNFOLD_MOST_TURNS = 1000 };

/* Free it with scsp_free; the template must outlive it. With a state other than the initial one:
 * values of its groups. */
void unfold(Scsp *network, const Template *template, uint32_t turns, const uint16_t *state);
/* The part of the template that the state alone decides, for any state. Fluents, terminal and
 * scores have the same numbers as in the template. */
void unfold_state(Scsp *network, const Template *template);
