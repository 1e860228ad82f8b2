/* Tests plans by SAT: puzzles that random play never solves, proofs that nothing is better, plans
 * from later states, budgets. */
#include "search/single/planner.h"

#include "../lines.h"

TestSuite(planner, .timeout = 600);

static NestedResult plan(Game *game, const State *from, double seconds) {
    NestedResult result;
    SearchBudget budget = {.deadline = deadline_in(seconds)};
    planner_solve(game, from, &budget, &result);
    return result;
}

/* Some puzzles have one move per turn, some have many moves in any order, and in one the best goal
 * is 87. */
Test(planner, solves_puzzles) {
    static const struct {
        const char *name;
        int goal;
    } games[] = {{"maze", 100},        {"blocks_world", 100},       {"incredible", 100},
                 {"hamilton", 100},    {"queens_unguided", 100},    {"nonogram_cube", 100},
                 {"futoshiki_4", 100}, {"lights_on_parallel", 100}, {"hunter", 87}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Game *game = game_named(games[i].name, NULL);
        NestedResult result = plan(game, NULL, 60);
        cr_expect(result.is_best, "%s", games[i].name);
        cr_expect_eq(result.score, games[i].goal, "%s", games[i].name);
        assert_line(game, NULL, &result);
        nested_result_free(&result);
        game_free(game);
    }
}

static const char two_switches[] =
    "(role r) (init (off a)) (init (off b)) (init (left 2))"
    "(<= (legal r (press ?x)) (true (off ?x))) (legal r wait)"
    "(<= (next (off ?x)) (true (off ?x)) (not (does r (press ?x))))"
    "(<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))"
    "(<= terminal (true (left 0)))"
    "(<= (goal r 100) (not (true (off a))) (not (true (off b))))"
    "(<= (goal r 50) (not (true (off a))) (true (off b)))"
    "(<= (goal r 20) (true (off a)))";

static State after(Game *game, const char *move) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    game_initial(work, &state);
    uint32_t number = game_find_move(work, 0, move, strlen(move));
    game_next(work, &state, &number, &state);
    game_work_free(work);
    return state;
}

/* Earlier mistakes cannot be undone: the best remaining goal is found and proven. */
Test(planner, from_a_later_state) {
    static const struct {
        const char *move;
        int goal;
    } cases[] = {{"(press a)", 100}, {"(press b)", 100}, {"wait", 50}};
    Game *game = game_of_text(two_switches, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        State state = after(game, cases[i].move);
        NestedResult result = plan(game, &state, 60);
        cr_expect(result.is_best);
        cr_expect_eq(result.score, cases[i].goal, "after %s", cases[i].move);
        cr_expect_eq(result.line.count, 1);
        assert_line(game, &state, &result);
        nested_result_free(&result);
        state_free(&state);
    }
    game_free(game);
}

/* A score given to the planner is beaten or proven to be the best. */
Test(planner, beats_a_score) {
    static const struct {
        int score;
        bool has_line;
    } cases[] = {{20, true}, {50, false}};
    Game *game = game_of_text(two_switches, NULL);
    State state = after(game, "wait");
    SearchBudget budget = {.deadline = deadline_in(60)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Planner *planner = planner_create(game, &state);
        planner_set_score(planner, cases[i].score);
        planner_run(planner, &budget);
        cr_expect(planner_is_done(planner));
        cr_expect(planner_result(planner)->is_best);
        cr_expect_eq(planner_result(planner)->has_line, cases[i].has_line);
        planner_free(planner);
    }
    state_free(&state);
    game_free(game);
}

/* 7 and 07 are one goal, and text that is no number is no goal. */
Test(planner, goals_that_mean_the_same) {
    Game *game = game_of_text(
        "(role r) (init off) (legal r press) (legal r wait)"
        "(<= (next off) (true off) (does r wait)) (<= (next on) (does r press)) (next over)"
        "(<= terminal (true over)) (<= (goal r 7) (true on)) (<= (goal r 07) (true on))"
        "(<= (goal r well) (true on)) (<= (goal r 2) (true off))",
        NULL);
    NestedResult result = plan(game, NULL, 60);
    cr_expect(result.is_best);
    cr_expect_eq(result.score, 7);
    assert_line(game, NULL, &result);
    nested_result_free(&result);
    game_free(game);
}

/* Closing the box interferes with no other move, but ends the match. It must not be made before
 * moves that were planned for the same turn, whatever their order in the rules. Plans with
 * simultaneous moves find that at once; with one move per turn it takes a thousand questions. */
Test(planner, ends_come_last) {
    static const char *const closing[] = {"(legal r close)", ""};
    for (int i = 0; i < 2; i++) {
        Text text = {0};
        text_printf(
            &text,
            "(role r) (index 1) (index 2) (index 3) (index 4) (index 5) (index 6) %s"
            "(<= (legal r (place ?x ?y)) (index ?x) (index ?y) (not (taken ?x)) (not (shut ?y)))"
            "(<= (taken ?x) (true (at ?x ?y))) (<= (shut ?y) (true (at ?x ?y))) %s"
            "(<= (next (at ?x ?y)) (does r (place ?x ?y))) (<= (next (at ?x ?y)) (true (at ?x ?y)))"
            "(<= (next closed) (does r close)) (<= terminal (true closed))"
            "(<= open (index ?x) (not (taken ?x)))"
            "(<= (goal r 100) (not open)) (<= (goal r 0) open)",
            closing[i], closing[1 - i]);
        Game *game = game_of_text(text.items, NULL);
        NestedResult result;
        SearchBudget budget = {.deadline = deadline_never(), .playouts = 10};
        planner_solve(game, NULL, &budget, &result);
        cr_expect(result.is_best);
        cr_expect_eq(result.score, 100);
        cr_expect_eq(result.line.count, 7);
        assert_line(game, NULL, &result);
        nested_result_free(&result);
        game_free(game);
        vector_free(&text);
    }
}

