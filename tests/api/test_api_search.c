/* Searching and solving through the public interface: known values, and how calls fail. */
#include <math.h>
#include <stdlib.h>

#include "api_games.h"

static MarelleSearch *search_of(MarelleGame *game, uint32_t role, const char *method) {
    MarelleSearch *search;
    MarelleProblem problem;
    MarelleStatus status = marelle_search_create(game, role, method, NULL, &search, &problem);
    cr_assert_eq(status, MARELLE_OK, "%s", problem.text);
    cr_assert_str_eq(problem.text, "");
    return search;
}

/* x has two in a row and moves: the third wins. */
Test(search, a_win_is_found_after_moves_were_made) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarellePlay *play = marelle_play_create(game);
    MarelleSearch *search = search_of(game, 0, "uct:seed=1");
    static const char *const moves[][2] = {{"(mark 1 1)", "noop"},
                                           {"noop", "(mark 3 3)"},
                                           {"(mark 1 2)", "noop"},
                                           {"noop", "(mark 3 2)"}};
    for (size_t i = 0; i < 4; i++) {
        uint32_t joint[2];
        for (uint32_t r = 0; r < 2; r++) {
            joint[r] = marelle_find_move(play, r, moves[i][r]);
            cr_assert_neq(joint[r], MARELLE_NO_MOVE, "%s", moves[i][r]);
        }
        cr_assert_eq(marelle_search_advance(search, joint, NULL), MARELLE_OK);
    }
    cr_assert_eq(marelle_search_run(search, &(MarelleBudget){.playouts = 20000}, NULL), MARELLE_OK);
    const MarelleSearchResult *r = marelle_search_result(search);
    cr_assert_str_eq(marelle_move_text(play, 0, r->best), "(mark 1 3)");
    cr_assert_eq(r->move_count, 5);
    cr_assert(r->moves[0].is_proven);
    cr_assert_float_eq(r->moves[0].value, 100, 1e-9);
    cr_assert_eq(r->belief_states, 1);
    uint32_t winning[2] = {r->best, marelle_find_move(play, 1, "noop")};
    MarelleProblem problem;
    cr_assert_eq(marelle_search_advance(search, winning, &problem), MARELLE_BAD_ARGUMENT);
    cr_assert_str_eq(problem.text, "the match is over after this move");
    marelle_search_free(search);
    marelle_play_free(play);
    marelle_game_free(game);
}

Test(search, one_seed_gives_one_result) {
    MarelleGame *game = game_from_file(GAME("connect_four"), false);
    double values[2];
    for (int i = 0; i < 2; i++) {
        MarelleSearch *search = search_of(game, 0, "uct:seed=7");
        cr_assert_eq(marelle_search_run(search, &(MarelleBudget){.playouts = 5000}, NULL),
                     MARELLE_OK);
        const MarelleSearchResult *r = marelle_search_result(search);
        cr_assert_geq(r->playouts, 5000);
        cr_assert_gt(r->line_turns, 0);
        values[i] = r->moves[0].value;
        marelle_search_free(search);
    }
    cr_assert_eq(values[0], values[1]);
    marelle_game_free(game);
}

Test(search, a_stop_flag_ends_a_search_without_limits) {
    MarelleGame *game = game_from_file(GAME("connect_four"), false);
    MarelleSearch *search = search_of(game, 0, "uct");
    bool stopped = true;
    cr_assert_eq(marelle_search_run(search, &(MarelleBudget){.stopped = &stopped}, NULL),
                 MARELLE_OK);
    cr_assert_neq(marelle_search_result(search)->best, MARELLE_NO_MOVE);
    MarelleSolution *solution;
    cr_assert_eq(marelle_solve(game, NULL, &(MarelleBudget){.stopped = &stopped}, &solution, NULL),
                 MARELLE_OK);
    cr_assert(!solution->is_solved);
    cr_assert_gt(strlen(solution->reason), 0);
    marelle_solution_free(solution);
    marelle_search_free(search);
    marelle_game_free(game);
}

