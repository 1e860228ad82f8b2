/* Tests that the incremental reasoner, which reuses unchanged values, stays right when states
 * jump. */
#include "play.h"

TestSuite(incremental, .timeout = 600);

enum { KEPT_STATES = 40 };

/* Collects the states of a match, then asks about them in random order. */
static void jump_about(const char *name) {
    Game *game = game_named(name, NULL);
    GameWork *scalar = game_work_create(game, REASONER_SCALAR);
    GameWork *incremental = game_work_create(game, REASONER_INCREMENTAL);
    State states[KEPT_STATES] = {{0}}, next = {0}, other = {0};
    uint32_t joint[16];
    Random random;
    random_seed(&random, 4);
    size_t count = 0;
    game_initial(scalar, &next);
    while (count < KEPT_STATES) {
        state_copy(&states[count++], &next);
        if (game_is_terminal(scalar, &next) || !random_moves(game, scalar, &next, &random, joint))
            game_initial(scalar, &next);
        else
            game_next(scalar, &next, joint, &next);
    }
    U32Vector ours = {0}, theirs = {0};
    for (int i = 0; i < 500; i++) {
        const State *state = &states[random_below(&random, count)];
        bool terminal = game_is_terminal(scalar, state);
        cr_assert_eq(game_is_terminal(incremental, state), terminal, "%s", name);
        for (uint32_t r = 0; r < game->role_count; r++) {
            game_legal(incremental, state, r, &ours);
            game_legal(scalar, state, r, &theirs);
            cr_assert_eq(ours.count, theirs.count, "%s", name);
            cr_assert(!ours.count ||
                      !memcmp(ours.items, theirs.items, ours.count * sizeof(uint32_t)));
            cr_assert_eq(game_goal(incremental, state, r), game_goal(scalar, state, r));
        }
        if (terminal || !random_moves(game, scalar, state, &random, joint))
            continue;
        game_next(incremental, state, joint, &next);
        game_next(scalar, state, joint, &other);
        cr_assert(state_equal(&next, &other), "%s", name);
    }
    vector_free(&ours);
    vector_free(&theirs);
    for (size_t i = 0; i < count; i++)
        state_free(&states[i]);
    state_free(&next);
    state_free(&other);
    game_work_free(scalar);
    game_work_free(incremental);
    game_free(game);
}

Test(incremental, agrees_when_states_jump) {
    jump_about("breakthrough");
    jump_about("reversi");
    jump_about("incredible");
}

Test(incremental, agrees_where_rules_recurse) {
    jump_about("hex");
}
