/* The factors of the bets are stored as logarithms, since many losses would underflow. */
#include "search/choice/sequential_test.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* Shares of the initial wealth (untuned; the error bounds hold for any). */
static const double BY_MATCH = 0.5, BY_BLOCK = 0.25, BY_COMPARISON = 0.25;
/* Part of a share that is bet each time (untuned); all of it would be gone after one loss. */
static const double STAKE_BY_MATCH = 0.5, STAKE_BY_BLOCK = 0.8, STAKE_BY_COMPARISON = 0.8;
/* Wealth at which the challenger is taken: an error of 1/50 (Ville 1939). Wealth at which it is
 * dropped: a tenth of the half (Wald 1945). */
static const double TAKEN_AT = 50, DROPPED_AT = 0.05;
enum {
    ENOUGH_MATCHES = 40
}; /* a challenger that is not ahead is dropped after so many (untuned) */

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

void sequential_test_add(SequentialTest *test, const double *values, uint32_t players,
                         uint32_t seat) {
    double own = values[seat], lead = lead_of(values, players, seat);
    assert(players >= 2 && seat < players && lead >= -1 && lead <= 1);
    test->won += sign_of(lead) > 0;
    test->drawn += sign_of(lead) == 0;
    test->lost += sign_of(lead) < 0;
    test->leads += lead;
    test->block_leads += lead;
    test->log_match_bet += log1p(STAKE_BY_MATCH * lead);
    if (seat > 0)
        test->comparison_balance += sign_of(test->lead_over_next + own - values[seat - 1]);
    else
        test->lead_over_last = own - values[players - 1];
    if (seat + 1 < players)
        test->lead_over_next = own - values[seat + 1];
    else if (players > 2)
        test->comparison_balance += sign_of(test->lead_over_last + own - values[0]);
}

SequentialTestVerdict sequential_test_verdict(SequentialTest *test, uint32_t players) {
    uint32_t comparisons = players > 2 ? players : 1;
    assert(players >= 2 && sequential_test_matches(test) % players == 0);
    test->log_block_bet += log1p(STAKE_BY_BLOCK * test->block_leads / players);
    test->log_comparison_bet += log1p(STAKE_BY_COMPARISON * test->comparison_balance / comparisons);
    test->block_leads = test->comparison_balance = 0;
    double wealth = BY_MATCH * exp(test->log_match_bet) + BY_BLOCK * exp(test->log_block_bet) +
                    BY_COMPARISON * exp(test->log_comparison_bet);
    bool is_ahead = sign_of(test->leads) > 0;
    if (wealth >= TAKEN_AT && is_ahead)
        return SEQUENTIAL_TEST_WON;
    bool is_hopeless =
        wealth <= DROPPED_AT || (sequential_test_matches(test) >= ENOUGH_MATCHES && !is_ahead);
    return is_hopeless ? SEQUENTIAL_TEST_LOST : SEQUENTIAL_TEST_OPEN;
}

uint64_t sequential_test_matches(const SequentialTest *test) {
    return test->won + test->drawn + test->lost;
}

double sequential_test_lead(const SequentialTest *test) {
    uint64_t matches = sequential_test_matches(test);
    return matches ? test->leads / (double)matches : 0;
}