/* No state, reachable or not, has 100 points, since a lamp cannot be both on and off. So 40 is the
 * best, and proving it needs no search of the many ways to light lamps. */
Test(planner, goals_that_nothing_can_have) {
    Game *game = game_of_text(
        "(role r) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5) (lamp 6) (lamp 7) (lamp 8)"
        "(legal r stop) (<= (legal r (press ?x)) (lamp ?x))"
        "(<= (next (on ?x)) (does r (press ?x)) (not (true (on ?x))))"
        "(<= (next (on ?x)) (true (on ?x)) (not (does r (press ?x))))"
        "(<= (next over) (does r stop)) (<= terminal (true over))"
        "(<= all (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4)) (true (on 5)))"
        "(<= (goal r 100) all (not (true (on 1)))) (<= (goal r 40) all) (<= (goal r 0) (not all))",
        NULL);
    NestedResult result;
    SearchBudget budget = {.deadline = deadline_never(), .playouts = 200};
    planner_solve(game, NULL, &budget, &result);
    cr_expect(result.is_best);
    cr_expect_eq(result.score, 40);
    assert_line(game, NULL, &result);
    nested_result_free(&result);
    game_free(game);
}

/* No match scores 100, and matches need not end. The planner then asks for less, and does not prove
 * that this is the best. */
Test(planner, the_best_is_out_of_reach) {
    Game *game = game_of_text("(role r) (init (at 1)) (step 1 2) (step 2 3) (step 3 1)"
                              "(legal r on) (<= (legal r stop) (true (at 2)))"
                              "(<= (next (at ?y)) (true (at ?x)) (step ?x ?y) (does r on))"
                              "(<= (next (got ?x)) (true (at ?x)) (does r stop))"
                              "(<= terminal (true (got ?x))) (<= (goal r 100) (true (got 3)))"
                              "(<= (goal r 30) (true (got 2)))",
                              NULL);
    NestedResult result;
    SearchBudget budget = {.deadline = deadline_in(60), .playouts = 5000};
    planner_solve(game, NULL, &budget, &result);
    cr_expect(result.has_line);
    cr_expect_eq(result.score, 30);
    cr_expect_lt(result.cpu_seconds, 30);
    nested_result_free(&result);
    game_free(game);
}

/* In a model of the solver, recursive atoms may support each other; a plan that depends on that is
 * rejected. */
Test(planner, recursion_without_a_ground) {
    Game *game = game_of_text(
        "(role r) (init start) (legal r a) (legal r b) (<= (next (did ?m)) (does r ?m))"
        "(link 1 2) (link 2 1) (<= (reached 1) (true (did a)) (true (did b)))"
        "(<= (reached ?y) (reached ?x) (link ?x ?y) (not (true start)))"
        "(<= terminal (true (did ?m)))"
        "(<= (goal r 100) (reached 1)) (<= (goal r 0) (not (reached 1)))",
        NULL);
    NestedResult result = plan(game, NULL, 5);
    cr_expect(!result.has_line || result.score == 0);
    nested_result_free(&result);
    game_free(game);
}

Test(planner, stops) {
    Game *game = game_named("eight_puzzle", NULL);
    bool stopped = true;
    double started = clock_cpu_seconds();
    NestedResult result = plan(game, NULL, 0.05);
    cr_expect_lt(clock_cpu_seconds() - started, 5);
    nested_result_free(&result);
    SearchBudget budget = {.deadline = deadline_never(), .stopped = &stopped};
    planner_solve(game, NULL, &budget, &result);
    cr_expect(!result.has_line);
    nested_result_free(&result);
    budget = (SearchBudget){.deadline = deadline_never(), .playouts = 300};
    planner_solve(game, NULL, &budget, &result);
    cr_expect_leq(result.playouts, 600);
    nested_result_free(&result);
    game_free(game);
}

Test(planner, endless_games_and_no_circuit) {
    const char *text = "(role r) (init on) (<= (next on) (true on)) (legal r stay) (legal r go)"
                       "(<= terminal (not (true on))) (goal r 50)";
    Game *game = game_of_text(text, NULL);
    NestedResult result = plan(game, NULL, 0.2);
    cr_expect(!result.has_line);
    cr_expect(!result.is_best);
    nested_result_free(&result);
    game_free(game);
    game = game_of_text(text, &(GameOptions){.interpreter_only = true});
    cr_expect_null(planner_create(game, NULL));
    result = plan(game, NULL, 0.2);
    cr_expect(!result.has_line);
    nested_result_free(&result);
    game_free(game);
}
