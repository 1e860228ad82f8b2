/* Whether a challenger is stronger than a champion, in games of any number of players: a test by
 * betting, which may be looked at as often as one likes (Ville 1939, Wald 1945, Shafer 2021).
 *
 * In a match the challenger has one seat and the champion all others. Goals are values from 0 to 1,
 * by the least and the greatest goal of the game. The challenger's lead is its own value less what
 * the others have on average. A block is as many matches as there are players, in which the
 * challenger has each seat once. Summed over a block, leads compare it with the champion in the
 * same seats, so that it does not matter whether seats are equal or goals add up to anything.
 *
 * Leads of a few points tell little of what is won on average, since a single match may cost all of
 * it; but they tell who is ahead. So neighbours in the order of seats, the last and the first too,
 * are compared as well: of the two matches in which the challenger has one of the seats and the
 * champion the other, who has more in both seats together.
 *
 * A wealth of 1 is staked: one half match by match, multiplied by 1 + lead / 2; a quarter block by
 * block, multiplied by 1 + 0.8 times the mean lead of the block, which the luck of the seats does
 * not touch; a quarter block by block on comparisons, multiplied by 1 + 0.8 times the part of
 * them that the challenger has won, less the part that it has lost. (With two players and goals of
 * 0 and 100 the quarters are the same.) What the three have become is the wealth. A challenger is
 * taken when that has reached 50 and leads have added up to more than 0.
 *
 * - A challenger is no stronger if its leads in a block add up to 0 or less on average, and if it
 *   wins no more comparisons than it loses on average. It is wrongly taken in one case of 50 at
 *   most: its wealth, looked at after blocks, is a supermartingale, and reaches 50 with probability
 *   1/50 at most. For the quarters this is plain. In the half, matches are independent, so the
 *   factor expected of a block is the product of those expected of its matches, and a product is no
 *   more than the power of the mean, which is 1 at most.
 * - One that plays like the champion is no stronger in this sense, whatever the game: what all
 *   seats have then is the same in all matches of a block but for luck, and to exchange the two
 *   matches of a comparison turns it round. (That is not so of the sign of a block's leads with
 *   three players: where one of them loses all and the others share, more blocks are above 0 than
 *   below.)
 * - That leads are 0 or less on average does not imply the second condition: a challenger that
 *   often wins by little and seldom loses much wins more comparisons than it loses. The last
 *   quarter tests who wins more often, and may take such a one before its losses outweigh the rest.
 * - One so strong that the same is true of 1 / the half is wrongly dropped in one case of ten at
 *   most. With two players and goals of 0 and 100 it is one who wins three of four matches whatever
 *   the seat (the half is Wald's test of that against even chances); with three players, one who
 *   wins half of them.
 * - Matches take time from thinking, so one that is not ahead after 40 of them, or at the end of a
 *   later block, is dropped as well. One who wins three of four has not won more than half of 40
 *   in one case of 1,700. */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t won, drawn, lost; /* matches with a lead above 0, of 0, below 0 */
    double leads;              /* added up */
    /* Of the block under way: its leads; how far the challenger is before the player of the next
     * seat in the last match, and before that of the last seat in the first one; and comparisons
     * won less those lost. */
    double block_leads, before_next, before_last;
    int comparisons;
    double by_match, by_block, by_comparison; /* logarithms of what the shares are multiplied by */
} Wager;

typedef enum { WAGER_OPEN, WAGER_WON, WAGER_LOST } WagerVerdict;

/* A match with the challenger in that seat: what all players have, by seat, between 0 and 1. The
 * seats of a block come in order, from 0 on. */
void wager_add(Wager *wager, const double *values, uint32_t players, uint32_t seat);
/* The end of a block of so many matches, and what is known then. */
WagerVerdict wager_judge(Wager *wager, uint32_t players);
uint64_t wager_matches(const Wager *wager);
/* On average; 0 without matches. */
double wager_lead(const Wager *wager);
