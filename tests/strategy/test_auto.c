/* Tests which search `auto` chooses for which kind of game, and that this search plays. */

#include "../search/play_search.h"

TestSuite(auto_choice, .timeout = 600);

static void expect_choice(Game *game, const char *method, const char *word) {
    AutoChoice choice = auto_choose(game);
    cr_expect_str_eq(choice.method->name, method);
    cr_expect(strstr(choice.reason, word), "%s", choice.reason);
    Report report = {0};
    Search *search = strategy_create_named("auto", game, 0, &(SearchOptions){0}, &report);
    cr_assert_not_null(search);
    cr_expect_str_eq(search->method->name, method);
    search_free(search);
    report_free(&report);
    game_free(game);
}

static const char pennies_text[] =
    "(role a) (role b) (init start)\n"
    "(<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))\n"
    "(<= (next over) (true start))\n"
    "(<= (next same) (does a ?x) (does b ?x))\n"
    "(<= (goal a 100) (true same)) (<= (goal a 0) (not (true same)))\n"
    "(<= (goal b 0) (true same)) (<= (goal b 100) (not (true same)))\n"
    "(<= terminal (true over))\n";

static const char dice_text[] =
    "(role a) (role random) (init start)\n"
    "(legal a stay) (legal a leave) (legal random up) (legal random down)\n"
    "(<= (next over) (true start)) (<= (next lucky) (does a stay) (does random up))\n"
    "(<= (goal a 100) (true lucky)) (<= (goal a 20) (not (true lucky))) (goal random 0)\n"
    "(<= terminal (true over))\n";

Test(auto_choice, by_kind_of_game) {
    GameOptions interpreted = {.interpreter_only = true};
    expect_choice(game_named("maze", NULL), "single-player", "one role");
    expect_choice(game_named("maze", &interpreted), "single-player", "one role");
    expect_choice(game_named("tic_tac_toe", NULL), "challenge", "uct-relevant plays");
    expect_choice(game_named("tic_tac_toe", &interpreted), "grave", "no circuit");
    expect_choice(game_of_text(pennies_text, NULL), "challenge", "uct-relevant plays");
    expect_choice(game_named("row_pairs", NULL), "challenge", "uct-relevant plays");
    expect_choice(game_of_text(dice_text, NULL), "uct-relevant", "chance");
}
