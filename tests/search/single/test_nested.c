/* Tests nested searches: puzzles they must solve, lines that can be replayed, budgets, and that one
 * seed gives one result. */
#include "search/single/nested.h"

#include "../lines.h"

TestSuite(nested, .timeout = 600);

static const NestedKind kinds[] = {NESTED_NMCS, NESTED_NRPA};

static NestedResult search(Game *game, NestedKind kind, uint64_t seed, double seconds) {
    NestedResult result;
    NestedOptions options = {.kind = kind, .seed = seed};
    SearchBudget budget = {.deadline = deadline_in(seconds)};
    nested_search(game, NULL, &options, &budget, &result);
    return result;
}

Test(nested, solves_puzzles) {
    static const char *const names[] = {"maze", "buttons_and_lights", "lights_on", "blocks_world",
                                        "knights_tour"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Game *game = game_named(names[i], NULL);
        for (int k = 0; k < 2; k++) {
            for (uint64_t seed = 0; seed < 3; seed++) {
                NestedResult result = search(game, kinds[k], seed, 20);
                cr_expect(result.is_best, "%s by %d", names[i], k);
                cr_expect_eq(result.score, 100);
                cr_expect_gt(result.playouts, 0);
                assert_line(game, NULL, &result);
                nested_result_free(&result);
            }
        }
        game_free(game);
    }
}

Test(nested, without_a_circuit) {
    Game *game = game_named("maze", &(GameOptions){.interpreter_only = true});
    for (int k = 0; k < 2; k++) {
        NestedResult result = search(game, kinds[k], 1, 20);
        cr_expect(result.is_best);
        assert_line(game, NULL, &result);
        nested_result_free(&result);
    }
    game_free(game);
}

Test(nested, keeps_the_best_line_when_the_budget_ends) {
    Game *game = game_named("hunter", NULL);
    for (int k = 0; k < 2; k++) {
        NestedResult result;
        NestedOptions options = {.kind = kinds[k], .seed = 3};
        SearchBudget budget = {.deadline = deadline_never(), .playouts = 20000};
        nested_search(game, NULL, &options, &budget, &result);
        cr_expect(!result.is_best);
        cr_expect_eq(result.playouts, 20000);
        cr_expect_geq(result.score, 50);
        assert_line(game, NULL, &result);
        NestedResult again;
        nested_search(game, NULL, &options, &budget, &again);
        cr_expect_eq(again.score, result.score);
        cr_expect_eq(again.line.count, result.line.count);
        for (size_t i = 0; i < result.line.count; i++)
            cr_expect_eq(again.line.items[i], result.line.items[i]);
        nested_result_free(&again);
        nested_result_free(&result);
    }
    game_free(game);
}

Test(nested, stops) {
    Game *game = game_named("eight_puzzle", NULL);
    bool stopped = true;
    for (int k = 0; k < 2; k++) {
        double started = clock_cpu_seconds();
        NestedResult result = search(game, kinds[k], 1, 0.05);
        cr_expect_lt(clock_cpu_seconds() - started, 2);
        cr_expect(!result.is_best);
        nested_result_free(&result);
        NestedOptions options = {.kind = kinds[k]};
        SearchBudget budget = {.deadline = deadline_never(), .stopped = &stopped};
        nested_search(game, NULL, &options, &budget, &result);
        nested_result_free(&result);
    }
    game_free(game);
}

/* No match ends, so there is no line; the search must not hang. */
Test(nested, endless_games) {
    Game *game =
        game_of_text("(role r) (init on) (<= (next on) (true on)) (legal r stay) (legal r go)"
                     "(<= terminal (not (true on))) (goal r 50)",
                     NULL);
    for (int k = 0; k < 2; k++) {
        NestedResult result;
        NestedOptions options = {.kind = kinds[k], .step_limit = 20};
        SearchBudget budget = {.deadline = deadline_in(0.1)};
        nested_search(game, NULL, &options, &budget, &result);
        cr_expect(!result.has_line);
        cr_expect(!result.is_best);
        nested_result_free(&result);
    }
    game_free(game);
}

/* To retrace random matches takes long if there are many moves and turns. */
Test(nested, does_not_retrace_beyond_its_time) {
    enum { LAMPS = 1500, TURNS = 1500 };
    Text text = {0};
    text_printf(&text,
                "(role r) (init (t 0)) (<= (legal r (p ?x)) (lamp ?x))"
                "(<= (next (on ?x)) (true (on ?x)) (not (does r (p ?x))))"
                "(<= (next (on ?x)) (does r (p ?x)) (not (true (on ?x))))"
                "(<= (next (t ?y)) (true (t ?x)) (s ?x ?y)) (<= terminal (true (t %d)))"
                "(<= (goal r 50) (true (on 1))) (<= (goal r 20) (not (true (on 1))))"
                "(<= (goal r 100) (true (on 1)) (not (true (t %d))))",
                TURNS, TURNS);
    for (int i = 0; i < TURNS; i++)
        text_printf(&text, "(s %d %d)", i, i + 1);
    for (int i = 0; i < LAMPS; i++)
        text_printf(&text, "(lamp %d)", i);
    Game *game = game_of_text(text.items, NULL);
    double started = clock_thread_cpu_seconds();
    NestedResult result = search(game, NESTED_NMCS, 0, 0.3);
    cr_expect_lt(clock_thread_cpu_seconds() - started, 2);
    nested_result_free(&result);
    game_free(game);
    vector_free(&text);
}
