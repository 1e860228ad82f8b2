/* Choosing parents by fitness: Goldberg's linear scaling, the SPIN wheel of the thesis (De Jong's
 * stochastic sampling without replacement), and stochastic universal sampling (Baker 1987), which
 * gives everybody what is due to within one. */
#pragma once

#include <stddef.h>

#include "base/random.h"

/* Fitness stretched so that the mean stays and the best gets twice the mean, or, where somebody
 * would fall below zero, so that the worst gets nothing. */
void selection_rescale(const double *fitness, size_t count, double *scaled);

/* What is due to each of `count` individuals when `count` parents are drawn: sums up to count. */
void selection_rates(const double *fitness, size_t count, double *rates);

/* Draws `count` parents. The wheel uses the rates up; who is drawn pays one turn, but nobody goes
 * below zero, and therefore those with little get more than their due. */
void selection_spin(double *rates, size_t count, Random *random, uint32_t *parents);
/* One spin, equally spaced pointers; the parents are shuffled. */
void selection_universal(const double *rates, size_t count, Random *random, uint32_t *parents);
