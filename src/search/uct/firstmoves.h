/* Statistics of all moves as first: the mean result of matches in which a move was made at any time
 * below a node. The formula of `grave`, which weighs them against a move's own mean, is shared by
 * the searches with and without hidden information. */
#pragma once

#include <math.h>

#include "search/search.h"

/* Own options of `grave`. */
typedef struct {
    double bias;     /* how soon a move's own mean takes over; 0: GRAVE_BIAS */
    uint32_t visits; /* visits of a node before its statistics are used; 0: GRAVE_VISITS */
} GraveOptions;

enum { GRAVE_VISITS = 50 };             /* Cazenave 2015 */
static const double GRAVE_BIAS = 1e-3;  /* measured: docs/results/searches.md */
static const double LEFT_OF_UCT = 0.25; /* share of UCT's exploration that is left (guess) */

typedef struct {
    float total;
    uint32_t count;
} FirstMove;

static inline void firstmove_learn(FirstMove *first, double value) {
    first->total += (float)value;
    first->count++;
}

/* Returns the own options with defaults filled in. */
static inline GraveOptions grave_options(const SearchOptions *given) {
    GraveOptions own;
    search_own_options(given, &own, sizeof own);
    return (GraveOptions){.bias = own.bias > 0 ? own.bias : GRAVE_BIAS,
                          .visits = own.visits ? own.visits : GRAVE_VISITS};
}

/* The bound of a move. The two means are weighted by their expected squared errors (Gelly and
 * Silver 2011). `first` may be NULL. */
static inline double firstmove_bound(const FirstMove *first, double visits, double total,
                                     double bias, double exploration, double log_visits) {
    double mean = visits > 0 ? total / visits : 0;
    if (first && first->count) {
        double count = first->count;
        double weight = count / (count + visits + bias * count * visits);
        mean = (1 - weight) * mean + weight * (double)first->total / count;
    } else if (visits <= 0) {
        return INFINITY;
    }
    return mean + LEFT_OF_UCT * exploration * sqrt(log_visits / (visits + 1));
}
