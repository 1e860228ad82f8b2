/* Play of one player against chance over a bounded number of turns, on the graph of states: what it
 * is worth by a rule, and how many deterministic policies there are of each worth. A policy says
 * what to do after each course of states. A match that has not ended after the last turn is worth
 * nothing. */
#pragma once

#include "scsp/exact/micro_graph.h"
#include "scsp/network/rational.h"

/* Returns the value of the first state for the role, from 0 to 1. PLAY_AGAINST is no rule here. */
double bounded_value(const MicroGraph *graph, uint32_t role, PlayRule rule, uint32_t turns);

typedef struct {
    Rational value; /* from 0 to 1 */
    double count;   /* policies; exact up to 2^53 */
} PolicyValue;

typedef VECTOR(PolicyValue) PolicyValues;

/* Fills in the different values of all policies from the first state, in ascending order. False if
 * there are too many values, or the time is over. */
bool bounded_policies(const MicroGraph *graph, uint32_t role, uint32_t turns, Deadline deadline,
                      const bool *stopped, PolicyValues *values);
