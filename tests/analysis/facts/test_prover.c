/* Tests proofs of claims about all states, with true and with false claims. */
#include "analysis/facts/prover.h"

#include "../games.h"

/* A counter from 0 to 3 in two bits that stops at 3, and a light. */
static const char counter[] =
    "(role a) (legal a press) (legal a leave)"
    "(<= (next low) (not (true low))) (<= (next low) (true high))"
    "(<= (next high) (true high)) (<= (next high) (true low))"
    "(<= (next light) (does a press)) (<= (next dark) (not (does a press))) (init dark)"
    "(<= terminal (true low) (true high)) (<= (goal a 100) terminal)";

static Signal fluent(const Game *game, GameWork *work, Prover *p, const char *text) {
    return prover_signal(p, game->circuit->fluents[fluent_of(work, text)]);
}

Test(prover, one_step) {
    Game *game = game_of_text(counter);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Prover *p = prover_create(game->circuit, cpu_budget_in(10));
    Signal high = fluent(game, work, p, "high"), low = fluent(game, work, p, "low");
    Signal light = fluent(game, work, p, "light"), dark = fluent(game, work, p, "dark");
    Aig *aig = prover_aig(p);
    Claim claims[] = {
        {aig_and(aig, high, signal_not(prover_after_moves(p, high))), SIGNAL_TRUE, true},
        {aig_and(aig, low, prover_after_moves(p, low)), SIGNAL_TRUE, true},
        {prover_after_moves(p, aig_and(aig, light, dark)), SIGNAL_TRUE, true},
        {prover_after_moves(p, light), SIGNAL_TRUE, true},
    };
    cr_assert(prover_check(p, claims, 4, PROVER_MOVES));
    cr_assert(claims[0].holds, "high stays");
    cr_assert(claims[1].holds, "low does not stay, unless the match is over");
    cr_assert(claims[2].holds);
    cr_assert(!claims[3].holds);
    prover_free(p);
    game_work_free(work);
    game_free(game);
}

/* Claims that are only inductive together are proved together and refuted together. */
Test(prover, induction) {
    Game *game = game_of_text("(role a) (legal a go) (init p) (init x)"
                              "(<= (next p) (true q)) (<= (next q) (true p))"
                              "(<= (next x) (true x) (not (true q))) (<= (next x) (true p))"
                              "(<= (next y) (true x) (true y)) (<= terminal (true y)) (goal a 0)");
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Prover *prover = prover_create(game->circuit, cpu_budget_in(10));
    Aig *aig = prover_aig(prover);
    Signal p = fluent(game, work, prover, "p"), q = fluent(game, work, prover, "q");
    Signal both = aig_and(aig, p, q), none = aig_and(aig, signal_not(p), signal_not(q));
    Claim claims[] = {
        {prover_after_moves(prover, both), signal_not(both), true},
        {prover_after_moves(prover, none), signal_not(none), true},
        {prover_after_moves(prover, q), signal_not(q), true},
    };
    cr_assert(prover_check(prover, claims, 3, PROVER_MOVES));
    cr_assert(claims[0].holds);
    cr_assert(claims[1].holds);
    cr_assert(!claims[2].holds);
    prover_free(prover);
    game_work_free(work);
    game_free(game);
}

Test(prover, no_time_means_no_proof) {
    Game *game = game_of_text(counter);
    Prover *p = prover_create(game->circuit, cpu_budget_in(-1));
    Claim claim = {SIGNAL_FALSE, SIGNAL_TRUE, true};
    cr_assert(!prover_check(p, &claim, 1, PROVER_MOVES));
    cr_assert(!claim.holds);
    prover_free(p);
    game_free(game);
}
