/* Tests UCT as a solver: lines that reach the goals they claim, proofs, and moves of equal
 * effect. */
#include "../play_search.h"
#include "search/uct/uct.h"
#include "search/uct/uct_solve.h"

TestSuite(uct_solve, .timeout = 600);

static NestedResult solve(Game *game, SearchOptions options, uint64_t playouts) {
    NestedResult result;
    uct_solve(game, NULL, &options,
              &(SearchBudget){.deadline = deadline_never(), .playouts = playouts}, &result);
    return result;
}

/* Asserts that the line is legal, ends the match, and has the score of the result. */
static void assert_line(Game *game, const NestedResult *result) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    U32Vector legal = {0};
    game_initial(work, &state);
    for (size_t i = 0; i < result->line.count; i++) {
        bool found = false;
        cr_assert_not(game_is_terminal(work, &state));
        game_legal(work, &state, 0, &legal);
        for (size_t k = 0; k < legal.count; k++)
            found = found || legal.items[k] == result->line.items[i];
        cr_assert(found);
        game_next(work, &state, &result->line.items[i], &state);
    }
    cr_assert(game_is_terminal(work, &state));
    cr_assert_eq(game_goal(work, &state, 0), result->score);
    vector_free(&legal);
    state_free(&state);
    game_work_free(work);
}

Test(uct_solve, finds_lines_to_the_best_goal) {
    static const char *const names[] = {"maze", "buttons_and_lights", "blocks_world", "lights_on"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int merges = 0; merges < 2; merges++) {
            Game *game = game_named(names[i], NULL);
            NestedResult result = solve(
                game, (SearchOptions){.seed = 2, .own = &(UctOptions){.merges_twins = merges}},
                100000);
            cr_assert(result.is_best && result.has_line, "%s", names[i]);
            cr_assert_eq(result.score, 100);
            cr_assert_lt(result.playouts, 100000);
            assert_line(game, &result);
            nested_result_free(&result);
            game_free(game);
        }
}

/* The knight cannot capture everything: 87 of 100 is the best score, which takes a proof. */
Test(uct_solve, proves_that_there_is_no_better) {
    Game *game = game_named("hunter", NULL);
    NestedResult result = solve(game, (SearchOptions){0}, 1000000);
    cr_assert(result.is_best);
    cr_assert_eq(result.score, 87);
    assert_line(game, &result);
    nested_result_free(&result);
    game_free(game);
}

Test(uct_solve, a_budget_that_does_not_do) {
    Game *game = game_named("eight_puzzle", NULL);
    NestedResult result = solve(game, (SearchOptions){0}, 50);
    cr_assert_not(result.is_best);
    cr_assert_eq(result.playouts, 50);
    if (result.has_line)
        assert_line(game, &result);
    nested_result_free(&result);
    game_free(game);
}

Test(uct_solve, one_seed_gives_one_line) {
    Game *game = game_named("buttons_and_lights", NULL);
    NestedResult first = solve(game, (SearchOptions){.seed = 9}, 5000),
                 second = solve(game, (SearchOptions){.seed = 9}, 5000);
    cr_assert_eq(first.playouts, second.playouts);
    cr_assert_eq(first.line.count, second.line.count);
    for (size_t i = 0; i < first.line.count; i++)
        cr_assert_eq(first.line.items[i], second.line.items[i]);
    nested_result_free(&first);
    nested_result_free(&second);
    game_free(game);
}

/* Nine of ten moves have the same effect; there are three turns, and only the tenth move wins each
 * time. */
static const char idle_text[] =
    "(role you) (init (at 0)) (init (turn 0)) (next_turn 0 1) (next_turn 1 2) (next_turn 2 3)\n"
    "(idle a) (idle b) (idle c) (idle d) (idle e) (idle f) (idle g) (idle h) (idle i)\n"
    "(<= (legal you (wait ?x)) (idle ?x)) (legal you go)\n"
    "(<= (next (at ?m)) (true (at ?n)) (does you go) (next_turn ?n ?m))\n"
    "(<= (next (at ?n)) (true (at ?n)) (does you (wait ?x)))\n"
    "(<= (next (turn ?m)) (true (turn ?n)) (next_turn ?n ?m))\n"
    "(<= terminal (true (turn 3)))\n"
    "(<= (goal you 90) (true (at 3))) (<= (goal you 40) (true (at 2)))\n"
    "(<= (goal you 10) (not (true (at 2))) (not (true (at 3))))\n"
    "(<= (goal you 100) (true (at 9)))\n";

