/* Balancing two poles on a cart (Wieland 1991), the benchmark with published figures for NEAT. With
 * velocities as inputs a network without memory suffices; without them it must estimate velocities
 * (Gruau, Whitley and Pyeatt 1996). */
#pragma once

#include "learn/learners/neat.h"

enum {
    POLES_SOLVED = 100000,     /* time steps that a solution balances */
    POLES_GENERAL = 625,       /* start states from which solutions without velocities are tested */
    POLES_GENERAL_STEPS = 1000 /* time steps that count as balanced from such a start */
};

/* The task has one output, the force, and six inputs with velocities or three without. */
NeatTask poles_task(bool has_velocities);
/* Options tuned for this task (study: docs/results/neat.md). */
NeatOptions poles_options(bool has_velocities);
/* Options of the literature, with velocities (Stanley and Miikkulainen 2002). */
NeatOptions poles_published_options(void);

/* Time steps until a pole falls or the cart leaves the track, at most `most`. The start has the
 * position and speed of the cart and the angle and angular speed of the long pole. */
uint32_t poles_balance(const Network *network, bool has_velocities, const double start[4],
                       uint32_t most);
/* The number of the 625 start states from which the network, without velocities, balances. */
uint32_t poles_generalise(const Network *network);