/* After the door is chosen, the host opens another one, which the candidate sees. */
Test(search, beliefs_follow_percepts) {
    MarelleGame *game = game_from_file(GAME("monty_hall"), false);
    MarellePlay *play = marelle_play_create(game);
    MarelleState *state = marelle_state_create();
    uint32_t roles = marelle_game_role_count(game), candidate = 0, joint[8];
    while (!strcmp(marelle_game_role_name(game, candidate), "random"))
        candidate++;
    MarelleSearch *search = search_of(game, candidate, "auto:seed=1");
    cr_assert_eq(marelle_search_set_state(search, state, NULL), MARELLE_BAD_ARGUMENT);
    marelle_initial(play, state);
    for (;;) {
        MarelleBudget budget = {.playouts = 2000};
        cr_assert_eq(marelle_search_run(search, &budget, NULL), MARELLE_OK);
        cr_assert_gt(marelle_search_result(search)->belief_states, 0);
        for (uint32_t r = 0; r < roles; r++) {
            const uint32_t *moves;
            cr_assert_gt(marelle_legal(play, state, r, &moves), 0);
            joint[r] = moves[0];
        }
        char *percepts = strdup(marelle_sees(play, state, joint, candidate));
        marelle_next(play, state, joint, state);
        if (marelle_is_terminal(play, state)) {
            free(percepts);
            break;
        }
        cr_assert_eq(marelle_search_observe(search, joint[candidate], percepts, &budget, NULL),
                     MARELLE_OK);
        free(percepts);
    }
    cr_assert_eq(marelle_search_observe(search, 9999, "", &(MarelleBudget){.seconds = 1}, NULL),
                 MARELLE_BAD_ARGUMENT);
    marelle_search_free(search);
    marelle_state_free(state);
    marelle_play_free(play);
    marelle_game_free(game);
}

