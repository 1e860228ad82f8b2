/* Tests the sequential test by betting: how soon it decides and how often it errs, with unequal
 * seats and goals that are not constant-sum. */
#include "search/choice/sequential_test.h"

#include <criterion/criterion.h>

#include "base/random.h"

TestSuite(sequential_test, .timeout = 600);

enum { MAX_PLAYERS = 4, MAX_BLOCKS = 60, SERIES = 4000 };

/* A block of matches: in row i, the challenger has seat i, and the columns are the values of the
 * seats. */
typedef double Block[MAX_PLAYERS][MAX_PLAYERS];

static SequentialTestVerdict after(SequentialTest *w, Block block, uint32_t players) {
    for (uint32_t seat = 0; seat < players; seat++)
        sequential_test_add(w, block[seat], players, seat);
    return sequential_test_verdict(w, players);
}

static uint64_t matches_until_decided(Block block, uint32_t players,
                                      SequentialTestVerdict *verdict) {
    SequentialTest w = {0};
    int blocks = 0;
    do {
        *verdict = after(&w, block, players);
        blocks++;
    } while (*verdict == SEQUENTIAL_TEST_OPEN && blocks < 1000);
    cr_expect_eq(sequential_test_matches(&w), (uint64_t)blocks * players);
    return sequential_test_matches(&w);
}

Test(sequential_test, decides_by_leads) {
    SequentialTestVerdict verdict;
    cr_expect_leq(matches_until_decided((Block){{1, 0}, {0, 1}}, 2, &verdict), 12);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_WON);
    cr_expect_leq(matches_until_decided((Block){{0, 1}, {1, 0}}, 2, &verdict), 6);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_LOST);
    Block drawn = {{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}};
    /* A challenger that is not ahead after some matches is dropped. */
    cr_expect_eq(matches_until_decided(drawn, 3, &verdict), 42);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_LOST);
    /* The first of three seats always wins, so the challenger is not stronger. */
    cr_expect_leq(matches_until_decided((Block){{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, 3, &verdict), 42);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_LOST);
    /* One additional win per block counts. */
    matches_until_decided((Block){{1, 0, 0}, {0, 1, 0}, {1, 0, 0}}, 3, &verdict);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_WON);
    matches_until_decided((Block){{0, 1, 0}, {1, 0, 0}, {0, 1, 0}}, 3, &verdict);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_LOST);
}

/* A lead of one point in a hundred suffices, in every match or in the sum of a block. */
Test(sequential_test, few_points_decide) {
    SequentialTestVerdict verdict;
    cr_expect_leq(matches_until_decided((Block){{0.51, 0.5}, {0.5, 0.51}}, 2, &verdict), 18);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_WON);
    cr_expect_leq(matches_until_decided((Block){{0.9, 0.1}, {0.89, 0.1}}, 2, &verdict), 20);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_WON);
    Block three = {{0.51, 0.5, 0.5}, {0.5, 0.51, 0.5}, {0.5, 0.5, 0.51}};
    cr_expect_leq(matches_until_decided(three, 3, &verdict), 27);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_WON);
    /* With the lead on the other side, the challenger is never taken. */
    matches_until_decided((Block){{0.5, 0.51}, {0.51, 0.5}}, 2, &verdict);
    cr_expect_neq(verdict, SEQUENTIAL_TEST_WON);
}

/* Many small wins do not outweigh a larger loss. */
Test(sequential_test, many_small_wins_do_not_outweigh_a_loss) {
    SequentialTest w = {0};
    SequentialTestVerdict verdict = after(&w, (Block){{0, 1}, {1, 0}}, 2);
    for (int b = 0; b < 90 && verdict == SEQUENTIAL_TEST_OPEN; b++)
        verdict = after(&w, (Block){{0.51, 0.5}, {0.5, 0.51}}, 2);
    cr_expect_lt(w.leads, 0);
    cr_expect_eq(verdict, SEQUENTIAL_TEST_LOST);
}

Test(sequential_test, counts) {
    SequentialTest w = {0};
    cr_expect_eq(sequential_test_lead(&w), 0);
    after(&w, (Block){{1, 0, 0, 0}, {0, 0, 0, 0}, {0.75, 0, 0, 0}, {0, 0, 0, 0.25}}, 4);
    cr_expect_eq(w.won, 2);
    cr_expect_eq(w.drawn, 1);
    cr_expect_eq(w.lost, 1);
    cr_expect_float_eq(sequential_test_lead(&w), 0.25, 1e-12);
}