/* Moves that lead to the same state are one arm, so fewer playouts solve the game. */
Test(uct_solve, moves_of_equal_effect_are_searched_as_one) {
    uint64_t playouts[2];
    for (int merges = 0; merges < 2; merges++) {
        Game *game = game_of_text(idle_text, NULL);
        NestedResult result =
            solve(game, (SearchOptions){.own = &(UctOptions){.merges_twins = merges}}, 100000);
        cr_assert(result.is_best);
        cr_assert_eq(result.score, 90);
        assert_line(game, &result);
        playouts[merges] = result.playouts;
        nested_result_free(&result);
        game_free(game);
    }
    cr_assert_lt(playouts[1], playouts[0]);
}

/* Moves that lead to the same state have the same value. */
Test(uct_solve, twins_share_a_value) {
    SearchTable t = table_create(game_of_text(idle_text, NULL), "uct", 0,
                                 (SearchOptions){.own = &(UctOptions){.merges_twins = true}});
    search_set_state(t.search, &t.state);
    think(&t, 20000);
    cr_assert_eq(t.result.moves.count, 10);
    for (size_t i = 0; i < t.result.moves.count; i++) {
        const SearchMove *move = &t.result.moves.items[i];
        cr_assert(move->is_proven);
        cr_assert_float_eq(move->value, i == 0 ? 90 : 40, 1e-4);
    }
    const TreeNode *root = uct_root(t.search);
    uint32_t twins = 0;
    for (uint32_t a = 0; a < tree_arm_count(root, 0); a++)
        twins += tree_arms(root, 0)[a].is_twin;
    cr_assert_eq(twins, 8, "one move stands for nine");
    assert_best(&t, "go");
    table_release(&t);
}

/* A terminal state without a goal is worth 0, also if the lowest goal is greater. */
Test(uct_solve, ends_without_a_goal) {
    static const char *const texts[] = {
        "(role r) (init (step 0)) (next (step 1)) (legal r a) (legal r b)"
        "(<= (next (did ?m)) (does r ?m)) (<= terminal (true (step 1)))"
        "(<= (goal r 7) (true (did b))) (<= (goal r 75) (true (did a)) (true (did b)))",
        "(role r) (init (step 0)) (next (step 1)) (legal r a) (legal r b)"
        "(<= (next (did ?m)) (does r ?m)) (<= terminal (true (step 1)))"
        "(<= (goal r 7) (true (did b)))"};
    for (int i = 0; i < 2; i++) {
        Game *game = game_of_text(texts[i], NULL);
        for (uint64_t seed = 0; seed < 4; seed++) {
            NestedResult result;
            SearchBudget budget = {.deadline = deadline_in(20), .playouts = 100};
            uct_solve(game, NULL, &(SearchOptions){.seed = seed}, &budget, &result);
            cr_expect_eq(result.score, 7);
            cr_expect(result.is_best);
            assert_line(game, &result);
            nested_result_free(&result);
        }
        game_free(game);
    }
}

/* Published UCT needs 280,158 playouts on average (Hufschmitt, Vittaut and Jouandeau 2019). With
 * backed-up proofs in place of means it took more than two million. */
Test(uct_solve, is_as_good_as_published) {
    enum { SEEDS = 4 };
    Game *game = game_named("incredible", NULL);
    uint64_t descents[2] = {0};
    for (int merges = 0; merges < 2; merges++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            NestedResult result = solve(
                game, (SearchOptions){.seed = seed, .own = &(UctOptions){.merges_twins = merges}},
                3000000);
            cr_assert(result.is_best);
            cr_assert_leq(result.playouts, result.descents);
            descents[merges] += result.descents;
            nested_result_free(&result);
        }
    cr_assert_lt(descents[0], SEEDS * 400000);
    cr_assert_lt(descents[1], SEEDS * 120000);
    game_free(game);
}
