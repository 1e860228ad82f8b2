/* Matches and the player of the protocol through the public interface. */
#include <math.h>
#include <stdlib.h>

#include "api_games.h"

/* Takes the last move of each question, and notes what it was asked. */
typedef struct {
    size_t asked, turns;
    bool *stop;
} Guest;

static size_t take_last(void *context, const MarelleQuestion *question) {
    Guest *guest = context;
    guest->asked++;
    cr_assert_gt(question->legal_count, 1);
    cr_assert(strstr(question->state, "(cell"));
    cr_assert_str_eq(question->role_name, "o");
    return question->legal_count - 1;
}

static size_t choose_nothing(void *context, const MarelleQuestion *question) {
    (void)context;
    return question->legal_count;
}

static void count_turns(void *context, uint32_t turn, const char *const *moves, const char *state) {
    Guest *guest = context;
    cr_assert_eq(++guest->turns, turn);
    cr_assert(strstr(state, "(cell") && moves[0] && moves[1]);
    if (guest->stop)
        *guest->stop = turn == 2;
}

Test(matches, a_search_plays_against_a_function) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    Guest guest = {0};
    MarelleSeat seats[] = {{.name = "uct:playouts=500"},
                           {.name = "guest", .choose = take_last, .context = &guest}};
    MarelleMatchOptions options = {
        .seed = 3, .startclock = 0.1, .watch = count_turns, .context = &guest};
    MarelleMatch *match;
    MarelleProblem problem;
    cr_assert_eq(marelle_match_play(game, seats, 2, &options, &match, &problem), MARELLE_OK, "%s",
                 problem.text);
    cr_assert(match->is_completed);
    cr_assert_eq(match->goals[0], 100);
    cr_assert_eq(match->goals[1], 0);
    cr_assert_eq(match->turns, guest.turns);
    cr_assert_gt(guest.asked, 0);
    cr_assert_eq(match->error_count, 0);
    cr_assert(strstr(match->json, "\"guest\""), "%s", match->json);
    marelle_match_free(match);
    marelle_game_free(game);
}

Test(matches, no_choice_is_an_error_and_the_match_goes_on) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleSeat seats[] = {{.choose = choose_nothing}, {.name = "random"}};
    MarelleMatch *match;
    cr_assert_eq(marelle_match_play(game, seats, 2, NULL, &match, NULL), MARELLE_OK);
    cr_assert(match->is_completed);
    cr_assert_gt(match->error_count, 0);
    marelle_match_free(match);
    marelle_game_free(game);
}

Test(matches, a_flag_ends_a_match) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    bool stopped = false;
    Guest guest = {.stop = &stopped};
    MarelleSeat seats[] = {{.name = "legal"}, {.name = "legal"}};
    MarelleMatchOptions options = {
        .watch = count_turns, .context = &guest, .stopped = &stopped, .startclock = 0.1};
    MarelleMatch *match;
    cr_assert_eq(marelle_match_play(game, seats, 2, &options, &match, NULL), MARELLE_OK);
    cr_assert_not(match->is_completed);
    cr_assert_eq(match->turns, 2);
    cr_assert_eq(match->goals[0], MARELLE_GOAL_NONE);
    marelle_match_free(match);
    marelle_game_free(game);
}

Test(matches, wrong_seats_are_refused) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    static const char *const names[] = {"nonsense", "human", "http://127.0.0.1:1", "uct:x=1", NULL};
    MarelleMatch *match;
    MarelleProblem problem;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        MarelleSeat seats[] = {{.name = "legal"}, {.name = names[i]}};
        cr_assert_eq(marelle_match_play(game, seats, 2, NULL, &match, &problem),
                     MARELLE_BAD_ARGUMENT);
        cr_assert_gt(strlen(problem.text), 0);
        cr_assert_null(match);
    }
    MarelleSeat one[] = {{.name = "legal"}};
    cr_assert_eq(marelle_match_play(game, one, 1, NULL, &match, &problem), MARELLE_BAD_ARGUMENT);
    cr_assert_str_eq(problem.text, "the game needs 2 players, not 1");
    MarelleSeat seats[] = {{.name = "legal"}, {.name = "legal"}};
    cr_assert_eq(marelle_match_play(game, seats, 2, &(MarelleMatchOptions){.playclock = INFINITY},
                                    &match, &problem),
                 MARELLE_BAD_ARGUMENT);
    marelle_match_free(NULL);
    marelle_game_free(game);
}

static void assert_answer(MarellePlayer *player, const char *message, MarelleStatus status,
                          const char *part) {
    char *answer;
    cr_assert_eq(marelle_player_answer(player, message, strlen(message), &answer), status, "%s",
                 answer);
    cr_assert(strstr(answer, part), "%s: %s", message, answer);
    marelle_text_free(answer);
}

Test(player, a_match_by_messages) {
    MarellePlayer *player;
    cr_assert_eq(marelle_player_create(&(MarellePlayerOptions){.strategy = "legal"}, &player, NULL),
                 MARELLE_OK);
    assert_answer(player, "(INFO)", MARELLE_OK, "available");
    assert_answer(player,
                  "(START m a ((role a) (init (x 1)) (legal a go) (<= (next (x 2)) (does a go))"
                  " (<= terminal (true (x 2))) (<= (goal a 100) (true (x 2)))) 1 1)",
                  MARELLE_OK, "ready");
    assert_answer(player, "(PLAY m NIL)", MARELLE_OK, "go");
    assert_answer(player, "(STOP m (go))", MARELLE_OK, "done");
    assert_answer(player, "(FLY)", MARELLE_MALFORMED, "");
    assert_answer(player, "", MARELLE_MALFORMED, "");
    marelle_player_stop(player);
    marelle_player_free(player);
    marelle_player_free(NULL);
}

Test(player, wrong_options_are_refused) {
    MarellePlayer *player;
    MarelleProblem problem;
    static const MarellePlayerOptions wrong[] = {
        {.strategy = "nonsense"}, {.margin = NAN}, {.threads = 100000}, {.reserved = {1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(marelle_player_create(&wrong[i], &player, &problem), MARELLE_BAD_ARGUMENT);
        cr_assert_gt(strlen(problem.text), 0);
        cr_assert_null(player);
    }
}

/* With a clock of CPU time nobody is late, however busy the machine is. */
Test(matches, a_clock_of_cpu_time) {
    MarelleGame *game = game_from_file(GAME("tic_tac_toe"), false);
    MarelleMatch *match;
    MarelleSeat seats[] = {{.name = "uct:seed=1"}, {.name = "uct:seed=2,playouts=50"}};
    MarelleMatchOptions options = {.startclock = 0.01, .playclock = 0.01, .cpu_clock = true};
    cr_assert_eq(marelle_match_play(game, seats, 2, &options, &match, NULL), MARELLE_OK);
    cr_assert(match->is_completed);
    cr_assert_eq(match->error_count, 0);
    marelle_match_free(match);
    marelle_game_free(game);
}
