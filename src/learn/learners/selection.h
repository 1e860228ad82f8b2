/* Selection of parents by fitness: linear scaling (Goldberg 1989), the SPIN wheel of the thesis
 * (stochastic sampling without replacement, De Jong 1975) and stochastic universal sampling (Baker
 * 1987), in which numbers of children differ from their expectation by less than one. */
#pragma once

#include <stddef.h>

#include "base/random.h"

typedef struct {
    double lowest, highest, mean;
} Spread;

Spread selection_spread(const double *fitness, size_t count);

/* Scales linearly: the mean stays; the best gets twice the mean or, if necessary, the worst 0. */
void selection_rescale(const double *fitness, size_t count, double *scaled);

/* The expected number of times that each individual is drawn as one of `count` parents. */
void selection_rates(const double *fitness, size_t count, double *rates);

/* Draws `count` parents and uses the rates up. Each draw reduces the rate of the individual by one,
 * but not below zero, so that individuals with low rates are drawn too often. */
void selection_spin(double *rates, size_t count, Random *random, uint32_t *parents);
/* One spin with equally spaced pointers; the parents are shuffled. */
void selection_universal(const double *rates, size_t count, Random *random, uint32_t *parents);
