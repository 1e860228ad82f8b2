/* The test by betting: how soon it decides, and how often it errs, with seats that are not equal
 * and goals that do not add up to anything. */
#include "search/wager.h"

#include <criterion/criterion.h>

#include "base/random.h"

TestSuite(wager, .timeout = 60);

enum { MOST_PLAYERS = 4, MOST_BLOCKS = 60, SERIES = 4000 };

static WagerVerdict after(Wager *w, const double *leads, uint32_t players) {
    for (uint32_t i = 0; i < players; i++)
        wager_add(w, leads[i]);
    return wager_judge(w, players);
}

static int blocks_until_decided(const double *leads, uint32_t players, WagerVerdict *verdict) {
    Wager w = {0};
    int blocks = 0;
    do {
        *verdict = after(&w, leads, players);
        blocks++;
    } while (*verdict == WAGER_OPEN && blocks < 1000);
    cr_expect_eq(wager_matches(&w), (uint64_t)blocks * players);
    return blocks;
}

Test(wager, decides_by_leads) {
    WagerVerdict verdict;
    cr_expect_leq(blocks_until_decided((double[]){1, 1}, 2, &verdict), 6);
    cr_expect_eq(verdict, WAGER_WON);
    cr_expect_leq(blocks_until_decided((double[]){-1, -1}, 2, &verdict), 3);
    cr_expect_eq(verdict, WAGER_LOST);
    blocks_until_decided((double[]){0, 0, 0}, 3, &verdict);
    cr_expect_eq(verdict, WAGER_OPEN);
    /* The first of three seats always wins: nobody is stronger. */
    blocks_until_decided((double[]){1, -0.5, -0.5}, 3, &verdict);
    cr_expect_eq(verdict, WAGER_OPEN);
    /* That one more is won now and then does count. */
    blocks_until_decided((double[]){1, 1, -0.5}, 3, &verdict);
    cr_expect_eq(verdict, WAGER_WON);
    blocks_until_decided((double[]){-0.5, -0.5, -0.5}, 3, &verdict);
    cr_expect_eq(verdict, WAGER_LOST);
}

Test(wager, counts) {
    Wager w = {0};
    cr_expect_eq(wager_lead(&w), 0);
    after(&w, (double[]){1, 0, -0.25, 0.25}, 4);
    cr_expect_eq(w.won, 2);
    cr_expect_eq(w.drawn, 1);
    cr_expect_eq(w.lost, 1);
    cr_expect_float_eq(wager_lead(&w), 0.25, 1e-12);
}

/* How often each seat wins if everybody is as strong; the challenger in it wins `edge` more often,
 * at the cost of all others alike. */
typedef struct {
    uint32_t players;
    double wins[MOST_PLAYERS];
} Seats;

static const Seats kinds[] = {{2, {0.5, 0.5}},
                              {2, {0.9, 0.1}},
                              {3, {0.34, 0.33, 0.33}},
                              {3, {0.7, 0.2, 0.1}},
                              {4, {0.25, 0.25, 0.25, 0.25}},
                              {4, {0.6, 0.3, 0.1, 0.0}}};

static double play(const Seats *seats, uint32_t seat, double edge, Random *random) {
    double own = seats->wins[seat] + edge;
    bool wins = random_double(random) < own;
    return wins ? 1 : -1.0 / (seats->players - 1);
}

/* The part of many series in which the challenger is taken, and that in which it is dropped. */
static void judge_many(const Seats *seats, double edge, double *taken, double *dropped) {
    Random random;
    random_seed(&random, 20261116);
    *taken = *dropped = 0;
    for (int s = 0; s < SERIES; s++) {
        Wager w = {0};
        WagerVerdict verdict = WAGER_OPEN;
        for (int b = 0; b < MOST_BLOCKS && verdict == WAGER_OPEN; b++) {
            double leads[MOST_PLAYERS];
            for (uint32_t i = 0; i < seats->players; i++)
                leads[i] = play(seats, i, edge, &random);
            verdict = after(&w, leads, seats->players);
        }
        *taken += (verdict == WAGER_WON) / (double)SERIES;
        *dropped += (verdict == WAGER_LOST) / (double)SERIES;
    }
}

/* One in fifty, and three standard errors of this experiment. */
Test(wager, seldom_takes_what_is_no_stronger) {
    double taken, dropped, most = 0.02 + 3 * 0.0022;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        judge_many(&kinds[k], 0, &taken, &dropped);
        cr_expect_leq(taken, most, "kind %zu: %.4f", k, taken);
    }
}

/* Three of four matches of two players, half of those of three. */
Test(wager, seldom_drops_what_is_clearly_stronger) {
    double taken, dropped, most = 0.1 + 3 * 0.0047;
    judge_many(&kinds[0], 0.25, &taken, &dropped);
    cr_expect_leq(dropped, most, "%.4f", dropped);
    cr_expect_geq(taken, 0.85, "%.4f", taken);
    judge_many(&kinds[2], 0.17, &taken, &dropped);
    cr_expect_leq(dropped, most, "%.4f", dropped);
    cr_expect_geq(taken, 0.6, "%.4f", taken);
}

/* Where the seat decides nearly everything, what little is left is seen. */
Test(wager, sees_past_the_seats) {
    double taken, dropped;
    judge_many(&(Seats){2, {0.8, 0.0}}, 0.2, &taken, &dropped);
    cr_expect_geq(taken, 0.9, "%.4f", taken);
}
