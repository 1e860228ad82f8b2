/* The factors of the bets are stored as logarithms, since many losses would underflow. */
#include "search/choice/sequential_test.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* Shares of the initial wealth (guess; the error bounds hold for any). */
static const double BY_MATCH = 0.5, BY_BLOCK = 0.25, BY_COMPARISON = 0.25;
/* Part of a share that is bet each time (guess); all of it would be gone after one loss. */
static const double STAKE_BY_MATCH = 0.5, STAKE_BY_BLOCK = 0.8, STAKE_BY_COMPARISON = 0.8;
/* Wealth at which the challenger is taken: an error of 1/50 (Ville 1939). Wealth at which it is
 * dropped: a tenth of the half (Wald 1945). */
static const double TAKEN_AT = 50, DROPPED_AT = 0.05;
enum { ENOUGH_MATCHES = 40 }; /* a challenger that is not ahead is dropped after so many (guess) */

/* The sign as 1, 0 or -1. A difference of goals that is only rounding counts as 0. */
static int sign_of(double difference) {
    static const double ROUNDING = 1e-9;
    return (difference > ROUNDING) - (difference < -ROUNDING);
}

static double lead_of(const double *values, uint32_t players, uint32_t seat) {
    double others = 0;
    for (uint32_t i = 0; i < players; i++)
        others += i == seat ? 0 : values[i];
    return values[seat] - others / (players - 1);
}

void wager_add(Wager *w, const double *values, uint32_t players, uint32_t seat) {
    double own = values[seat], lead = lead_of(values, players, seat);
    assert(players >= 2 && seat < players && lead >= -1 && lead <= 1);
    w->won += sign_of(lead) > 0;
    w->drawn += sign_of(lead) == 0;
    w->lost += sign_of(lead) < 0;
    w->leads += lead;
    w->block_leads += lead;
    w->by_match += log1p(STAKE_BY_MATCH * lead);
    if (seat > 0)
        w->comparisons += sign_of(w->before_next + own - values[seat - 1]);
    else
        w->before_last = own - values[players - 1];
    if (seat + 1 < players)
        w->before_next = own - values[seat + 1];
    else if (players > 2)
        w->comparisons += sign_of(w->before_last + own - values[0]);
}

WagerVerdict wager_judge(Wager *w, uint32_t players) {
    uint32_t comparisons = players > 2 ? players : 1;
    assert(players >= 2 && wager_matches(w) % players == 0);
    w->by_block += log1p(STAKE_BY_BLOCK * w->block_leads / players);
    w->by_comparison += log1p(STAKE_BY_COMPARISON * w->comparisons / comparisons);
    w->block_leads = w->comparisons = 0;
    double wealth = BY_MATCH * exp(w->by_match) + BY_BLOCK * exp(w->by_block) +
                    BY_COMPARISON * exp(w->by_comparison);
    bool is_ahead = sign_of(w->leads) > 0;
    if (wealth >= TAKEN_AT && is_ahead)
        return WAGER_WON;
    bool is_hopeless = wealth <= DROPPED_AT || (wager_matches(w) >= ENOUGH_MATCHES && !is_ahead);
    return is_hopeless ? WAGER_LOST : WAGER_OPEN;
}

uint64_t wager_matches(const Wager *w) {
    return w->won + w->drawn + w->lost;
}

double wager_lead(const Wager *w) {
    uint64_t matches = wager_matches(w);
    return matches ? w->leads / (double)matches : 0;
}
