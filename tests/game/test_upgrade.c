/* Tests the change from the interpreter to the circuit: states are carried over. */
#include "game/upgrade.h"

#include "play.h"

TestSuite(upgrade, .timeout = 600);

Test(upgrade, a_match_goes_on_with_the_circuit) {
    Game *game = game_named("connect_four", &(GameOptions){.interpreter_only = true});
    GameBuild *build = game_build_start(game->rules, NULL);
    GameWork *slow = game_work_create(game, REASONER_AUTO);
    State state = {0}, carried = {0};
    uint32_t joint[2];
    Random random;
    random_seed(&random, 3);
    game_initial(slow, &state);
    for (int i = 0; i < 6; i++) {
        cr_assert(random_moves(game, slow, &state, &random, joint));
        game_next(slow, &state, joint, &state);
    }
    Game *better = game_build_finish(build);
    cr_assert_not_null(better);
    GameWork *fast = game_work_create(better, REASONER_AUTO);
    cr_assert(state_translate(slow, &state, fast, &carried));
    Text before = {0}, after = {0};
    game_state_text(slow, &state, &before);
    game_state_text(fast, &carried, &after);
    cr_expect_str_eq(text_string(&before), text_string(&after));
    vector_free(&before);
    vector_free(&after);
    state_free(&state);
    state_free(&carried);
    game_work_free(slow);
    game_work_free(fast);
    game_free(game);
    game_free(better);
}

Test(upgrade, a_build_can_be_cancelled) {
    Game *game = game_named("reversi", &(GameOptions){.interpreter_only = true});
    bool cancelled = false;
    GameBuild *build = game_build_start(game->rules, &(GameOptions){.stopped = &cancelled});
    __atomic_store_n(&cancelled, true, __ATOMIC_RELAXED);
    game_free(game_build_finish(build));
    game_free(game);
}

Test(upgrade, a_build_without_a_circuit_gives_nothing) {
    Game *game = game_named("reversi", &(GameOptions){.interpreter_only = true});
    GameBuild *build = game_build_start(game->rules, &(GameOptions){.build_bytes = 1});
    Game *better = game_build_finish(build);
    cr_expect_null(better);
    game_free(better);
    game_free(game);
}
