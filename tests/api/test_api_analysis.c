/* Analysis, decomposition, symmetries, sizes and boards through the public interface. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "api_games.h"

Test(analysis, what_is_known_of_tic_tac_toe) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleAnalysis *a;
    MarelleProblem problem;
    cr_assert_eq(marelle_analyze(game, NULL, &a, &problem), MARELLE_OK, "%s", problem.text);
    cr_assert_str_eq(a->turns, "alternating");
    cr_assert_eq(a->turns_certainty, MARELLE_PROVED);
    cr_assert_eq(a->zero_sum, MARELLE_PROVED);
    cr_assert_eq(a->sum, 100);
    cr_assert_eq(a->cooperative, MARELLE_UNKNOWN);
    cr_assert_geq(a->horizon, 9);
    cr_assert_gt(a->mutex_groups, 0);
    cr_assert(strstr(a->json, "\"turns\":\"alternating\""), "%s", a->json);
    marelle_analysis_free(a);
    marelle_game_free(game);
}

Test(analysis, two_games_inside_a_game) {
    MarelleGame *game = game_from_file(GAME("incredible"), false);
    MarellePlay *play = marelle_play_create(game);
    for (int i = 0; i < 2; i++) {
        MarelleDecompositionOptions options = {.method = i ? "stats" : "auto", .seed = 1};
        MarelleDecomposition *d;
        MarelleProblem problem;
        cr_assert_eq(marelle_decompose(game, &options, &d, &problem), MARELLE_OK, "%s",
                     problem.text);
        size_t useful = 0;
        for (size_t s = 0; s < d->subgame_count; s++) {
            const MarelleSubgame *g = &d->subgames[s];
            useful += g->has_actions && g->is_useful;
            for (size_t k = 0; k < g->fluent_count; k++)
                cr_assert_not_null(marelle_fluent_text(play, g->fluents[k]));
            for (size_t k = 0; k < g->move_count; k++)
                cr_assert_not_null(marelle_move_text(play, g->moves[k].role, g->moves[k].move));
            cr_assert_eq(g->has_actions, g->move_count > 0);
        }
        cr_assert_geq(useful, 2);
        cr_assert(strstr(d->json, "\"subgames\""));
        cr_assert_eq(strncmp(d->graph, "graph ", 6), 0, "%.20s", d->graph);
        marelle_decomposition_free(d);
    }
    marelle_play_free(play);
    marelle_game_free(game);
}

Test(analysis, what_is_left_of_a_game_is_decomposed) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarellePlay *play = marelle_play_create(game);
    MarelleState *state = marelle_state_create();
    marelle_initial(play, state);
    MarelleDecomposition *d;
    MarelleDecompositionOptions options = {.from = state, .seconds = 5};
    cr_assert_eq(marelle_decompose(game, &options, &d, NULL), MARELLE_OK);
    marelle_decomposition_free(d);
    while (!marelle_is_terminal(play, state)) {
        uint32_t joint[2];
        for (uint32_t r = 0; r < 2; r++) {
            const uint32_t *moves;
            cr_assert_gt(marelle_legal(play, state, r, &moves), 0);
            joint[r] = moves[0];
        }
        marelle_next(play, state, joint, state);
    }
    MarelleProblem problem;
    cr_assert_eq(marelle_decompose(game, &options, &d, &problem), MARELLE_BAD_ARGUMENT);
    cr_assert_str_eq(problem.text, "the match is over in this state");
    cr_assert_null(d);
    marelle_state_free(state);
    marelle_play_free(play);
    marelle_game_free(game);
}

Test(analysis, eight_symmetries_of_a_square) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleSymmetries *s;
    cr_assert_eq(marelle_symmetries(game, NULL, &s, NULL), MARELLE_OK);
    cr_assert_str_eq(s->order, "8");
    cr_assert(s->is_complete);
    cr_assert_eq(s->role_count, 2);
    cr_assert_gt(s->generator_count, 0);
    for (size_t g = 0; g < s->generator_count; g++) {
        uint64_t sum = 0;
        for (uint32_t f = 0; f < s->fluent_count; f++)
            sum += s->generators[g].fluents[f];
        cr_assert_eq(sum, (uint64_t)s->fluent_count * (s->fluent_count - 1) / 2, "a permutation");
    }
    cr_assert_leq(s->first_move[1], s->move_count);
    cr_assert_not_null(s->swapping_order);
    marelle_symmetries_free(s);
    marelle_game_free(game);
}

Test(analysis, games_without_a_circuit_are_refused) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), true);
    MarelleDecomposition *d;
    MarelleSymmetries *s;
    MarelleAnalysis *a;
    MarelleProblem problem;
    cr_assert_eq(marelle_decompose(game, NULL, &d, &problem), MARELLE_UNFIT);
    cr_assert(strstr(problem.text, "no circuit"), "%s", problem.text);
    cr_assert_eq(marelle_symmetries(game, NULL, &s, &problem), MARELLE_UNFIT);
    cr_assert_eq(marelle_game_write_circuit(game, "dot", "/tmp/x", &problem), MARELLE_UNFIT);
    cr_assert_null(marelle_game_circuit(game));
    cr_assert_eq(marelle_analyze(game, &(MarelleAnalysisOptions){.cpu_seconds = 1}, &a, NULL),
                 MARELLE_OK);
    cr_assert_eq(a->turns_certainty, MARELLE_OBSERVED);
    marelle_analysis_free(a);
    marelle_game_free(game);
}

Test(analysis, wrong_options_are_refused) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleDecomposition *d;
    MarelleSymmetries *s;
    MarelleAnalysis *a;
    MarelleProblem problem;
    cr_assert_eq(marelle_analyze(game, &(MarelleAnalysisOptions){.cpu_seconds = NAN}, &a, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert_gt(strlen(problem.text), 0);
    cr_assert_eq(marelle_symmetries(game, &(MarelleSymmetryOptions){.reserved = {1}}, &s, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert_eq(
        marelle_decompose(game, &(MarelleDecompositionOptions){.method = "magic"}, &d, &problem),
        MARELLE_BAD_ARGUMENT);
    cr_assert(strstr(problem.text, "magic"), "%s", problem.text);
    cr_assert_eq(marelle_game_write_circuit(game, "png", "/tmp/x", &problem), MARELLE_BAD_ARGUMENT);
    cr_assert_eq(marelle_game_write_circuit(game, "dot", "/dev/null/x", &problem),
                 MARELLE_UNREADABLE);
    cr_assert_gt(strlen(problem.text), 0);
    marelle_game_free(game);
}

Test(analysis, a_circuit_is_written) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    char path[] = "/tmp/marelle-api-XXXXXX", start[4] = "";
    int file = mkstemp(path);
    cr_assert_eq(marelle_game_write_circuit(game, "aiger", path, NULL), MARELLE_OK);
    cr_assert_eq(read(file, start, 3), 3);
    cr_assert_str_eq(start, "aag");
    close(file);
    unlink(path);
    char *json = marelle_game_circuit(game);
    cr_assert(strstr(json, "\"ands\""), "%s", json);
    marelle_text_free(json);
    marelle_game_free(game);
}

Test(analysis, positions_are_counted) {
    enum { DEPTH = 12 };
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleCount counts[DEPTH + 1];
    uint32_t counted;
    MarelleProblem problem;
    cr_assert_eq(marelle_count(game, DEPTH, &(MarelleBudget){0}, counts, &counted, NULL),
                 MARELLE_OK);
    cr_assert_eq(counted, 10, "nothing is left after nine turns");
    cr_assert_eq(counts[3].positions, 252);
    cr_assert_eq(counts[3].sequences, 504);
    bool stopped = true;
    cr_assert_eq(marelle_count(game, DEPTH, &(MarelleBudget){.stopped = &stopped}, counts, &counted,
                               &problem),
                 MARELLE_SPENT);
    cr_assert_str_eq(problem.text, "it was stopped");
    marelle_game_free(game);
}

Test(analysis, rules_are_described) {
    MarelleRules *rules;
    cr_assert_eq(marelle_rules_read_file(GAME("tic_tac_toe"), &rules), MARELLE_OK);
    char *json = marelle_rules_info(rules);
    cr_assert(strstr(json, "\"moves\":20"), "%s", json);
    marelle_text_free(json);
    marelle_rules_free(rules);
    cr_assert_eq(marelle_rules_read_text("x", "(", 1, &rules), MARELLE_MALFORMED);
    cr_assert_null(marelle_rules_info(rules));
    marelle_rules_free(rules);
}

Test(analysis, rules_are_grounded) {
    MarelleRules *rules = rules_of("(role a) (init (x 1)) (legal a go) (next (x 1))"
                                   "(<= terminal (true (x 1))) (goal a 50)");
    char *json;
    MarelleProblem problem;
    cr_assert_eq(marelle_rules_ground(rules, &(MarelleBudget){0}, &json, &problem), MARELLE_OK,
                 "%s", problem.text);
    cr_assert(strstr(json, "\"fluents\":1"), "%s", json);
    marelle_text_free(json);
    cr_assert_eq(marelle_rules_ground(rules, &(MarelleBudget){.seconds = -1}, &json, &problem),
                 MARELLE_BAD_ARGUMENT);
    cr_assert_null(json);
    marelle_rules_free(rules);
}

Test(analysis, recorded_matches_are_compared) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleTraceCheck result;
    MarelleProblem problem;
    cr_assert_eq(
        marelle_trace_check(game, MARELLE_TESTS "/../games/tic_tac_toe.trace", &result, &problem),
        MARELLE_OK, "%s", problem.text);
    cr_assert(result.is_equal, "%s", result.difference);
    cr_assert_gt(result.steps, 0);
    cr_assert_eq(marelle_trace_check(game, "/dev/null/nothing", &result, &problem),
                 MARELLE_UNREADABLE);
    cr_assert_eq(marelle_trace_check(game, GAME("connect_four"), &result, &problem),
                 MARELLE_MALFORMED);
    cr_assert_gt(strlen(problem.text), 0);
    marelle_game_free(game);
}

Test(boards, a_state_is_described_and_drawn) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarellePlay *play = marelle_play_create(game);
    MarelleState *state = marelle_state_create();
    MarelleBoard *board = marelle_board_recognise(game, 1);
    marelle_initial(play, state);
    char *json = marelle_board_json(board);
    cr_assert(strstr(json, "\"grids\":[{\"width\":3,\"height\":3"), "%s", json);
    marelle_text_free(json);
    json = marelle_board_state_json(board, play, state, true);
    cr_assert(strstr(json, "\"terminal\":false"), "%s", json);
    cr_assert(strstr(json, "(mark 2 2)"), "%s", json);
    marelle_text_free(json);
    json = marelle_board_state_json(board, play, state, false);
    cr_assert_null(strstr(json, "(mark 2 2)"), "%s", json);
    marelle_text_free(json);
    char *text = marelle_board_text(board, play, state,
                                    &(MarellePictureOptions){.ascii = true, .width = 20});
    cr_assert(strstr(text, ". . ."), "%s", text);
    marelle_text_free(text);
    text = marelle_board_svg(board, play, state, true);
    cr_assert_eq(strncmp(text, "<svg", 4), 0, "%.20s", text);
    marelle_text_free(text);
    marelle_game_free(NULL);
    marelle_board_free(board);
    marelle_board_free(NULL);
    marelle_state_free(state);
    marelle_play_free(play);
    marelle_game_free(game);
}

/* Nothing else would end these calls soon; the games are as good as before. */
Test(analysis, a_stop_flag_ends_calls) {
    MarelleGame *game = game_from_file(GAME("connect_four"), false);
    const bool stopped = true;
    MarelleAnalysis *a;
    MarelleDecomposition *d;
    MarelleSymmetries *s;
    MarelleBoard *board;
    MarelleNetwork *network;
    MarelleProblem problem;
    MarelleAnalysisOptions how = {.cpu_seconds = 1e6, .stopped = &stopped};
    cr_assert_eq(marelle_analyze(game, &how, &a, NULL), MARELLE_OK);
    marelle_analysis_free(a);
    MarelleDecompositionOptions parts = {.playouts = UINT64_MAX, .stopped = &stopped};
    cr_assert_eq(marelle_decompose(game, &parts, &d, &problem), MARELLE_SPENT);
    cr_assert_null(d);
    cr_assert_str_eq(problem.text, "the call was stopped");
    MarelleSymmetryOptions alike = {.cpu_seconds = 1e6, .stopped = &stopped};
    cr_assert_eq(marelle_symmetries(game, &alike, &s, NULL), MARELLE_SPENT);
    MarelleBoardOptions seen = {.stopped = &stopped};
    cr_assert_eq(marelle_board_create(game, &seen, &board, NULL), MARELLE_SPENT);
    cr_assert_null(board);
    MarelleNetworkOptions built = {.horizon = 40, .stopped = &stopped};
    cr_assert_eq(marelle_network_create(game, &built, &network, NULL), MARELLE_SPENT);
    cr_assert_null(network);
    cr_assert_eq(marelle_symmetries(game, NULL, &s, NULL), MARELLE_OK);
    cr_assert_str_eq(s->order, "2");
    marelle_symmetries_free(s);
    seen = (MarelleBoardOptions){.seed = 1, .cpu_seconds = 5};
    cr_assert_eq(marelle_board_create(game, &seen, &board, NULL), MARELLE_OK);
    marelle_board_free(board);
    seen.cpu_seconds = -1;
    cr_assert_eq(marelle_board_create(game, &seen, &board, NULL), MARELLE_BAD_ARGUMENT);
    marelle_game_free(game);
}
