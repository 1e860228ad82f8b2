/* Finds how goals relate in terminal states; for two players by a proof over pairs of values. */
#include "analysis/facts/scores.h"

#include <assert.h>
#include <string.h>

#include "game/goal.h"

enum { MAX_GOALS = 500 /* with more goal rules their pairs are not formed (untuned) */ };

/* Computes the sum of the players' goals and whether all are equal. False if a player has none. */
static bool add_up(const Samples *s, size_t sample, int *sum, bool *equal) {
    int first = GOAL_NONE;
    *sum = 0;
    *equal = true;
    for (uint32_t r = 0; r < s->role_count; r++) {
        if (game_is_chance(s->game, r))
            continue;
        int goal = s->goals.items[sample * s->role_count + r];
        if (goal < 0)
            return false;
        *sum += goal;
        *equal &= first == GOAL_NONE || goal == first;
        first = goal;
    }
    return true;
}

static bool same_goals(const Samples *s, size_t a, size_t b) {
    const int *goals = s->goals.items;
    return memcmp(goals + a * s->role_count, goals + b * s->role_count,
                  s->role_count * sizeof *goals) == 0;
}

static void count_outcomes(Scores *scores, const Samples *s) {
    U32Vector different = {0};
    for (size_t i = 0; i < s->items.count; i++) {
        if (!s->items.items[i].is_terminal)
            continue;
        scores->ends++;
        size_t d = 0;
        while (d < different.count && !same_goals(s, different.items[d], i))
            d++;
        if (d == different.count)
            vector_push(&different, (uint32_t)i);
    }
    scores->outcomes = (uint32_t)different.count;
    vector_free(&different);
}

static void observe(Scores *scores, const Samples *s) {
    bool constant = true, equal = true, any = false;
    count_outcomes(scores, s);
    for (size_t i = 0; i < s->items.count; i++) {
        int sum;
        bool is_equal;
        if (!s->items.items[i].is_terminal)
            continue;
        if (!add_up(s, i, &sum, &is_equal))
            return;
        constant &= !any || sum == scores->sum;
        equal &= is_equal;
        scores->sum = sum;
        any = true;
    }
    scores->constant_sum = any && constant ? CERTAINTY_OBSERVED : CERTAINTY_NONE;
    scores->always_equal = any && equal ? CERTAINTY_OBSERVED : CERTAINTY_NONE;
}

static Signal has_no_goal(Prover *p, const Circuit *c, uint32_t role) {
    U32Vector goals = {0};
    for (size_t i = 0; i < c->goals.count; i++)
        if (c->goals.items[i].role == role)
            vector_push(&goals, prover_signal(p, c->goals.items[i].signal));
    Signal any = aig_or_many(prover_aig(p), goals.items, goals.count);
    vector_free(&goals);
    return signal_not(any);
}

/* Proves that at the end both players have a goal and never a pair of values that is unequal or has
 * another sum. The proof is by induction: no state that is not terminal leads to such an end in one
 * turn. The initial state is among the samples. */
static bool prove_pairs(const Game *game, Prover *p, const uint32_t *players, int sum, bool equal) {
    const Circuit *c = game->circuit;
    assert(players[0] < c->role_count && players[1] < c->role_count && players[0] != players[1]);
    U32Vector bad = {0};
    for (size_t i = 0; i < c->goals.count; i++)
        for (size_t j = 0; j < c->goals.count; j++) {
            if (c->goals.items[i].role != players[0] || c->goals.items[j].role != players[1])
                continue;
            int a = game_goal_value(game, i), b = game_goal_value(game, j);
            if (equal ? a != b : a + b != sum)
                vector_push(&bad, aig_and(prover_aig(p), prover_signal(p, c->goals.items[i].signal),
                                          prover_signal(p, c->goals.items[j].signal)));
        }
    vector_push(&bad, has_no_goal(p, c, players[0]));
    vector_push(&bad, has_no_goal(p, c, players[1]));
    Signal ends_badly = aig_and(prover_aig(p), prover_signal(p, c->terminal),
                                aig_or_many(prover_aig(p), bad.items, bad.count));
    vector_free(&bad);
    Claim claim = {
        .violated = prover_after_moves(p, ends_badly), .assumed = SIGNAL_TRUE, .holds = true};
    prover_check(p, &claim, 1, PROVER_MOVES);
    return claim.holds;
}

void scores_find(Scores *scores, const Samples *s, Prover *prover) {
    *scores = (Scores){0};
    uint32_t players[2] = {0, 0};
    for (uint32_t r = 0; r < s->role_count; r++)
        if (!game_is_chance(s->game, r)) {
            if (scores->players < 2)
                players[scores->players] = r;
            scores->players++;
        }
    if (scores->players < 2)
        return;
    observe(scores, s);
    if (!prover || scores->players != 2 || s->game->circuit->goals.count > MAX_GOALS)
        return;
    if (scores->constant_sum && prove_pairs(s->game, prover, players, scores->sum, false))
        scores->constant_sum = CERTAINTY_PROVED;
    if (scores->always_equal && prove_pairs(s->game, prover, players, 0, true))
        scores->always_equal = CERTAINTY_PROVED;
}
