/* The core of MAST (Finnsson and Björnsson 2008): the average result of every move over all
 * playouts, regardless of the state, and moves drawn by a Gibbs distribution. */
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

/* An array, one per role. */
RoleAverages *averages_create(uint32_t role_count);
void averages_free(RoleAverages *roles, uint32_t role_count);
/* Draws an index into the legal moves of a role; there must be one. */
size_t averages_draw(RoleAverages *role, const U32Vector *legal, Random *random);
/* Adds a playout in which the role made the move and got the value, 0..1. */
void averages_learn(RoleAverages *role, uint32_t move, double value);
/* Adds all moves of a playout: joint moves, role after role, and the values by role. */
void averages_learn_playout(RoleAverages *roles, uint32_t role_count, const U32Vector *record,
                            const double *values);
