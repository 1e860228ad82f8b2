/* Two poles on a cart (Wieland 1991): the benchmark that NEAT's figures are published for. With
 * velocities a network without memory can do it; without them it must guess how fast things move
 * (Gruau, Whitley and Pyeatt 1996). */
#pragma once

#include "learn/learners/neat.h"

enum {
    POLES_SOLVED = 100000,     /* steps that a solution balances */
    POLES_GENERAL = 625,       /* starts on which solutions without velocities are tried */
    POLES_GENERAL_STEPS = 1000 /* steps that count as balanced there */
};

/* One number out, the force; six numbers in, or three. */
NeatTask poles_task(bool has_velocities);
/* Parameters that suit it: see docs/results/neat.md. */
NeatOptions poles_options(bool has_velocities);
/* Those of the literature, with velocities. */
NeatOptions poles_published_options(void);

/* Steps until something falls, at most `most`, from a start given as cart, speed, long pole, its
 * speed. */
uint32_t poles_balance(const Network *network, bool has_velocities, const double start[4],
                       uint32_t most);
/* From how many of the 625 starts the network, without velocities, balances. */
uint32_t poles_generalise(const Network *network);
