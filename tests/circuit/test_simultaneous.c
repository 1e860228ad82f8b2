/* Tests several moves at once: one move gives the same as the circuit, in random states of real
 * games; two moves that touch different fluents give the same as one after the other. */
#include "circuit/simultaneous.h"

#include "game/play.h"
#include "random_aig.h"

static uint8_t *evaluate_with(const Game *game, const SimultaneousTurn *t, const State *state,
                              const uint32_t *moves, size_t count) {
    uint8_t *values = memory_zalloc(t->aig.nodes.count);
    for (uint32_t f = 0; f < game->circuit->fluent_count; f++)
        values[signal_node(t->fluents[f])] =
            f / 64 < state->word_count && state->words[f / 64] >> f % 64 & 1;
    for (size_t i = 0; i < count; i++)
        values[signal_node(t->moves[moves[i]])] = 1;
    evaluate_plainly(&t->aig, values);
    return values;
}

static void assert_next(const Game *game, const SimultaneousTurn *t, const State *state,
                        const uint32_t *moves, size_t count, const State *next) {
    uint8_t *values = evaluate_with(game, t, state, moves, count);
    for (uint32_t f = 0; f < game->circuit->fluent_count; f++)
        cr_expect_eq(value_of(values, t->next[f]),
                     f / 64 < next->word_count && next->words[f / 64] >> f % 64 & 1);
    free(values);
}

Test(together, one_move_is_what_the_circuit_says) {
    static const char *const names[] = {"maze",       "incredible",   "hamilton",    "lights_out",
                                        "nonogram_g", "eight_puzzle", "blocks_world"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Game *game = game_named(names[i], NULL);
        GameWork *work = game_work_create(game, REASONER_SCALAR);
        SimultaneousTurn together;
        State state = {0}, next = {0};
        U32Vector legal = {0};
        Random random;
        uint32_t turns;
        random_seed(&random, 3);
        cr_assert(simultaneous_build(&together, game->circuit));
        game_initial(work, &state);
        for (int t = 0; t < 20 && !game_is_terminal(work, &state); t++) {
            game_legal(work, &state, 0, &legal);
            for (size_t m = 0; m < legal.count; m++) {
                game_next(work, &state, &legal.items[m], &next);
                assert_next(game, &together, &state, &legal.items[m], 1, &next);
            }
            game_play_randomly(work, &state, &random, 1, &turns);
        }
        simultaneous_free(&together);
        vector_free(&legal);
        state_free(&state);
        state_free(&next);
        game_work_free(work);
        game_free(game);
    }
}

/* Marks on cells are permanent, so marking two cells at once equals marking one after the other. */
Test(together, two_moves) {
    Game *game = game_of_text("(role r) (cell a) (cell b) (cell c)"
                              "(<= (init (blank ?x)) (cell ?x))"
                              "(<= (legal r (mark ?x)) (true (blank ?x)))"
                              "(<= (next (marked ?x)) (does r (mark ?x)))"
                              "(<= (next (marked ?x)) (true (marked ?x)))"
                              "(<= (next (blank ?x)) (true (blank ?x)) (does r (mark ?y))"
                              "    (distinct ?x ?y))"
                              "(<= terminal (not open)) (<= open (true (blank ?x)))"
                              "(<= (goal r 100) terminal) (<= (goal r 0) (not terminal))",
                              NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    SimultaneousTurn together;
    State state = {0}, next = {0};
    U32Vector legal = {0};
    cr_assert(simultaneous_build(&together, game->circuit));
    game_initial(work, &state);
    game_legal(work, &state, 0, &legal);
    cr_assert_eq(legal.count, 3);
    game_next(work, &state, &legal.items[0], &next);
    game_next(work, &next, &legal.items[1], &next);
    assert_next(game, &together, &state, legal.items, 2, &next);
    simultaneous_free(&together);
    vector_free(&legal);
    state_free(&state);
    state_free(&next);
    game_work_free(work);
    game_free(game);
}
