/* Tests the building of games: sizes, names, states, and descriptions or budgets that allow no
 * game. */
#include "play.h"

TestSuite(game, .timeout = 600);

Test(game, names_its_reasoners) {
    Reasoner reasoner;
    for (unsigned r = REASONER_AUTO; r <= REASONER_SLICED; r++) {
        cr_assert(reasoner_from_name(reasoner_name((Reasoner)r), &reasoner));
        cr_expect_eq((unsigned)reasoner, r);
    }
    cr_expect_not(reasoner_from_name("oracle", &reasoner));
}

static void check_sizes(const char *text) {
    Game *game = game_of_text(text, NULL);
    cr_assert(game_has_circuit(game));
    cr_expect_eq(game->circuit->fluent_count, 29);
    cr_expect_eq(game->circuit->move_count, 20);
    cr_expect_eq(game->role_count, 2);
    game_free(game);
}

/* Removes the expressions whose head is the keyword. */
static void remove_declarations(char *text, const char *keyword) {
    char start[20];
    snprintf(start, sizeof start, "(<= (%s ", keyword);
    for (char *at; (at = strstr(text, start));) {
        int depth = 0;
        char *end = at;
        do
            depth += (*end == '(') - (*end == ')');
        while (*end++ && depth);
        memset(at, ' ', (size_t)(end - at));
    }
}

Test(game, finds_29_fluents_and_20_moves_with_and_without_declarations) {
    char *text = text_of_game("tic_tac_toe");
    check_sizes(text);
    remove_declarations(text, "base");
    remove_declarations(text, "input");
    cr_assert_null(strstr(text, "(base"));
    cr_assert_null(strstr(text, "(input"));
    check_sizes(text);
    free(text);
}

Test(game, every_built_in_game_has_a_circuit) {
    DIR *folder = opendir(MARELLE_TESTS "/../games");
    cr_assert_not_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char *dot = strstr(entry->d_name, ".kif");
        if (!dot)
            continue;
        *dot = '\0';
        Game *game = game_named(entry->d_name, NULL);
        cr_expect(game_has_circuit(game), "%s: %s", entry->d_name, game->why_interpreted);
        game_free(game);
    }
    closedir(folder);
}

Test(game, gives_texts_and_finds_them_again) {
    Game *game = game_named("connect_four", NULL);
    Text text = {0};
    for (int i = 0; i < SINGLE_REASONERS; i++) {
        GameWork *work = game_work_create(game, single_reasoners[i]);
        State state = {0};
        U32Vector legal = {0};
        game_initial(work, &state);
        for (uint32_t r = 0; r < game->role_count; r++) {
            game_legal(work, &state, r, &legal);
            for (size_t m = 0; m < legal.count; m++) {
                text_clear(&text);
                game_move_text(work, r, legal.items[m], &text);
                cr_expect_eq(game_find_move(work, r, text.items, text.count), legal.items[m]);
            }
        }
        State copy = {0};
        for (uint32_t f = 0; f < state.word_count * 64; f++)
            if (state.words[f / 64] >> (f % 64) & 1) {
                text_clear(&text);
                game_fluent_text(work, f, &text);
                cr_expect_eq(game_find_fluent(work, text.items, text.count), f);
                state_set(&copy, f);
            }
        cr_expect(state_equal(&state, &copy));
        cr_expect_eq(game_find_move(work, 0, "(no such move)", 14), MOVE_NONE);
        cr_expect_eq(game_find_move(work, 0, "(((", 3), MOVE_NONE);
        cr_expect_eq(game_find_fluent(work, "", 0), MOVE_NONE);
        state_free(&copy);
        state_free(&state);
        vector_free(&legal);
        game_work_free(work);
    }
    vector_free(&text);
    game_free(game);
}

Test(state, is_the_same_whatever_room_it_has) {
    State small = {0}, large = {0};
    state_set(&small, 3);
    state_set(&large, 700);
    cr_expect_not(state_equal(&small, &large));
    state_copy(&large, &small);
    cr_expect_gt(large.word_count, small.word_count);
    cr_expect(state_equal(&small, &large));
    cr_expect(state_equal(&large, &small));
    cr_expect_eq(state_hash(&small), state_hash(&large));
    State none = {0}, zeros = {0};
    state_copy(&zeros, &large);
    state_copy(&zeros, &none);
    cr_expect(state_equal(&none, &zeros));
    cr_expect_eq(state_hash(&none), state_hash(&zeros));
    state_free(&small);
    state_free(&large);
    state_free(&zeros);
}

