/* How well moves have done in all playouts so far, wherever they were made; and drawing moves by
 * that, with a Gibbs distribution: what the move-average sampling technique rests on. */
#pragma once

#include "base/random.h"
#include "base/vector.h"

typedef struct {
    double total, weight; /* weight = exp(mean / temperature) */
    uint64_t count;
} MoveAverage;

typedef struct {
    VECTOR(MoveAverage) moves;
} RoleAverages;

/* Zero-initialise an array of these, one a role. */
void averages_free(RoleAverages *roles, uint32_t role_count);
/* An index into the legal moves of a role. */
size_t averages_draw(RoleAverages *role, const U32Vector *legal, Random *random);
/* The role made the move and got the value, 0..1. */
void averages_learn(RoleAverages *role, uint32_t move, double value);
