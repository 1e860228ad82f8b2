/* Tests the public interface as a user sees it: only <marelle/marelle.h>, linked with the shared
 * library. Other tests check the answers; this one checks the contract: how calls fail, who owns
 * which memory, and that both kinds of game give the same answers. */
#include <math.h>

#include "api_games.h"

/* Two roles say a or b for one turn; a role that is told sees the other's move. */
static const char whisper[] = "(role alice) (role bob) (init (step 1))\n"
                              "(<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))\n"
                              "(<= (next (step 2)) (true (step 1)))\n"
                              "(<= (next (said ?r ?m)) (does ?r ?m))\n"
                              "(<= (sees bob ?m) (does alice ?m))\n"
                              "(<= terminal (true (step 2)))\n"
                              "(<= (goal ?r 100) (true (said ?r a)))\n"
                              "(<= (goal ?r 0) (true (said ?r b)))\n";

Test(api, version_and_status_are_words) {
    cr_assert_gt(strlen(marelle_version()), 4);
    cr_assert_str_eq(marelle_status_text(MARELLE_MALFORMED), "malformed");
    cr_assert_str_eq(marelle_status_text((MarelleStatus)99), "unknown status");
}

Test(api, a_file_that_is_not_there) {
    MarelleRules *rules;
    MarelleGame *game;
    cr_assert_eq(marelle_rules_read_file("/dev/null/nothing/game.kif", &rules), MARELLE_UNREADABLE);
    cr_assert_eq(marelle_diagnostic_count(rules), 1);
    cr_assert_eq(marelle_diagnostic(rules, 0).severity, MARELLE_ERROR);
    cr_assert_eq(marelle_rules_check(rules), 1);
    cr_assert_null(marelle_rules_write(rules, MARELLE_KIF));
    cr_assert_eq(marelle_game_build(rules, NULL, &game), MARELLE_MALFORMED);
    cr_assert_null(game);
    marelle_rules_free(rules);
}

Test(api, a_text_that_is_no_list_of_rules) {
    MarelleRules *rules;
    cr_assert_eq(marelle_rules_read_text("mine", "(role x", 7, &rules), MARELLE_MALFORMED);
    MarelleDiagnostic d = marelle_diagnostic(rules, 0);
    cr_assert_str_eq(d.file, "mine");
    cr_assert_eq(d.line, 1);
    cr_assert_eq(d.column, 1);
    cr_assert_str_eq(d.code, "unclosed-paren");
    cr_assert_not_null(d.hint);
    marelle_rules_free(rules);
}

Test(api, checking_finds_errors_and_building_tells_why_not) {
    MarelleRules *rules = rules_of("(init (p 1))");
    MarelleGame *game;
    cr_assert_eq(marelle_diagnostic_count(rules), 0);
    cr_assert_gt(marelle_rules_check(rules), 0);
    size_t found = marelle_diagnostic_count(rules);
    cr_assert_gt(found, 0);
    cr_assert_eq(marelle_game_build(rules, NULL, &game), MARELLE_UNPLAYABLE);
    cr_assert_null(game);
    cr_assert_gt(marelle_diagnostic_count(rules), found);
    marelle_rules_free(rules);
}

Test(api, a_sound_game_has_no_errors) {
    MarelleRules *rules;
    cr_assert_eq(marelle_rules_read_file(GAME("tic_tac_toe"), &rules), MARELLE_OK);
    cr_assert_eq(marelle_rules_check(rules), 0);
    marelle_rules_free(rules);
}

static void assert_written(const MarelleRules *rules, MarelleNotation notation, const char *part) {
    char *text = marelle_rules_write(rules, notation);
    cr_assert_not_null(text);
    cr_assert(strstr(text, part), "no `%s` in `%s`", part, text);
    marelle_text_free(text);
}

