/* A sequential test: is a challenger stronger than the incumbent, in games of any number of
 * players? It is a test by betting, which may be looked at any number of times (Ville 1939, Wald
 * 1945, Shafer 2021). */
#pragma once

#include <stdint.h>

/* In a match the challenger plays one seat, the incumbent the others. Goals are mapped to 0..1 by
 * the lowest and highest goal of the game. The challenger's lead is its value minus the mean value
 * of the others. A block has as many matches as there are players; the challenger plays each seat
 * once. The sum of leads over a block compares both searches in the same seats, so seats need not
 * be equal and goals need not be zero-sum.
 *
 * Small leads say little about the mean result, since one match may cost all of them, but they say
 * who is ahead. So neighbouring seats (in a ring) are compared as well: of the two matches in which
 * challenger and incumbent exchange these seats, who has more in both seats together?
 *
 * The wealth begins at 1. Half of it is bet on matches (times 1 + lead / 2), a quarter on blocks
 * (times 1 + 0.8 * mean lead), a quarter on comparisons (times 1 + 0.8 * (won - lost) / all). With
 * two players and goals of 0 and 100 the two quarters are equal. A challenger is taken when the
 * wealth reaches 50 and the sum of leads is positive.
 *
 * - Null hypothesis: the mean sum of leads of a block is at most 0, and at most as many comparisons
 *   are won as lost on average. Then the wealth after blocks is a supermartingale and reaches 50
 *   with probability at most 1/50: plainly for the quarters; in the half, matches are independent,
 *   and the product of their expected factors is at most a power of their mean, at most 1.
 * - A challenger that plays like the incumbent satisfies this in every game: exchanging the two
 *   matches of a comparison reverses it. (The sign of a block's sum would not do where one of three
 *   players loses all and two share.) One that often wins by little and seldom loses much may have
 *   a mean lead of at most 0 and still be taken by the last quarter.
 * - If the inverse of the half is a supermartingale too, the challenger is dropped wrongly in at
 *   most one case of ten. With two players and goals of 0 and 100 this means that it wins three of
 *   four matches (the half is Wald's test of that against even chances).
 * - Matches take time from thinking, so a challenger that is not ahead after 40 matches, or at the
 *   end of a later block, is dropped: one that wins three of four in one case of 1,700. */

typedef struct {
    uint64_t won, drawn, lost; /* matches with a lead above 0, of 0, below 0 */
    double leads;              /* sum over all matches */
    /* The present block: sum of leads; lead over the next seat in the last match, and over the
     * last seat in the first match; comparisons won minus lost. */
    double block_leads, lead_over_next, lead_over_last;
    int comparison_balance;
    double log_match_bet, log_block_bet,
        log_comparison_bet; /* logarithms of the factors of the three bets */
} SequentialTest;

typedef enum {
    SEQUENTIAL_TEST_OPEN,
    SEQUENTIAL_TEST_WON,
    SEQUENTIAL_TEST_LOST
} SequentialTestVerdict;

/* Adds a match with the challenger in that seat, in order from 0 on; values are by seat, 0..1. */
void sequential_test_add(SequentialTest *test, const double *values, uint32_t players,
                         uint32_t seat);
/* Ends a block of as many matches as players and gives the verdict. */
SequentialTestVerdict sequential_test_verdict(SequentialTest *test, uint32_t players);
uint64_t sequential_test_matches(const SequentialTest *test);
/* Mean lead per match; 0 without matches. */
double sequential_test_lead(const SequentialTest *test);
