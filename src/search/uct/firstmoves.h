/* How matches went in which a move was made at any time below a node (all moves as first), and what
 * that says of a move that has seldom been tried: the one formula of `grave`, with and without
 * hidden information. */
#pragma once

#include <math.h>

#include "search/search.h"

/* The defaults of grave_visits and grave_bias. */
enum { FIRSTMOVES_FROM = 50 };
static const double FIRSTMOVES_BIAS = 1e-3;

typedef struct {
    float total;
    uint32_t count;
} FirstMove;

static inline void firstmove_learn(FirstMove *first, double value) {
    first->total += (float)value;
    first->count++;
}

/* Options with the defaults filled in. */
static inline SearchOptions firstmoves_options(const SearchOptions *given) {
    SearchOptions options = *given;
    options.grave_bias = options.grave_bias > 0 ? options.grave_bias : FIRSTMOVES_BIAS;
    options.grave_visits = options.grave_visits ? options.grave_visits : FIRSTMOVES_FROM;
    return options;
}

/* Weights by the expected squared errors of the two means (Gelly and Silver 2011); `first` may be
 * NULL, the exploration among the options is that of UCT. */
static inline double firstmove_bound(const FirstMove *first, double visits, double total,
                                     const SearchOptions *options, double log_visits) {
    static const double part_of_uct = 0.25; /* exploration that is left */
    double mean = visits > 0 ? total / visits : 0;
    if (first && first->count) {
        double count = first->count;
        double weight = count / (count + visits + options->grave_bias * count * visits);
        mean = (1 - weight) * mean + weight * (double)first->total / count;
    } else if (visits <= 0) {
        return INFINITY;
    }
    return mean + part_of_uct * options->exploration * sqrt(log_visits / (visits + 1));
}