Test(api, writing_in_all_notations) {
    MarelleRules *rules = rules_of("(<= (goal ?x 100) (true (won ?x)))");
    assert_written(rules, MARELLE_KIF, "(<= (goal ?x 100) (true (won ?x)))\n");
    assert_written(rules, MARELLE_INFIX, "goal(X,100) :-");
    assert_written(rules, MARELLE_ASP, ":-");
    assert_written(rules, MARELLE_PLAN, "aux_turns");
    cr_assert_null(marelle_rules_write(rules, (MarelleNotation)99));
    marelle_rules_free(rules);
}

Test(api, writing_no_rules_gives_a_text) {
    MarelleRules *rules = rules_of("; nothing\n");
    char *text = marelle_rules_write(rules, MARELLE_KIF);
    cr_assert_not_null(text);
    marelle_text_free(text);
    marelle_rules_free(rules);
}

static void play_whisper(bool interpreter_only) {
    MarelleGame *game = game_of(rules_of(whisper), interpreter_only);
    cr_assert_eq(marelle_game_why_interpreted(game) != NULL, interpreter_only);
    cr_assert_eq(marelle_game_role_count(game), 2);
    cr_assert_str_eq(marelle_game_role_name(game, 1), "bob");
    cr_assert_null(marelle_game_role_name(game, 2));

    MarellePlay *play = marelle_play_create(game);
    MarelleState *state = marelle_state_create(), *first = marelle_state_create();
    const uint32_t *alice, *bob;
    marelle_initial(play, state);
    marelle_state_copy(first, state);
    cr_assert_str_eq(marelle_state_text(play, state), "(step 1)");
    cr_assert(!marelle_is_terminal(play, state));
    cr_assert_eq(marelle_goal(play, state, 0), MARELLE_GOAL_NONE);
    cr_assert_eq(marelle_legal(play, state, 0, &alice), 2);
    cr_assert_eq(marelle_legal(play, state, 1, &bob), 2);
    cr_assert_str_eq(marelle_move_text(play, 0, marelle_find_move(play, 0, "A")), "a");

    uint32_t joint[] = {marelle_find_move(play, 0, "a"), marelle_find_move(play, 1, "b")};
    cr_assert_str_eq(marelle_sees(play, state, joint, 1), "a");
    cr_assert_str_eq(marelle_sees(play, state, joint, 0), "");
    cr_assert_eq(marelle_next(play, state, joint, state), MARELLE_OK);
    cr_assert_str_eq(marelle_state_text(play, state), "(said alice a) (said bob b) (step 2)");
    cr_assert(marelle_is_terminal(play, state));
    cr_assert_eq(marelle_goal(play, state, 0), 100);
    cr_assert_eq(marelle_goal(play, state, 1), 0);

    cr_assert(!marelle_state_equal(first, state));
    cr_assert_eq(marelle_next(play, first, joint, first), MARELLE_OK);
    cr_assert(marelle_state_equal(first, state));
    cr_assert_eq(marelle_state_hash(first), marelle_state_hash(state));
    marelle_state_free(first);
    marelle_state_free(state);
    marelle_play_free(play);
    marelle_game_free(game);
}

Test(api, one_turn_through_the_circuit) {
    play_whisper(false);
}

Test(api, one_turn_through_the_interpreter) {
    play_whisper(true);
}

static void ask_nonsense(bool interpreter_only) {
    MarelleGame *game = game_of(rules_of(whisper), interpreter_only);
    MarellePlay *play = marelle_play_create(game);
    MarelleState *state = marelle_state_create();
    const uint32_t *moves;
    const uint32_t nonsense[] = {4000000000u, 0};
    marelle_initial(play, state);
    cr_assert_eq(marelle_legal(play, state, 7, &moves), 0);
    cr_assert_eq(marelle_goal(play, state, 7), MARELLE_GOAL_NONE);
    cr_assert_null(marelle_move_text(play, 7, 0));
    cr_assert_null(marelle_move_text(play, 0, 4000000000u));
    cr_assert_null(marelle_sees(play, state, nonsense, 0));
    cr_assert_eq(marelle_next(play, state, nonsense, state), MARELLE_BAD_ARGUMENT);
    cr_assert_str_eq(marelle_state_text(play, state), "(step 1)");
    cr_assert_eq(marelle_find_move(play, 7, "a"), MARELLE_NO_MOVE);
    cr_assert_eq(marelle_find_move(play, 0, "(fly to the moon)"), MARELLE_NO_MOVE);
    cr_assert_eq(marelle_find_move(play, 0, "((("), MARELLE_NO_MOVE);
    marelle_state_free(state);
    marelle_play_free(play);
    marelle_game_free(game);
}

