/* Three-valued answers: exact where all is known, unknown where it matters, never wrong. */
#include "game/partial.h"

#include "play.h"

Test(partial, known_states_give_known_answers) {
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *work = game_work(game, REASONER_SCALAR);
    Partial *partial = partial_create(game);
    State state = {0};
    U32Vector legal = {0};
    game_initial(work, &state);
    partial_set_state(partial, &state);
    cr_expect_eq(partial_terminal(partial), TERNARY_FALSE);
    game_legal(work, &state, 0, &legal);
    for (size_t i = 0; i < legal.count; i++)
        cr_expect_eq(partial_legal(partial, 0, legal.items[i]), TERNARY_TRUE);
    vector_free(&legal);
    state_free(&state);
    partial_free(partial);
    game_work_free(work);
    game_free(game);
}

Test(partial, nothing_known_leaves_everything_open) {
    Game *game = game_named("tic_tac_toe", NULL);
    Partial *partial = partial_create(game);
    int least, greatest;
    cr_expect_eq(partial_terminal(partial), TERNARY_UNKNOWN);
    partial_goal(partial, 0, &least, &greatest);
    cr_expect_eq(least, 0);
    cr_expect_eq(greatest, 100);
    partial_free(partial);
    game_free(game);
}

/* Whatever the unknown fluents are, a certain answer must be the right one. */
Test(partial, certain_answers_hold_in_every_completion) {
    Game *game = game_named("connect_four", NULL);
    GameWork *work = game_work(game, REASONER_SCALAR);
    Partial *partial = partial_create(game);
    State state = {0};
    uint32_t joint[2];
    Random random;
    random_seed(&random, 5);
    game_initial(work, &state);
    for (int i = 0; i < 200; i++) {
        partial_set_state(partial, &state);
        for (uint32_t f = 0; f < game->circuit->fluent_count; f++)
            if (random_below(&random, 4) == 0)
                partial_set_fluent(partial, f, TERNARY_UNKNOWN);
        Ternary terminal = partial_terminal(partial);
        bool is_terminal = game_is_terminal(work, &state);
        cr_assert(terminal & (is_terminal ? TERNARY_TRUE : TERNARY_FALSE));
        if (is_terminal || !random_moves(game, work, &state, &random, joint))
            game_initial(work, &state);
        else
            game_next(work, &state, joint, &state);
    }
    state_free(&state);
    partial_free(partial);
    game_work_free(work);
    game_free(game);
}