static void assert_refused(MarelleGame *game, uint32_t role, const char *method, const char *part) {
    MarelleSearch *search;
    MarelleProblem problem;
    cr_assert_eq(marelle_search_create(game, role, method, NULL, &search, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert(strstr(problem.text, part), "%s", problem.text);
    cr_assert_null(search);
}

Test(search, wrong_arguments_are_refused_with_a_sentence) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    assert_refused(game, 2, "uct", "no such player");
    assert_refused(game, 0, "nonsense", "nonsense");
    assert_refused(game, 0, "uct:nonsense=1", "nonsense");
    assert_refused(game, 0, "uct:model=/dev/null/nothing", "/dev/null/nothing");
    assert_refused(game, 0, "", "");
    MarelleSearch *search = search_of(game, 0, "uct");
    MarelleProblem problem;
    static const MarelleBudget wrong[] = {{0},
                                          {.bytes = 1},
                                          {.seconds = -1},
                                          {.seconds = NAN, .playouts = 1},
                                          {.seconds = INFINITY},
                                          {.playouts = 1, .reserved = {1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(marelle_search_run(search, &wrong[i], &problem), MARELLE_BAD_ARGUMENT);
        cr_assert(strstr(problem.text, "budget"), "%s", problem.text);
    }
    cr_assert_eq(marelle_search_advance(search, (uint32_t[]){77777, 0}, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert_str_eq(problem.text, "a move is illegal");
    cr_assert_eq(marelle_search_run(search, &(MarelleBudget){.playouts = 10}, &problem),
                 MARELLE_OK);
    cr_assert_str_eq(problem.text, "");
    MarelleSolution *solution;
    cr_assert_eq(marelle_solve(game, NULL, &(MarelleBudget){.playouts = 5}, &solution, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert(strstr(problem.text, "budget"), "%s", problem.text);
    cr_assert_null(solution);
    marelle_search_free(search);
    marelle_search_free(NULL);
    marelle_solution_free(NULL);
    marelle_game_free(game);
}

Test(search, a_game_that_is_over_at_once) {
    static const char text[] = "(role a) (init (x 1)) (legal a go) (<= (next (x 1)) (true (x 1)))\n"
                               "(<= terminal (true (x 1))) (goal a 50)";
    MarelleGame *game = game_of(rules_of(text), false);
    MarelleSearch *search = search_of(game, 0, "uct");
    MarelleProblem problem;
    cr_assert_eq(marelle_search_run(search, &(MarelleBudget){.playouts = 9}, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert_str_eq(problem.text, "the match is over in this state");
    MarelleSolution *solution;
    cr_assert_eq(marelle_solve(game, NULL, &(MarelleBudget){.seconds = 5}, &solution, NULL),
                 MARELLE_OK);
    cr_assert(solution->is_solved);
    marelle_solution_free(solution);
    marelle_search_free(search);
    marelle_game_free(game);
}

Test(search, tic_tac_toe_is_a_draw) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleSolution *solution;
    cr_assert_eq(marelle_solve(game, NULL, &(MarelleBudget){.bytes = 1 << 30}, &solution, NULL),
                 MARELLE_OK);
    cr_assert(solution->is_solved);
    cr_assert_str_eq(solution->reason, "");
    cr_assert_eq(solution->value_count, 2);
    cr_assert_float_eq(solution->values[0], 50, 1e-9);
    cr_assert_eq(solution->line_turns, 9);
    marelle_solution_free(solution);
    marelle_game_free(game);
}

Test(search, a_choice_is_told_in_words) {
    MarelleGame *game = game_from_file(GAME("connect_four"), false);
    MarelleSearch *plain = search_of(game, 0, "uct"), *search = search_of(game, 0, "auto:seed=1");
    cr_assert_str_eq(marelle_search_choice(plain), "");
    marelle_search_free(plain);
    cr_assert_eq(marelle_search_prepare(search, &(MarelleBudget){.playouts = 20}, NULL),
                 MARELLE_OK);
    cr_assert_gt(strlen(marelle_search_choice(search)), 10);
    marelle_search_free(search);
    char *methods = marelle_search_methods();
    cr_assert(strstr(methods, "\"name\":\"uct\""), "%s", methods);
    marelle_text_free(methods);
    marelle_game_free(game);
}

static MarelleSolution *solve_by(MarelleGame *game, const char *method, MarelleBudget budget) {
    MarelleSolution *s;
    MarelleProblem problem;
    cr_assert_eq(marelle_solve_by(game, NULL, method, &budget, &s, &problem), MARELLE_OK, "%s: %s",
                 method, problem.text);
    return s;
}

/* Every method finds the line of eight moves to the goal 100, and says so in its JSON. */
Test(solving, all_methods_solve_a_puzzle) {
    static const char *const methods[] = {
        "auto:seed=1", "exact",
        "plan",        "nmcs:seed=1,level=2",
        "nrpa:seed=1", "uct:seed=1,c=0.4",
        "uct1:seed=1", "mtmcts:seed=1,alpha=0.25,keys=depth,overlap=subgoals,unordered=1",
        "cds:seed=1"};
    MarelleGame *game = game_from_file(GAME("queens_guided"), false);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        MarelleSolution *s =
            solve_by(game, methods[i], (MarelleBudget){.playouts = 3000000, .cpu_seconds = 60});
        cr_assert(s->is_solved, "%s: %s", methods[i], s->reason);
        cr_assert_eq(s->value_count, 1);
        cr_assert_eq(s->values[0], 100, "%s", methods[i]);
        cr_assert_eq(s->line_turns, 8);
        cr_assert(strstr(s->json, "\"solved\":true"), "%s", s->json);
        cr_assert_eq(strstr(s->json, "\"descents\"") != NULL,
                     strstr(methods[i], "mtmcts") || strstr(methods[i], "uct"), "%s", s->json);
        marelle_solution_free(s);
    }
    marelle_game_free(game);
}

Test(solving, calls_that_cannot_be_made_are_refused) {
    static const struct {
        const char *method, *part;
        MarelleBudget budget;
        MarelleStatus status;
    } cases[] = {
        {"magic", "no way to solve called `magic`", {.seconds = 1}, MARELLE_BAD_ARGUMENT},
        {"nrpa:depth=2", "`nrpa` has no option `depth`", {.seconds = 1}, MARELLE_BAD_ARGUMENT},
        {"mtmcts:keys=none", "keys takes depth or passage", {.seconds = 1}, MARELLE_BAD_ARGUMENT},
        {"exact:", "budget is empty", {.playouts = 5}, MARELLE_BAD_ARGUMENT},
        {"exact", "budget is empty", {.cpu_seconds = -1}, MARELLE_BAD_ARGUMENT},
        {"nrpa", "for games with one role", {.seconds = 1}, MARELLE_UNFIT}};
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MarelleSolution *s;
        MarelleProblem problem;
        cr_assert_eq(marelle_solve_by(game, NULL, cases[i].method, &cases[i].budget, &s, &problem),
                     cases[i].status, "%s", cases[i].method);
        cr_assert_null(s);
        cr_assert(strstr(problem.text, cases[i].part), "%s", problem.text);
    }
    char *methods = marelle_solving_methods();
    cr_assert(strstr(methods, "\"mtmcts\"") && strstr(methods, "\"alpha\""), "%s", methods);
    marelle_text_free(methods);
    marelle_game_free(game);
}

/* Nothing else in these budgets would end the calls. */
Test(solving, cpu_time_alone_ends_calls) {
    MarelleGame *game = game_from_file(GAME("connect_four"), false);
    MarelleSearch *search = search_of(game, 0, "uct:seed=1");
    cr_assert_eq(marelle_search_run(search, &(MarelleBudget){.cpu_seconds = 0.02}, NULL),
                 MARELLE_OK);
    cr_assert_geq(marelle_search_result(search)->cpu_seconds, 0.01);
    MarelleSolution *s = solve_by(game, "auto", (MarelleBudget){.cpu_seconds = 0.02});
    cr_assert(!s->is_solved);
    cr_assert_str_eq(s->reason, "the time is spent");
    marelle_solution_free(s);
    MarelleCount counts[41];
    uint32_t counted;
    cr_assert_eq(
        marelle_count(game, 40, &(MarelleBudget){.cpu_seconds = 0.02}, counts, &counted, NULL),
        MARELLE_SPENT);
    cr_assert_leq(counted, 40);
    marelle_search_free(search);
    marelle_game_free(game);
}