Test(api, numbers_that_mean_nothing_do_no_harm) {
    ask_nonsense(false);
    ask_nonsense(true);
}

Test(api, a_budget_too_small_selects_the_interpreter) {
    MarelleRules *rules =
        rules_of("(role x) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)\n"
                 "(<= (legal x (go ?a ?b ?c ?d)) (d ?a) (d ?b) (d ?c) (d ?d) (true (p)))\n"
                 "(init (p)) (<= terminal (not (true (p))))");
    MarelleGame *game;
    MarelleGameOptions options = {.build_seconds = 1e-9};
    cr_assert_eq(marelle_game_build(rules, &options, &game), MARELLE_OK);
    cr_assert_not_null(marelle_game_why_interpreted(game));
    marelle_game_free(game);
    marelle_rules_free(rules);
}

/* The exact values are 737/1260 wins and 8/63 draws of the first player, and 3203/420 turns. */
static void play_tic_tac_toe(bool interpreter_only, uint64_t playouts, double tolerance) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), interpreter_only);
    MarellePlayoutOptions options = {.playouts = playouts, .seed = 7};
    MarellePlayoutStatistics s, again;
    double goals[2];
    cr_assert_eq(marelle_playouts(game, &options, &s, goals), MARELLE_OK);
    cr_assert_eq(s.playouts, playouts);
    cr_assert_eq(s.stuck + s.too_long, 0);
    cr_assert_float_eq((double)s.turns / (double)playouts, 3203.0 / 420, tolerance / 20);
    cr_assert_float_eq(goals[0], 100 * 737.0 / 1260 + 50 * 8.0 / 63, tolerance);
    cr_assert_float_eq(goals[0] + goals[1], 100, 1e-6);
    cr_assert_eq(marelle_playouts(game, &options, &again, NULL), MARELLE_OK);
    cr_assert_eq(s.turns, again.turns);
    marelle_game_free(game);
}

Test(api, random_play_of_tic_tac_toe) {
    play_tic_tac_toe(false, 200000, 0.5);
    play_tic_tac_toe(true, 1000, 7);
}

Test(api, random_play_needs_a_budget_and_keeps_it) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), true);
    MarellePlayoutOptions nothing = {0}, blink = {.seconds = 0.05};
    MarellePlayoutStatistics s;
    cr_assert_eq(marelle_playouts(game, &nothing, &s, NULL), MARELLE_BAD_ARGUMENT);
    cr_assert_eq(marelle_playouts(game, &blink, &s, NULL), MARELLE_OK);
    cr_assert_lt(s.cpu_seconds, 1);
    marelle_game_free(game);
}

static void play_without_end(bool interpreter_only) {
    MarelleGame *game =
        game_of(rules_of("(role x) (init (p)) (legal x wait) (<= (next (p)) (true (p)))\n"
                         "(<= terminal (true (q)))"),
                interpreter_only);
    MarellePlayoutOptions options = {.playouts = 3, .step_limit = 50};
    MarellePlayoutStatistics s;
    double goal;
    cr_assert_eq(marelle_playouts(game, &options, &s, &goal), MARELLE_OK);
    cr_assert_eq(s.playouts, 0);
    cr_assert_eq(s.too_long, 3);
    cr_assert(isnan(goal));
    marelle_game_free(game);
}

Test(api, matches_without_end_are_given_up) {
    play_without_end(false);
    play_without_end(true);
}

