/* Logarithms, since long series of losses leave little of the wealth. */
#include "search/wager.h"

#include <assert.h>
#include <math.h>

/* Of a half's wealth. All of it would be gone after one loss. */
static const double STAKE_BY_MATCH = 0.5, STAKE_BY_BLOCK = 0.8;
/* Wealth at which the challenger is taken, or dropped. A dropped one has at most this in the first
 * half alone, which is a tenth of what that began with. */
static const double TAKEN_AT = 50, DROPPED_AT = 0.05;

void wager_add(Wager *w, double lead) {
    assert(lead >= -1 && lead <= 1);
    w->won += lead > 0;
    w->drawn += !(lead > 0) && !(lead < 0);
    w->lost += lead < 0;
    w->leads += lead;
    w->block_leads += lead;
    w->by_match += log1p(STAKE_BY_MATCH * lead);
}

WagerVerdict wager_judge(Wager *w, uint32_t players) {
    w->by_block += log1p(STAKE_BY_BLOCK * w->block_leads / players);
    w->block_leads = 0;
    double wealth = (exp(w->by_match) + exp(w->by_block)) / 2;
    return wealth >= TAKEN_AT ? WAGER_WON : wealth <= DROPPED_AT ? WAGER_LOST : WAGER_OPEN;
}

uint64_t wager_matches(const Wager *w) {
    return w->won + w->drawn + w->lost;
}

double wager_lead(const Wager *w) {
    uint64_t matches = wager_matches(w);
    return matches ? w->leads / (double)matches : 0;
}
