/* A uniform random choice as a circuit, so that every lane of a sliced evaluation picks its own
 * legal move without leaving bit-parallel arithmetic: count the legal moves with adders, scale a
 * random number by the count, walk down the adder tree to the move of that rank. */
#pragma once

#include "circuit/aig.h"

/* Number of random bits for a choice among `count` candidates; 0 if there is nothing to choose. The
 * bias of any candidate is below 2^-CHOICE_EXTRA_BITS. */
enum { CHOICE_EXTRA_BITS = 13 };
uint32_t choice_random_bits(const Signal *candidates, size_t count);

/* chosen[i] is true for exactly one of the candidates that are true; for none if none is true. */
void choice_build(Aig *aig, const Signal *candidates, size_t count, const Signal *random,
                  Signal *chosen);
