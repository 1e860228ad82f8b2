/* Tests matches among players in this process, and players on the network that cannot be
 * reached. */
#include "server/referee/match.h"

#include "game/play.h"
#include "server/json/json.h"
#include "server/referee/client.h"

TestSuite(match, .timeout = 600);

static MatchRecord *play(Game *game, const char *first, const char *second, double clock,
                         uint64_t seed) {
    Report report = {0};
    Contestant a, b;
    cr_assert(contestant_read(&a, first, &report));
    cr_assert(contestant_read(&b, second ? second : "random", &report));
    const Contestant *contestants[] = {&a, &b};
    MatchSetup setup = {.game = game,
                        .game_name = "some game",
                        .contestants = contestants,
                        .contestant_count = game_count_players(game),
                        .startclock = clock,
                        .playclock = clock,
                        .seed = seed,
                        .post = client_post};
    MatchRecord *record = match_play(&setup, &report);
    cr_assert_not_null(record);
    contestant_free(&a);
    contestant_free(&b);
    report_free(&report);
    return record;
}

Test(match, two_random_players) {
    Game *game = game_named("tic_tac_toe", NULL);
    MatchRecord *record = play(game, "random", "random", 1, 1);
    cr_expect(record->is_completed);
    cr_expect_eq(record->faults.count, 0);
    cr_expect_eq(record->states.count, record->moves.count + 1);
    cr_expect_eq(record->times.count, record->states.count);
    cr_expect_eq(record->goals[0] + record->goals[1], 100);
    MatchRecord *again = play(game, "random", "random", 1, 1);
    cr_assert_eq(record->states.count, again->states.count);
    for (size_t i = 0; i < record->states.count; i++)
        cr_expect_str_eq(record->states.items[i], again->states.items[i]);
    match_free(record);
    match_free(again);
    game_free(game);
}

Test(match, the_record_as_json) {
    Game *game = game_named("tic_tac_toe", NULL);
    MatchRecord *record = play(game, "legal", "legal:seed=4", 1, 1);
    json_t *object = match_json(record);
    static const char *const keys[] = {"matchId",    "rules",  "startClock", "playClock",
                                       "moves",      "states", "goalValues", "playerNamesFromHost",
                                       "stateTimes", "errors", "goals",      "isCompleted"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        cr_expect_not_null(json_object_get(object, keys[i]), "%s", keys[i]);
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(object, "goals"), "x")),
                 record->goals[0]);
    const char *state = json_string_value(json_array_get(json_object_get(object, "states"), 0));
    cr_expect(strstr(state, "(true (control x))"), "%s", state);
    json_decref(object);
    match_free(record);
    game_free(game);
}

Test(match, a_search_beats_chance) {
    if (!strategy_find_method("uct"))
        cr_skip_test("there is no uct");
    Game *game = game_named("tic_tac_toe", NULL);
    MatchRecord *record = play(game, "uct:playouts=2000", "random", 1, 3);
    cr_expect(record->goals[0] >= 50);
    cr_expect_eq(record->faults.count, 0);
    match_free(record);
    game_free(game);
}

/* Returns the number of matches in which the first role gets 100. */
static int wins_of(Game *game, const char *first, const char *second, int matches) {
    int wins = 0;
    for (int seed = 0; seed < matches; seed++) {
        MatchRecord *record = play(game, first, second, 5, (uint64_t)seed);
        cr_expect(record->is_completed);
        cr_expect_eq(record->faults.count, 0);
        wins += record->goals[0] == 100;
        match_free(record);
    }
    return wins;
}

/* Chance has tossed a coin before it is guessed. A player that could see the state would always
 * win. */
static const char *const coin_text =
    "(role guesser) (role random) (init toss) (side heads) (side tails)"
    "(<= (legal random (toss ?s)) (side ?s) (true toss))"
    "(<= (legal random noop) (not (true toss)))"
    "(<= (legal guesser noop) (true toss))"
    "(<= (legal guesser (guess ?s)) (side ?s) (not (true toss)))"
    "(<= (next (lies ?s)) (does random (toss ?s)))"
    "(<= (next (lies ?s)) (true (lies ?s)))"
    "(<= (next (guessed ?s)) (does guesser (guess ?s)))"
    "(<= (sees guesser right) (does guesser (guess ?s)) (true (lies ?s)))"
    "(<= right (true (lies ?s)) (true (guessed ?s)))"
    "(<= terminal (true (guessed ?s)))"
    "(<= (goal guesser 100) right) (<= (goal guesser 0) (not right)) (goal random 0)";

