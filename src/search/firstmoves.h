/* How matches went in which a move was made at any time below a node (all moves as first), and what
 * that says of a move that has seldom been tried: the one formula of `grave`, with and without
 * hidden information. */
#ifndef MARELLE_SEARCH_FIRSTMOVES_H
#define MARELLE_SEARCH_FIRSTMOVES_H

#include <math.h>
#include <stdint.h>

enum { FIRSTMOVES_FROM = 50 /* visits of a node that keeps such a memory */ };

typedef struct {
    float total;
    uint32_t count;
} FirstMove;

static inline void firstmove_learn(FirstMove *first, double value) {
    first->total += (float)value;
    first->count++;
}

/* Weights by the expected squared errors of the two means (Gelly and Silver 2011); `first` may be
 * NULL, `exploration` is that of UCT. */
static inline double firstmove_bound(const FirstMove *first, double visits, double total,
                                     double exploration, double log_visits) {
    static const double bias = 1e-3;        /* how soon a move's own mean takes over */
    static const double part_of_uct = 0.25; /* exploration that is left */
    double mean = visits > 0 ? total / visits : 0;
    if (first && first->count) {
        double count = first->count;
        double weight = count / (count + visits + bias * count * visits);
        mean = (1 - weight) * mean + weight * (double)first->total / count;
    } else if (visits <= 0) {
        return INFINITY;
    }
    return mean + part_of_uct * exploration * sqrt(log_visits / (visits + 1));
}

#endif
