/* Tests duels: the order of seats, and the numbers counted. */
#include "server/referee/duel.h"

#include "../../game/play.h"

TestSuite(duel, .timeout = 600);

typedef struct {
    Game *game;
    Contestant sides[2];
    DuelSetup setup;
} Pair;

static void pair_open(Pair *p, const char *game, const char *first, const char *second) {
    Report report = {0};
    *p = (Pair){.game = game_named(game, NULL)};
    cr_assert(contestant_read(&p->sides[0], first, &report));
    cr_assert(contestant_read(&p->sides[1], second, &report));
    report_free(&report);
    p->setup =
        (DuelSetup){.game = p->game, .sides = {&p->sides[0], &p->sides[1]}, .seconds = 0.002};
}

static void pair_close(Pair *p) {
    contestant_free(&p->sides[0]);
    contestant_free(&p->sides[1]);
    game_free(p->game);
}

/* Goals are counted for the sides, whichever seats they have. */
Test(duel, sides_are_swapped) {
    Pair p;
    Report report = {0};
    DuelOutcome outcome;
    pair_open(&p, "connect_four", "uct", "random");
    for (uint64_t match = 0; match < 4; match++) {
        cr_assert(duel_play(&p.setup, match, &outcome, &report));
        cr_expect_eq(outcome.goals[0], 100);
        cr_expect_eq(outcome.goals[1], 0);
        cr_expect_gt(outcome.playouts[0], outcome.moves[0]);
    }
    pair_close(&p);
    report_free(&report);
}

/* With three players the first side has each seat in turn, and the second side has the other
 * two. */
Test(duel, three_players) {
    Pair p;
    Report report = {0};
    DuelOutcome outcome;
    double own = 0, others = 0;
    pair_open(&p, "row_pairs", "uct:playouts=500", "random");
    for (uint64_t match = 0; match < 6; match++) {
        cr_assert(duel_play(&p.setup, match, &outcome, &report));
        own += outcome.goals[0];
        others += outcome.goals[1];
        cr_expect_geq(outcome.moves[1] + 2, outcome.moves[0]);
    }
    cr_expect_gt(own, others);
    pair_close(&p);
    report_free(&report);
}

/* Goals are taken from the rules, also above 100. */
Test(duel, goals_above_100) {
    Pair p;
    Report report = {0};
    DuelOutcome outcome;
    pair_open(&p, "tic_tac_toe", "random", "random");
    game_free(p.game);
    p.game = p.setup.game =
        game_of_text("(role a) (role b) (init s) (<= (legal ?r go) (role ?r))\n"
                     "(<= (next t) (true s)) (<= terminal (true t)) (goal a 150) (goal b 120)",
                     NULL);
    cr_assert(duel_play(&p.setup, 0, &outcome, &report));
    cr_expect_eq(outcome.goals[0], 150);
    cr_expect_eq(outcome.goals[1], 120);
    pair_close(&p);
    report_free(&report);
}

/* Nim is computed from its heaps, so it does not matter how little time there is. */
Test(duel, start_clock) {
    Pair p;
    Report report = {0};
    DuelOutcome outcome;
    pair_open(&p, "nim", "auto", "legal");
    p.setup.start_seconds = 0.1;
    cr_assert(duel_play(&p.setup, 0, &outcome, &report));
    cr_expect_gt(outcome.goals[0], outcome.goals[1]);
    pair_close(&p);
    report_free(&report);
}

Test(duel, stopped) {
    Pair p;
    Report report = {0};
    DuelOutcome outcome;
    bool stopped = true;
    pair_open(&p, "tic_tac_toe", "uct", "uct");
    p.setup.stopped = &stopped;
    cr_expect_not(duel_play(&p.setup, 0, &outcome, &report));
    pair_close(&p);
    report_free(&report);
}
