/* Tests the translation of games into variables and constraints, which must agree with the
 * reasoner. */
#include "scsp/network/template.h"

#include "../compare.h"
#include "../fixtures.h"
#include "base/table.h"

Test(template, mutex_groups_become_variables) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    cr_assert_eq(t->groups.count, 2, "state and control are a variable each");
    for (size_t i = 0; i < 2; i++)
        cr_assert(t->groups.items[i].is_never_none);
    cr_assert_eq(t->network.variables.items[t->actions[0]].size, 5);
    cr_assert_eq(t->network.variables.items[t->actions[1]].size, 4);
    template_free(t);
    game_free(game);
}

static void assert_same(Comparison *c, const State *state) {
    const char *difference = compare_state(c, state);
    cr_assert_null(difference, "%s", difference);
}

/* Compares all states that the network reaches within `turns` turns with the reasoner. Returns
 * their number. */
static size_t compare_all(Game *game, uint32_t turns) {
    Template *t = template_of(game);
    Comparison c;
    VECTOR(State) states = {0};
    Table table = {0};
    State initial = {0};
    size_t end = 1; /* one past the last state of the current depth */
    comparison_open(&c, t);
    game_initial(c.work, &initial);
    table_insert(&table, state_hash(&initial), 0);
    vector_push(&states, initial);
    for (size_t i = 0; i < states.count; i++) {
        if (i == end) {
            end = states.count;
            turns--;
        }
        assert_same(&c, &states.items[i]);
        for (size_t o = 0; o < c.result.outcomes.count && turns; o++) {
            State next = {0};
            template_write_state(c.t, c.result.nexts.items + c.result.outcomes.items[o].first_next,
                                 &next);
            uint64_t hash = state_hash(&next);
            uint32_t id;
            bool is_new = true;
            for (TableProbe p = table_probe(&table, hash); is_new && table_next(&table, &p, &id);)
                is_new = !state_equal(&states.items[id], &next);
            if (is_new) {
                table_insert(&table, hash, (uint32_t)states.count);
                vector_push(&states, next);
            } else {
                state_free(&next);
            }
        }
    }
    size_t count = states.count;
    for (size_t i = 0; i < count; i++)
        state_free(&states.items[i]);
    vector_free(&states);
    table_free(&table);
    comparison_close(&c);
    template_free(t);
    game_free(game);
    return count;
}

Test(template, has_the_states_of_small_games) {
    cr_assert_eq(compare_all(game_named("orchard_light"), UINT32_MAX), 25);
    cr_assert_eq(compare_all(game_of_text(SQUARE_TIC_TAC_TOE), UINT32_MAX), 11);
    cr_assert_gt(compare_all(game_named("guess_dice"), UINT32_MAX), 6);
    cr_assert_gt(compare_all(game_named("monty_hall"), UINT32_MAX), 6);
    cr_assert_gt(compare_all(game_named("kuhn_poker"), UINT32_MAX), 6);
}

/* Rules may give a role two goals at once or none: network and reasoner agree on both. */
Test(template, has_the_goals_of_rules_that_contradict_themselves) {
    static const char rules[] =
        "(role p) (role q) (init start) (<= (legal ?r left) (role ?r)) (<= (legal ?r right) (role "
        "?r))"
        "(<= (next (went ?r ?m)) (does ?r ?m)) (<= terminal (not (true start)))"
        "(<= (goal p 100) (true (went p left))) (<= (goal p 0) (true (went q left)))"
        "(<= (goal q 50) (true (went p left))) (<= (goal q 50) (true (went q left)))";
    cr_assert_eq(compare_all(game_of_text(rules), UINT32_MAX), 5);
}

Test(template, has_the_states_of_tic_tac_toe) {
    cr_assert_eq(compare_all(game_named("tic_tac_toe"), UINT32_MAX), 5478);
}

Test(template, has_the_states_of_mastermind) {
    cr_assert_gt(compare_all(game_named("mastermind"), UINT32_MAX), 64);
}

/* Compares the first three turns of games from the table in the second paper. */
Test(template, has_the_first_states_of_large_games) {
    static const char *const names[] = {"backgammon",    "cant_stop",      "kaeseklau", "pickomino",
                                        "yahtzee",       "vacuum_cleaner", "wumpus",    "pacman",
                                        "schnappt_hubi", "sheep_and_wolf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_assert_gt(compare_all(game_named(names[i]), 3), 4);
}

/* Compares states of random matches for some seconds. */
static void compare_in_play(const char *name, double seconds) {
    Game *game = game_named(name);
    Template *t = template_of(game);
    Comparison c;
    const char *difference;
    comparison_open(&c, t);
    compare_in_matches(&c, UINT64_MAX, 200, 7, cpu_budget_in(seconds), &difference);
    cr_assert_null(difference, "%s: %s", name, difference);
    cr_assert_gt(c.states, 0);
    comparison_close(&c);
    template_free(t);
    game_free(game);
}

/* In states of random matches, the network of a turn has the successors and goals of the
 * reasoner. */
Test(template, agrees_with_the_reasoner_in_play) {
    static const char *const names[] = {"asteroids",
                                        "blocks_world",
                                        "breakthrough",
                                        "buttons_and_lights",
                                        "chomp",
                                        "connect_four",
                                        "eight_puzzle",
                                        "futoshiki_4",
                                        "hamilton",
                                        "hex",
                                        "hunter",
                                        "incredible",
                                        "knights_tour",
                                        "lights_out",
                                        "maze",
                                        "nim",
                                        "matching_pennies",
                                        "queens_unguided",
                                        "reversi",
                                        "rock_paper_scissors",
                                        "double_tic_tac_toe",
                                        "sudoku",
                                        "orchard",
                                        "mastermind",
                                        "vacuum_cleaner",
                                        "wumpus"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        compare_in_play(names[i], 0.05);
}