Test(bad_games, without_a_role_cannot_be_played) {
    cr_expect(strncmp(failure_of_text("(init over) (legal you noop) (goal you 100) terminal"),
                      "missing-role", 12) == 0);
}

Test(bad_games, with_unsafe_rules_cannot_be_played) {
    failure_of_text("(role you) (init over) (legal you ?x) (goal you 100) terminal");
}

static const char large_text[] =
    "(role you) (init (at 0)) (d 0)(d 1)(d 2)(d 3)(d 4)(d 5)(d 6)(d 7)(d 8)(d 9)\n"
    "(<= (legal you (go ?a ?b ?c ?d ?e ?f)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f))\n"
    "(<= (next (at 1)) (does you (go 1 1 1 1 1 1)))\n"
    "(<= (goal you 0) (not (true (at 0)))) (<= terminal (not (true (at 0))))\n";

static void expect_interpreted(const GameOptions *options, const char *reason) {
    Game *game = game_of_text(large_text, options);
    cr_expect_not(game_has_circuit(game));
    cr_assert_not_null(game->why_interpreted);
    cr_expect_not_null(strstr(game->why_interpreted, reason), "%s", game->why_interpreted);
    cr_expect_null(game_turn_networks(game));
    cr_expect_null(game_work_create(game, REASONER_SCALAR));
    cr_expect_null(game_work_create(game, REASONER_INCREMENTAL));
    GameWork *work = game_work_create(game, REASONER_AUTO);
    cr_assert_eq(game_work_reasoner(work), REASONER_INTERPRETER);
    State state = {0};
    U32Vector legal = {0};
    game_initial(work, &state);
    game_legal(work, &state, 0, &legal);
    cr_expect_eq(legal.count, 1000000);
    vector_free(&legal);
    state_free(&state);
    game_work_free(work);
    game_free(game);
}

Test(bad_games, beyond_the_budget_are_interpreted) {
    expect_interpreted(&(GameOptions){.build_seconds = 1e-9}, "out of time");
}

Test(bad_games, beyond_the_memory_are_interpreted) {
    expect_interpreted(&(GameOptions){.build_bytes = 1 << 20}, "out of memory");
}

Test(bad_games, that_somebody_cancels_are_interpreted) {
    bool cancelled = true;
    expect_interpreted(&(GameOptions){.stopped = &cancelled}, "cancelled");
}

Test(bad_games, with_a_million_legal_moves_are_played) {
    Game *game = game_of_text(large_text, NULL);
    cr_assert(game_has_circuit(game));
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    State state = {0};
    Random random;
    uint32_t steps;
    random_seed(&random, 1);
    game_initial(work, &state);
    cr_expect_eq(game_play_randomly(work, &state, &random, 10, &steps), MATCH_TERMINAL);
    cr_expect_eq(steps, 1);
    state_free(&state);
    game_work_free(work);
    game_free(game);
}

static void count_release(void *note) {
    ++*(int *)note;
}

/* Notes that higher layers keep with a game are found only by their owner, the newest first, and
 * freed with the game. */
Test(game, keeps_notes) {
    static const char one, other, stranger;
    int released[3] = {0};
    Game *game = game_named("tic_tac_toe", NULL);
    cr_assert_null(game_note(game, &one));
    for (int i = 0; i < 3; i++)
        game_keep_note(game, i < 2 ? &one : &other, &released[i], count_release);
    cr_assert_eq(game_note(game, &one), &released[1]);
    cr_assert_eq(game_note(game, &other), &released[2]);
    cr_assert_null(game_note(game, &stranger));
    game_free(game);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(released[i], 1);
}

Test(game, ground_rules_stay_or_are_made_once) {
    Game *game = game_named("reversi", NULL);
    const Grounding *kept = game_ground_rules(game, (GroundBudget){0});
    cr_assert_eq(kept, game->grounding);
    game->ground_rules = NULL; /* as in a game whose rules are too large to be kept */
    const GroundBudget no_room = {.bytes = 1};
    cr_expect_null(game_ground_rules(game, no_room), "a spent budget is no result");
    const Grounding *made = game_ground_rules(game, (GroundBudget){0});
    cr_assert_not_null(made);
    cr_expect_neq(made, kept);
    cr_expect_eq(made->rules.count, kept->rules.count);
    cr_expect_eq(game_ground_rules(game, no_room), made, "the second caller needs no budget");
    game_free(game);
}