/* Probabilities of winning by seat among equal players. The challenger wins with probability `edge`
 * more, at the cost of all others equally or, in some games, of one seat. Goals may differ by only
 * a few points. */
typedef struct {
    uint32_t players;
    double wins[MAX_PLAYERS];
    bool has_loser;
    double margin;
} Seats;

static const Seats kinds[] = {{2, {0.5, 0.5}, false, 1},
                              {2, {0.9, 0.1}, false, 1},
                              {3, {0.34, 0.33, 0.33}, false, 1},
                              {3, {0.7, 0.2, 0.1}, false, 1},
                              {4, {0.25, 0.25, 0.25, 0.25}, false, 1},
                              {4, {0.6, 0.3, 0.1, 0.0}, false, 1},
                              {2, {0.5, 0.5}, false, 0.04},
                              {2, {0.8, 0.2}, false, 0.04},
                              {3, {0.34, 0.33, 0.33}, false, 0.04},
                              {3, {0.34, 0.33, 0.33}, true, 0.04},
                              {3, {0.34, 0.33, 0.33}, true, 1},
                              {4, {0.4, 0.3, 0.2, 0.1}, true, 0.1}};

/* Draws the values of the seats in a match with the challenger in one of them. */
static void play(const Seats *seats, uint32_t seat, double edge, Random *random, double *values) {
    double left = random_double(random);
    uint32_t chosen = 0;
    for (; chosen + 1 < seats->players; chosen++) {
        double loss = edge / (seats->players - 1);
        left -= seats->wins[chosen] + (chosen == seat ? edge : -loss);
        if (left < 0)
            break;
    }
    for (uint32_t i = 0; i < seats->players; i++)
        values[i] = (i == chosen) != seats->has_loser ? seats->margin : 0;
}

/* Computes the shares of many series in which the challenger is taken and dropped. */
static void judge_many(const Seats *seats, double edge, double *taken, double *dropped) {
    Random random;
    random_seed(&random, 20261116);
    *taken = *dropped = 0;
    for (int s = 0; s < SERIES; s++) {
        SequentialTest w = {0};
        SequentialTestVerdict verdict = SEQUENTIAL_TEST_OPEN;
        for (int b = 0; b < MAX_BLOCKS && verdict == SEQUENTIAL_TEST_OPEN; b++) {
            Block block;
            for (uint32_t i = 0; i < seats->players; i++)
                play(seats, i, edge, &random, block[i]);
            verdict = after(&w, block, seats->players);
        }
        *taken += (verdict == SEQUENTIAL_TEST_WON) / (double)SERIES;
        *dropped += (verdict == SEQUENTIAL_TEST_LOST) / (double)SERIES;
    }
}

/* The bound is one in fifty plus three standard errors of this experiment. */
Test(sequential_test, seldom_takes_what_is_no_stronger) {
    double taken, dropped, most = 0.02 + 3 * 0.0022;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        judge_many(&kinds[k], 0, &taken, &dropped);
        cr_expect_leq(taken, most, "kind %zu: %.4f", k, taken);
    }
}

/* The challenger wins three of four matches of two players, or half of those of three. */
Test(sequential_test, seldom_drops_what_is_clearly_stronger) {
    double taken, dropped, most = 0.1 + 3 * 0.0047;
    judge_many(&kinds[0], 0.25, &taken, &dropped);
    cr_expect_leq(dropped, most, "%.4f", dropped);
    cr_expect_geq(taken, 0.85, "%.4f", taken);
    judge_many(&kinds[2], 0.17, &taken, &dropped);
    cr_expect_leq(dropped, most, "%.4f", dropped);
    cr_expect_geq(taken, 0.6, "%.4f", taken);
}

/* If the seat decides nearly every match, a small difference in strength is still found. */
Test(sequential_test, sees_past_the_seats) {
    double taken, dropped;
    judge_many(&(Seats){2, {0.9, 0.1}, false, 1}, 0.1, &taken, &dropped);
    cr_expect_geq(taken, 0.9, "%.4f", taken);
}

/* A challenger that wins three of four matches is recognised, however small the margins are. */
Test(sequential_test, sees_small_margins) {
    double taken, dropped;
    judge_many(&(Seats){2, {0.5, 0.5}, false, 0.02}, 0.25, &taken, &dropped);
    cr_expect_geq(taken, 0.9, "%.4f", taken);
    judge_many(&(Seats){3, {0.34, 0.33, 0.33}, false, 0.02}, 0.3, &taken, &dropped);
    cr_expect_geq(taken, 0.9, "%.4f", taken);
}