Test(api, building_is_stopped_and_options_are_checked) {
    MarelleRules *rules;
    MarelleGame *game;
    bool stopped = true;
    cr_assert_eq(marelle_rules_read_file(GAME("tic_tac_toe"), &rules), MARELLE_OK);
    cr_assert_eq(marelle_game_build(rules, &(MarelleGameOptions){.stopped = &stopped}, &game),
                 MARELLE_SPENT);
    cr_assert_null(game);
    cr_assert_str_eq(marelle_diagnostic(rules, 0).message, "building was stopped");
    static const MarelleGameOptions wrong[] = {
        {.build_seconds = NAN}, {.build_seconds = -1}, {.kernel = "steam"}, {.reserved = {1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(marelle_game_build(rules, &wrong[i], &game), MARELLE_BAD_ARGUMENT);
        cr_assert_null(game);
    }
    stopped = false;
    cr_assert_eq(marelle_game_build(rules, &(MarelleGameOptions){.stopped = &stopped}, &game),
                 MARELLE_OK);
    stopped = true;
    MarellePlayoutStatistics s;
    cr_assert_eq(marelle_playouts(game, &(MarellePlayoutOptions){.playouts = 9}, &s, NULL),
                 MARELLE_OK);
    cr_assert_eq(s.playouts, 9, "the flag is forgotten");
    cr_assert_str_eq(marelle_diagnostic(rules, 1000).message, "");
    marelle_rules_free(rules);
    cr_assert_not(marelle_game_hides(game));
    cr_assert_eq(marelle_game_move_count(game, 0), 10);
    cr_assert_eq(marelle_game_move_count(game, 7), 0);
    cr_assert_eq(marelle_game_fluent_count(game), 29);
    marelle_game_free(game);
}

/* The seed and the number of threads give the result; matches from a state begin there. */
Test(playouts, threads_share_them_and_they_begin_anywhere) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarellePlay *play = marelle_play_create(game);
    MarelleState *state = marelle_state_create();
    MarellePlayoutStatistics one, same, other;
    double goals[2], again[2];
    MarellePlayoutOptions options = {.playouts = 2000, .seed = 3, .threads = 3};
    cr_assert_eq(marelle_playouts(game, &options, &one, goals), MARELLE_OK);
    cr_assert_eq(marelle_playouts(game, &options, &same, again), MARELLE_OK);
    cr_assert_eq(one.playouts, 2000);
    cr_assert_eq(one.turns, same.turns);
    cr_assert_eq(goals[0], again[0]);
    options.threads = 1;
    cr_assert_eq(marelle_playouts(game, &options, &other, again), MARELLE_OK);
    cr_assert_neq(goals[0], again[0]);
    static const char *const moves[][2] = {{"(mark 1 1)", "noop"},
                                           {"noop", "(mark 3 3)"},
                                           {"(mark 1 2)", "noop"},
                                           {"noop", "(mark 3 2)"},
                                           {"(mark 1 3)", "noop"}};
    marelle_initial(play, state);
    for (size_t i = 0; i < 5; i++) {
        uint32_t joint[2] = {marelle_find_move(play, 0, moves[i][0]),
                             marelle_find_move(play, 1, moves[i][1])};
        options.from = state;
        cr_assert_eq(marelle_playouts(game, &options, &other, goals), MARELLE_OK);
        cr_assert_leq(other.turns, (9 - i) * 2000);
        cr_assert_eq(marelle_next(play, state, joint, state), MARELLE_OK);
    }
    cr_assert_eq(marelle_playouts(game, &options, &other, goals), MARELLE_OK);
    cr_assert_eq(other.turns, 0);
    cr_assert_eq(goals[0], 100);
    options.gpu = true;
    cr_assert_eq(marelle_playouts(game, &options, &other, goals), MARELLE_BAD_ARGUMENT);
    options = (MarellePlayoutOptions){.playouts = 1, .threads = 5000};
    cr_assert_eq(marelle_playouts(game, &options, &other, goals), MARELLE_BAD_ARGUMENT);
    marelle_state_free(state);
    marelle_play_free(play);
    marelle_game_free(game);
}
