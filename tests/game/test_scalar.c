/* Tests the scalar reasoner: states that belong to no phase, and equal answers from all kernels. */
#include "play.h"

TestSuite(scalar, .timeout = 600);

/* These states never occur: it is the turn of no role or of all roles, and cells are mixed. */
Test(scalar, answers_for_states_that_fit_no_phase) {
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *scalar = game_work_create(game, REASONER_SCALAR);
    GameWork *witness = game_work_create(game, REASONER_INTERPRETER);
    Random random;
    Text text = {0}, other = {0};
    random_seed(&random, 3);
    for (int round = 0; round < 300; round++) {
        State state = {0}, same = {0}, next = {0}, same_next = {0};
        for (uint32_t f = 0; f < game->circuit->fluent_count; f++) {
            if (random_below(&random, 3))
                continue;
            state_set(&state, f);
            text_clear(&text);
            game_fluent_text(scalar, f, &text);
            state_set(&same, game_find_fluent(witness, text.items, text.count));
        }
        cr_assert_eq(game_is_terminal(scalar, &state), game_is_terminal(witness, &same));
        U32Vector legal = {0}, same_legal = {0};
        uint32_t joint[2] = {0}, same_joint[2] = {0};
        for (uint32_t r = 0; r < 2; r++) {
            cr_assert_eq(game_goal(scalar, &state, r), game_goal(witness, &same, r));
            game_legal(scalar, &state, r, &legal);
            game_legal(witness, &same, r, &same_legal);
            cr_assert_eq(legal.count, same_legal.count);
            joint[r] = (uint32_t)random_below(&random, 10);
            text_clear(&text);
            game_move_text(scalar, r, joint[r], &text);
            same_joint[r] = game_find_move(witness, r, text.items, text.count);
        }
        game_next(scalar, &state, joint, &next);
        game_next(witness, &same, same_joint, &same_next);
        text_clear(&text);
        text_clear(&other);
        game_state_text(scalar, &next, &text);
        game_state_text(witness, &same_next, &other);
        cr_assert_str_eq(text_string(&text), text_string(&other));
        vector_free(&legal);
        vector_free(&same_legal);
        state_free(&state);
        state_free(&same);
        state_free(&next);
        state_free(&same_next);
    }
    vector_free(&text);
    vector_free(&other);
    game_work_free(scalar);
    game_work_free(witness);
    game_free(game);
}

Test(scalar, plays_the_same_match_with_every_kernel) {
    static const char *const names[] = {"hex", "checkers", "breakthrough"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        State ends[KERNEL_KINDS] = {{0}};
        uint32_t steps[KERNEL_KINDS];
        for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++) {
            if (!kernel_kind_available((KernelKind)kind))
                continue;
            Game *game = game_named(names[i], &(GameOptions){.kernel = (KernelKind)kind});
            GameWork *work = game_work_create(game, REASONER_SCALAR);
            Random random;
            random_seed(&random, 9);
            game_initial(work, &ends[kind]);
            game_play_randomly(work, &ends[kind], &random, 500, &steps[kind]);
            cr_expect_eq(steps[kind], steps[KERNEL_INTERPRETED]);
            cr_expect(state_equal(&ends[kind], &ends[KERNEL_INTERPRETED]), "%s with %s", names[i],
                      kernel_kind_name((KernelKind)kind));
            game_work_free(work);
            game_free(game);
        }
        for (int kind = 0; kind < KERNEL_KINDS; kind++)
            state_free(&ends[kind]);
    }
}
