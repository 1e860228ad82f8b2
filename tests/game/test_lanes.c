/* Tests 512 states in one pass: each lane gives the same answers as the single-state reasoners,
 * with every kernel. */
#include "game/lanes.h"

#include "base/bitset.h"
#include "play.h"

TestSuite(lanes, .timeout = 600);

/* Fills the lanes from random matches; some lanes ask for no next state. */
static void fill(Game *game, LaneBatch *batch, uint64_t seed) {
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    State state = {0};
    uint32_t joint[16];
    Random random;
    random_seed(&random, seed);
    lane_batch_clear(batch);
    game_initial(work, &state);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        bool goes_on =
            !game_is_terminal(work, &state) && random_moves(game, work, &state, &random, joint);
        lane_batch_set(batch, lane, &state, goes_on && lane % 5 ? joint : NULL);
        if (goes_on)
            game_next(work, &state, joint, &state);
        else
            game_initial(work, &state);
    }
    lane_batch_evaluate(batch);
    state_free(&state);
    game_work_free(work);
}

static void check(const char *name, KernelKind kind) {
    if (!kernel_kind_available(kind))
        return;
    Game *game = game_named(name, &(GameOptions){.kernel = kind});
    LaneBatch *batch = lane_batch_create(game);
    GameWork *scalar = game_work_create(game, REASONER_SCALAR);
    GameWork *incremental = game_work_create(game, REASONER_INCREMENTAL);
    for (uint64_t seed = 0; seed < 2; seed++) {
        fill(game, batch, seed);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            cr_assert(lane_batch_agree(batch, lane, scalar), "%s lane %u", name, lane);
            cr_assert(lane_batch_agree(batch, lane, incremental), "%s lane %u", name, lane);
        }
    }
    game_work_free(scalar);
    game_work_free(incremental);
    lane_batch_free(batch);
    game_free(game);
}

Test(lanes, agree_with_single_states_for_every_kernel) {
    for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++) {
        check("tic_tac_toe", (KernelKind)kind);
        check("connect_four", (KernelKind)kind);
        check("hex", (KernelKind)kind);
        check("incredible", (KernelKind)kind);
        check("kuhn_poker", (KernelKind)kind);
        check("wumpus", (KernelKind)kind);
    }
}

/* Fills lanes that begin and end within words with one state, and others with a second state, each
 * with its own move. Then all next states are made at once and become the states of the lanes. */
Test(lanes, are_filled_and_read_together) {
    static const uint32_t borders[] = {0, 3, 130, 200};
    Game *game = game_named("connect_four", NULL);
    LaneBatch *batch = lane_batch_create(game);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    uint32_t words = (uint32_t)bitset_words(game->circuit->fluent_count);
    State states[3] = {0}, next = {0};
    uint32_t joint[2], joints[LANES][2];
    uint64_t *made = memory_zalloc((size_t)LANES * words * sizeof *made);
    Random random;
    random_seed(&random, 5);
    game_initial(work, &states[0]);
    for (int i = 1; i < 3; i++) {
        cr_assert(random_moves(game, work, &states[i - 1], &random, joint));
        game_next(work, &states[i - 1], joint, &states[i]);
    }
    for (uint64_t pass = 0; pass < 2; pass++) {
        lane_batch_clear(batch);
        for (int i = 0; i < 3; i++) {
            lane_batch_fill(batch, borders[i], borders[i + 1], &states[i]);
            for (uint32_t lane = borders[i]; lane < borders[i + 1]; lane++) {
                random_moves(game, work, &states[i], &random, joints[lane]);
                lane_batch_set_moves(batch, lane, joints[lane]);
            }
        }
        lane_batch_evaluate_next(batch);
        lane_batch_next_words(batch, borders[3], made);
        lane_batch_advance(batch);
        lane_batch_evaluate(batch);
        for (int i = 0; i < 3; i++)
            for (uint32_t lane = borders[i]; lane < borders[i + 1]; lane++) {
                State view = {made + (size_t)lane * words, words};
                game_next(work, &states[i], joints[lane], &next);
                cr_assert(state_equal(&view, &next), "lane %u", lane);
                cr_assert(lane_batch_agree(batch, lane, work), "lane %u", lane);
            }
    }
    for (int i = 0; i < 3; i++)
        state_free(&states[i]);
    state_free(&next);
    free(made);
    game_work_free(work);
    lane_batch_free(batch);
    game_free(game);
}
