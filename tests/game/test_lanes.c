/* 512 states in one pass: each lane is what the single-state reasoners say, with every kernel. */
#include "game/lanes.h"

#include "play.h"

TestSuite(lanes, .timeout = 100);

/* Fills the lanes from random matches; some lanes ask for no next state. */
static void fill(Game *game, LaneBatch *batch, uint64_t seed) {
    GameWork *work = game_work(game, REASONER_SCALAR);
    State state = {0};
    uint32_t joint[16];
    Random random;
    random_seed(&random, seed);
    lanes_clear(batch);
    game_initial(work, &state);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        bool goes_on =
            !game_is_terminal(work, &state) && random_moves(game, work, &state, &random, joint);
        lanes_set(batch, lane, &state, goes_on && lane % 5 ? joint : NULL);
        if (goes_on)
            game_next(work, &state, joint, &state);
        else
            game_initial(work, &state);
    }
    lanes_evaluate(batch);
    state_free(&state);
    game_work_free(work);
}

static void check(const char *name, KernelKind kind) {
    if (!kernel_kind_available(kind))
        return;
    Game *game = game_named(name, &(GameOptions){.kernel = kind});
    LaneBatch *batch = lanes_create(game);
    GameWork *scalar = game_work(game, REASONER_SCALAR);
    GameWork *incremental = game_work(game, REASONER_INCREMENTAL);
    for (uint64_t seed = 0; seed < 2; seed++) {
        fill(game, batch, seed);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            cr_assert(lanes_agree(batch, lane, scalar), "%s lane %u", name, lane);
            cr_assert(lanes_agree(batch, lane, incremental), "%s lane %u", name, lane);
        }
    }
    game_work_free(scalar);
    game_work_free(incremental);
    lanes_free(batch);
    game_free(game);
}

Test(lanes, agree_with_single_states_for_every_kernel) {
    for (int kind = KERNEL_PORTABLE; kind <= KERNEL_COMPILED; kind++) {
        check("tic_tac_toe", (KernelKind)kind);
        check("connect_four", (KernelKind)kind);
        check("hex", (KernelKind)kind);
        check("incredible", (KernelKind)kind);
        check("kuhn_poker", (KernelKind)kind);
        check("wumpus", (KernelKind)kind);
    }
}
