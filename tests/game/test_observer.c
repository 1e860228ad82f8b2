/* Tests observed random play: visitors get the same answers as from the single-state reasoners, for
 * the moves played and for alternative moves. */
#include "game/observer.h"

#include "base/bitset.h"
#include "play.h"

TestSuite(observer, .timeout = 600);

typedef struct {
    Game *game;
    GameWork *work;
    State state, next;
    uint64_t hash, turns, others;
} Watch;

static void read_lane(const Watch *w, const Lanes *rows, uint32_t lane, State *state) {
    if (state->word_count)
        memset(state->words, 0, state->word_count * sizeof *state->words);
    for (uint32_t f = 0; f < w->game->circuit->fluent_count; f++)
        if (bitset_get((const uint64_t *)&rows[f], lane))
            state_set(state, f);
}

static void expect_next(Watch *w, const Lanes *rows, uint32_t lane, const uint32_t *moves) {
    const Circuit *c = w->game->circuit;
    uint32_t joint[16];
    State shown = {0};
    for (uint32_t r = 0; r < c->role_count; r++)
        joint[r] = moves[r] - c->first_move[r];
    game_next(w->work, &w->state, joint, &w->next);
    read_lane(w, rows, lane, &shown);
    cr_assert(state_equal(&shown, &w->next));
    state_free(&shown);
}

static void watch_turn(void *context, Observer *observer, const ObservedTurn *turn) {
    Watch *w = context;
    uint32_t roles = w->game->role_count, moves[16];
    uint32_t lane = (uint32_t)bitset_next(turn->playing.words, LANE_WORDS, 0);
    read_lane(w, turn->state, lane, &w->state);
    expect_next(w, turn->next, lane, turn->moves + lane * roles);
    for (uint32_t role = 0; role < roles; role++) {
        U32Vector legal = {0};
        game_legal(w->work, &w->state, role, &legal);
        cr_assert_eq(turn->options[lane * roles + role], legal.count);
        OtherTurn other = observer_other(observer, role);
        cr_assert_eq(bitset_get(other.lanes.words, lane), legal.count > 1);
        if (legal.count > 1) {
            memcpy(moves, turn->moves + lane * roles, roles * sizeof *moves);
            cr_assert_neq(moves[role], other.moves[lane]);
            moves[role] = other.moves[lane];
            expect_next(w, other.next, lane, moves);
            w->others++;
        }
        vector_free(&legal);
    }
    w->hash = hash_mix(w->hash, state_hash(&w->next));
    w->turns++;
}

static Watch watch(const char *name, uint64_t seed, uint32_t step_limit, ObservedCounts *counts) {
    Watch w = {.game = game_named(name, NULL)};
    w.work = game_work_create(w.game, REASONER_SCALAR);
    Observer *observer = observer_create(w.game, seed);
    observer_play(observer, NULL, 300, step_limit, deadline_never(), &(Visitor){watch_turn, &w},
                  counts);
    observer_free(observer);
    state_free(&w.state);
    state_free(&w.next);
    game_work_free(w.work);
    game_free(w.game);
    return w;
}

Test(observer, shows_what_happens_and_what_might_have) {
    static const char *const names[] = {"tic_tac_toe", "incredible", "connect_four", "checkers"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ObservedCounts counts = {0};
        Watch w = watch(names[i], 1, 0, &counts);
        cr_expect_eq(counts.playouts, 300);
        cr_expect_eq(counts.unfinished, 0);
        cr_expect_gt(w.turns, 5);
        cr_expect_gt(w.others, 5);
    }
}

Test(observer, is_the_same_for_one_seed_and_keeps_its_step_limit) {
    ObservedCounts a = {0}, b = {0}, c = {0};
    uint64_t hash = watch("tic_tac_toe", 7, 0, &a).hash;
    cr_expect_eq(watch("tic_tac_toe", 7, 0, &b).hash, hash);
    cr_expect_eq(a.turns, b.turns);
    cr_expect_neq(watch("tic_tac_toe", 8, 0, &c).hash, hash);
    ObservedCounts cut = {0};
    cr_expect_eq(watch("tic_tac_toe", 7, 3, &cut).turns, 3);
    cr_expect_eq(cut.unfinished, 300);
}