/* As in the game above, but another player has put down the coin. */
static const char *const hidden_coin_text =
    "(role guesser) (role hider) (init put) (side heads) (side tails)"
    "(<= (legal hider (put ?s)) (side ?s) (true put))"
    "(<= (legal hider noop) (not (true put)))"
    "(<= (legal guesser noop) (true put))"
    "(<= (legal guesser (guess ?s)) (side ?s) (not (true put)))"
    "(<= (next (lies ?s)) (does hider (put ?s)))"
    "(<= (next (lies ?s)) (true (lies ?s)))"
    "(<= (next (guessed ?s)) (does guesser (guess ?s)))"
    "(<= (sees hider (done ?s)) (does hider (put ?s)))"
    "(<= right (true (lies ?s)) (true (guessed ?s)))"
    "(<= terminal (true (guessed ?s)))"
    "(<= (goal guesser 100) right) (<= (goal guesser 0) (not right))"
    "(<= (goal hider 0) right) (<= (goal hider 100) (not right))";

/* Guessing wins 30 of 60 matches; 45 would be four standard deviations more. */
Test(match, no_strategy_looks_at_what_is_hidden) {
    Game *tossed = game_of_text(coin_text, NULL), *put = game_of_text(hidden_coin_text, NULL);
    for (const SearchMethod *const *m = strategy_methods; *m; m++) {
        char player[100];
        if ((*m)->for_one_role)
            continue;
        snprintf(player, sizeof player, "%s:playouts=64", (*m)->name);
        int wins = wins_of(tossed, player, NULL, 60);
        cr_expect(wins > 15 && wins < 45, "%s wins %d of 60", player, wins);
        wins = wins_of(put, player, "random", 60);
        cr_expect(wins > 15 && wins < 45, "%s wins %d of 60", player, wins);
    }
    game_free(tossed);
    game_free(put);
}

Test(match, the_door_is_swapped) {
    Game *game = game_named("monty_hall", NULL);
    int wins = wins_of(game, "uct:playouts=2000", NULL, 60);
    cr_expect(wins > 29 && wins < 51, "%d of 60, not about 40", wins);
    game_free(game);
}

/* The belief of a role is computed with the clock of the match, however short the search is: no
 * move has to be replaced. Seconds are CPU time here. */
Test(match, little_thought_is_enough_to_move_legally) {
    static const char *const names[] = {"war", "wumpus"};
    for (size_t i = 0; i < 2; i++) {
        Report report = {0};
        Game *game = game_named(names[i], NULL);
        Contestant players[2];
        for (int p = 0; p < 2; p++) {
            cr_assert(contestant_read(&players[p], p ? "mac-ucb-sym" : "uct", &report));
            players[p].strategy.seconds = 0.001;
            players[p].counts_cpu_seconds = true;
        }
        const Contestant *seats[] = {&players[0], &players[1]};
        MatchSetup setup = {.game = game,
                            .game_name = names[i],
                            .contestants = seats,
                            .contestant_count = game_count_players(game),
                            .startclock = 30,
                            .playclock = 30,
                            .seed = 3};
        MatchRecord *record = match_play(&setup, &report);
        cr_assert_not_null(record);
        cr_expect(record->is_completed);
        cr_expect_eq(record->faults.count, 0, "%s: %zu errors", names[i], record->faults.count);
        match_free(record);
        contestant_free(&players[0]);
        contestant_free(&players[1]);
        game_free(game);
        report_free(&report);
    }
}

/* Plays a match between two searches that measure in the start clock and one player that does
 * not. */
static MatchRecord *play_three(Game *game, double startclock, double playclock,
                               const char *const *opening) {
    Report report = {0};
    Contestant players[3];
    const Contestant *seats[3];
    for (int p = 0; p < 3; p++) {
        cr_assert(contestant_read(&players[p], p == 1 ? "random" : "auto:playouts=100", &report));
        seats[p] = &players[p];
    }
    MatchSetup setup = {.game = game,
                        .game_name = "row_pairs",
                        .contestants = seats,
                        .contestant_count = 3,
                        .startclock = startclock,
                        .playclock = playclock,
                        .opening = &opening,
                        .opening_turns = opening != NULL,
                        .seed = 1};
    MatchRecord *record = match_play(&setup, &report);
    cr_assert_not_null(record);
    cr_expect(record->is_completed);
    for (int p = 0; p < 3; p++)
        contestant_free(&players[p]);
    report_free(&report);
    return record;
}

