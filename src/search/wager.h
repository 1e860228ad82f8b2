/* Whether a challenger is stronger than a champion, in games of any number of players: a test by
 * betting, which may be looked at as often as one likes (Ville 1939, Wald 1945, Shafer 2021).
 *
 * In a match the challenger has one seat and the champion all others. Its lead is its own goal
 * less what the others have on average, as a part of 100. A block is as many matches as there are
 * players, in which the challenger has each seat once. Summed over a block, leads compare it with
 * the champion in the same seats, so that it does not matter whether seats are equal or goals add
 * up to anything. A wealth of 1 is staked: one half match by match, multiplied by 1 + lead / 2;
 * the other half block by block, multiplied by 1 + 0.8 times the mean lead of the block, which the
 * luck of the seats does not touch. What both halves have become is the wealth.
 *
 * - A challenger that is no stronger, that is whose leads in a block add up to 0 or less on
 *   average, is wrongly taken in one case of 50 at most: its wealth, looked at after blocks, is a
 *   supermartingale, and reaches 50 with probability 1/50 at most. For the second half this is
 *   plain. In the first half matches are independent, so the factor expected of a block is the
 *   product of those expected of its matches, and a product is no more than the power of the mean,
 *   which is 1 at most.
 * - One so strong that the same is true of 1 / the first half is wrongly dropped in one case of ten
 *   at most. With two players and goals of 0 and 100 it is one who wins three of four matches
 *   whatever the seat (the first half is Wald's test of that against even chances); with three
 *   players, one who wins half of them. */
#ifndef MARELLE_SEARCH_WAGER_H
#define MARELLE_SEARCH_WAGER_H

#include <stdint.h>

typedef struct {
    uint64_t won, drawn, lost; /* matches with a lead above 0, of 0, below 0 */
    double leads;              /* added up */
    double block_leads;        /* those of the block under way */
    double by_match, by_block; /* logarithms of what the halves are multiplied by */
} Wager;

typedef enum { WAGER_OPEN, WAGER_WON, WAGER_LOST } WagerVerdict;

/* A match; the lead is between -1 and 1. */
void wager_add(Wager *wager, double lead);
/* The end of a block of so many matches, and what is known then. */
WagerVerdict wager_judge(Wager *wager, uint32_t players);
uint64_t wager_matches(const Wager *wager);
/* On average; 0 without matches. */
double wager_lead(const Wager *wager);

#endif