/* Choices do not depend on time: with a thousandth of both clocks they are the same. */
Test(match, counted_playouts_give_one_choice) {
    Game *game = game_named("row_pairs", NULL);
    MatchRecord *record = play_three(game, 300, 1, NULL), *again = play_three(game, 300, 1, NULL);
    MatchRecord *hasty = play_three(game, 0.3, 0.001, NULL);
    cr_expect(strstr(record->method_choices[0], "multitree won"), "%s", record->method_choices[0]);
    cr_expect_str_eq(record->method_choices[1], "");
    for (uint32_t r = 0; r < 3; r++) {
        cr_expect_str_eq(record->method_choices[r], again->method_choices[r]);
        cr_expect_str_eq(record->method_choices[r], hasty->method_choices[r]);
    }
    cr_assert_eq(record->states.count, again->states.count);
    for (size_t i = 0; i < record->states.count; i++)
        cr_expect_str_eq(record->states.items[i], again->states.items[i]);
    /* A match that is continued later has no start clock. */
    MatchRecord *later = play_three(game, 300, 1, record->moves.items[0]);
    for (uint32_t r = 0; r < 3; r++) {
        cr_expect_str_eq(later->method_choices[r], "");
        cr_expect_str_eq(later->moves.items[0][r], record->moves.items[0][r]);
    }
    match_free(record);
    match_free(again);
    match_free(hasty);
    match_free(later);
    game_free(game);
}

Test(match, percepts_are_recorded) {
    Game *game = game_named("kuhn_poker", NULL);
    MatchRecord *record = play(game, "uct:playouts=100", "cfr:playouts=100", 5, 1);
    cr_assert_eq(record->percepts.count, record->moves.count);
    cr_expect(strncmp(record->percepts.items[0][0], "(dealt ", 7) == 0);
    cr_expect(strncmp(record->percepts.items[1][1], "(did alice ", 11) == 0);
    cr_expect_str_eq(record->percepts.items[1][2], "");
    json_t *object = match_json(record);
    cr_expect_eq(json_array_size(json_object_get(object, "percepts")), record->moves.count);
    json_decref(object);
    match_free(record);
    game_free(game);
}

Test(match, unreachable_players_are_replaced) {
    Game *game = game_named("tic_tac_toe", NULL);
    MatchRecord *record = play(game, "legal", "http://127.0.0.1:1", 0.5, 1);
    cr_expect(record->is_completed);
    cr_expect_eq(record->faults.count, record->moves.count + 1);
    cr_expect_eq(record->faults.items[0].kind, FAULT_CONNECTION);
    cr_expect_eq(record->faults.items[0].role, 1);
    match_free(record);
    game_free(game);
}

Test(match, games_that_are_wrong_end) {
    Game *game = game_of_text(stuck_text, NULL);
    MatchRecord *record = play(game, "legal", "legal", 1, 1);
    cr_expect(!record->is_completed);
    cr_assert_eq(record->faults.count, 1);
    cr_expect_eq(record->faults.items[0].kind, FAULT_RULES);
    match_free(record);
    game_free(game);
}

Test(match, chance_needs_no_player) {
    Game *game = game_of_text("(role you) (role random) (init a) (legal you go)\n"
                              "(legal random x) (legal random y) (<= (next b) (true a))\n"
                              "(goal you 70) (goal random 0) (<= terminal (true b))",
                              NULL);
    cr_expect_eq(game_count_players(game), 1);
    MatchRecord *record = play(game, "legal", "legal", 1, 1);
    cr_expect_eq(record->goals[0], 70);
    cr_expect_str_eq(record->players[1], "random");
    match_free(record);
    game_free(game);
}

Test(match, wrong_number_of_players) {
    Game *game = game_named("tic_tac_toe", NULL);
    Report report = {0};
    MatchSetup setup = {.game = game, .game_name = "t", .contestant_count = 1};
    cr_expect_null(match_play(&setup, &report));
    cr_expect(report_failed(&report));
    report_free(&report);
    game_free(game);
}

Test(match, contestants) {
    static const char *const wrong[] = {"nobody",           "random:x=1",
                                        "random:seed",      "random:seed=",
                                        "random:seed=-1",   "random:leaf=99999999999",
                                        "uct:threads=5000", "uct:parallel=trunk",
                                        "uct:parallel",     ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Report report = {0};
        Contestant c;
        cr_expect(!contestant_read(&c, wrong[i], &report), "%s", wrong[i]);
        cr_expect(report_failed(&report));
        contestant_free(&c);
        report_free(&report);
    }
    Report report = {0};
    Contestant c;
    cr_assert(contestant_read(&c, "uct:threads=2,parallel=root", &report));
    cr_expect(c.strategy.search.threads == 2 && c.strategy.search.parallel == PARALLEL_ROOT);
    contestant_free(&c);
    cr_assert(contestant_read(&c, "uct:seed=7,playouts=100,c=0.5,memory=2,time=1.5", &report));
    cr_expect(c.strategy.search.seed == 7 && c.strategy.has_seed && c.strategy.playouts == 100);
    cr_expect(c.strategy.search.exploration == 0.5 && c.strategy.search.node_bytes == 2 << 20);
    contestant_free(&c);
    report_free(&report);
}
