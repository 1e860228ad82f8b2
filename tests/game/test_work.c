/* Tests single states: all reasoners give the same answers, and the answers are right. */
#include "play.h"

TestSuite(work, .timeout = 600);

Test(work, counts_the_tree_of_tic_tac_toe) {
    Game *game = game_named("tic_tac_toe", NULL);
    for (int i = 0; i < SINGLE_REASONERS; i++) {
        TreeCount count = whole_tree(game, single_reasoners[i]);
        cr_expect_eq(count.nodes, 549946, "%s", reasoner_name(single_reasoners[i]));
        cr_expect_eq(count.ends, 255168, "%s", reasoner_name(single_reasoners[i]));
    }
    game_free(game);
}

Test(work, counts_the_same_whatever_things_are_called) {
    char *text = text_of_game("tic_tac_toe");
    char *other = obfuscated(text);
    cr_assert_null(strstr(other, "cell"));
    Game *game = game_of_text(other, NULL);
    TreeCount count = whole_tree(game, REASONER_SCALAR);
    cr_expect_eq(count.nodes, 549946);
    cr_expect_eq(count.ends, 255168);
    game_free(game);
    free(text);
    free(other);
}

/* Compares all answers about a state as texts, since numbers differ between reasoners. */
static void compare(GameWork *a, GameWork *b, const State *sa, const State *sb, uint32_t roles) {
    Text ta = {0}, tb = {0};
    game_state_text(a, sa, &ta);
    game_state_text(b, sb, &tb);
    cr_assert_str_eq(text_string(&ta), text_string(&tb));
    bool terminal = game_is_terminal(a, sa);
    cr_assert_eq(terminal, game_is_terminal(b, sb));
    U32Vector la = {0}, lb = {0};
    for (uint32_t r = 0; r < roles; r++) {
        cr_assert(!terminal || game_goal(a, sa, r) == game_goal(b, sb, r));
        game_legal(a, sa, r, &la);
        game_legal(b, sb, r, &lb);
        cr_assert_eq(la.count, lb.count);
        for (size_t i = 0; i < la.count; i++) {
            text_clear(&ta);
            game_move_text(a, r, la.items[i], &ta);
            uint32_t same = game_find_move(b, r, ta.items, ta.count);
            size_t at = 0;
            while (at < lb.count && lb.items[at] != same)
                at++;
            cr_assert_lt(at, lb.count, "%s", ta.items);
        }
    }
    vector_free(&la);
    vector_free(&lb);
    vector_free(&ta);
    vector_free(&tb);
}

/* Plays the same random match with two reasoners. */
static void play_together(Game *game, Reasoner other, uint64_t seed, uint32_t most) {
    GameWork *a = game_work_create(game, REASONER_INTERPRETER), *b = game_work_create(game, other);
    State sa = {0}, sb = {0};
    uint32_t ja[16], jb[16];
    Random random;
    Text text = {0};
    random_seed(&random, seed);
    game_initial(a, &sa);
    game_initial(b, &sb);
    for (uint32_t step = 0; step < most; step++) {
        compare(a, b, &sa, &sb, game->role_count);
        if (game_is_terminal(a, &sa) || !random_moves(game, a, &sa, &random, ja))
            break;
        for (uint32_t r = 0; r < game->role_count; r++) {
            text_clear(&text);
            game_move_text(a, r, ja[r], &text);
            jb[r] = game_find_move(b, r, text.items, text.count);
        }
        game_next(a, &sa, ja, &sa);
        game_next(b, &sb, jb, &sb);
    }
    vector_free(&text);
    state_free(&sa);
    state_free(&sb);
    game_work_free(a);
    game_work_free(b);
}

Test(work, reasoners_agree_on_every_built_in_game) {
    DIR *folder = opendir(MARELLE_TESTS "/../games");
    cr_assert_not_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char *dot = strstr(entry->d_name, ".kif");
        if (!dot)
            continue;
        *dot = '\0';
        Game *game = game_named(entry->d_name, NULL);
        play_together(game, REASONER_SCALAR, 1, 40);
        play_together(game, REASONER_INCREMENTAL, 2, 40);
        game_free(game);
    }
    closedir(folder);
}

/* There is one king for each role, and moves depend on the places where it is not seen. The
 * grounder rewrites these rules when it loses patience, which includes the proof that a king is in
 * one place only. */
static const char watched_kings[] =
    "(n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (e 1 2) (e 2 3) (e 3 4) (e 4 5) (e 5 6) (e 6 1) "
    "(role a) (role b) (init (control a)) (<= (next (control a)) (true (control b))) "
    "(<= (next (control b)) (true (control a))) (<= (legal a noop) (true (control b))) "
    "(<= (legal b noop) (true (control a))) "
    "(<= (legal ?r (walk ?x ?y)) (role ?r) (true (control ?r)) (true (king ?r ?x)) (e ?x ?y)) "
    "(<= (next (king ?r ?y)) (does ?r (walk ?x ?y))) "
    "(<= (next (king ?r ?x)) (true (king ?r ?x)) (does ?r (look ?z ?w))) "
    "(<= (next (king ?r ?x)) (true (king ?r ?x)) (does ?r noop)) "
    "(init (king a 1)) (init (king b 4)) (init (light 2)) "
    "(<= (legal ?r (look ?x ?y)) (role ?r) (true (control ?r)) (n ?x) (n ?y) (true (king ?r ?k)) "
    "(not (seen ?x ?y ?k))) "
    "(<= (seen ?x ?y ?k) (n ?x) (n ?y) (n ?k) (true (light ?z)) (lit ?x ?z ?k) (distinct ?y ?z)) "
    "(<= (lit ?x ?z ?k) (n ?x) (e ?z ?k) (distinct ?x ?k)) "
    "(<= (lit ?x ?z ?k) (n ?x) (e ?k ?z) (not (true (light ?k)))) "
    "(<= (next (light ?y)) (does ?r (look ?x ?y))) (<= (next (light ?x)) (does ?r (walk ?x ?y))) "
    "(<= (next (light ?x)) (true (light ?x)) (true (king a ?x))) "
    "(init (step 1)) (<= (next (step ?y)) (true (step ?x)) (s ?x ?y)) (s 1 2) (s 2 3) (s 3 4) (s 4 "
    "5) (s 5 6) (s 6 7) (s 7 8) (s 8 9) (s 9 10) "
    "(<= terminal (true (step 10))) (<= (goal a 100) (true (king a 3))) (<= (goal a 0) (not (true "
    "(king a 3)))) (<= (goal b 50) (true (step ?x))) ";

Test(work, reasoners_agree_on_rewritten_rules) {
    for (uint32_t patience = 1; patience < 60; patience += 7) {
        Game *game = game_of_text(watched_kings, &(GameOptions){.rewrite_threshold = patience});
        cr_assert(game_has_circuit(game));
        for (uint64_t seed = 0; seed < 8; seed++)
            play_together(game, seed % 2 ? REASONER_SCALAR : REASONER_INCREMENTAL, seed, 40);
        game_free(game);
    }
}

Test(work, one_seed_is_one_match) {
    Game *game = game_named("reversi", NULL);
    State ends[3] = {{0}};
    uint32_t lengths[3];
    for (int i = 0; i < 3; i++) {
        GameWork *work = game_work_create(game, i == 2 ? REASONER_INCREMENTAL : REASONER_SCALAR);
        Random random;
        random_seed(&random, 11);
        game_initial(work, &ends[i]);
        /* The second match is interrupted and continued, which must change nothing. */
        uint32_t limit = i == 1 ? 7 : 0, steps;
        lengths[i] = 0;
        MatchEnd end;
        do {
            end = game_play_randomly(work, &ends[i], &random, limit, &steps);
            lengths[i] += steps;
        } while (end == MATCH_TOO_LONG);
        cr_expect_eq(end, MATCH_TERMINAL);
        game_work_free(work);
    }
    cr_expect_eq(lengths[0], lengths[1]);
    cr_expect_eq(lengths[0], lengths[2]);
    cr_expect(state_equal(&ends[0], &ends[1]));
    cr_expect(state_equal(&ends[0], &ends[2]));
    for (int i = 0; i < 3; i++)
        state_free(&ends[i]);
    game_free(game);
}

static MatchEnd play(const char *text, Reasoner reasoner, uint32_t *steps, int goals[3]) {
    Game *game = game_of_text(text, NULL);
    GameWork *work = game_work_create(game, reasoner);
    State state = {0};
    Random random;
    random_seed(&random, 5);
    game_initial(work, &state);
    MatchEnd end = game_play_randomly(work, &state, &random, 100, steps);
    for (uint32_t r = 0; r < game->role_count && r < 3; r++)
        goals[r] = game_goal(work, &state, r);
    state_free(&state);
    game_work_free(work);
    game_free(game);
    return end;
}

Test(bad_games, end_as_they_must_with_every_reasoner) {
    for (int i = 0; i < SINGLE_REASONERS; i++) {
        Reasoner reasoner = single_reasoners[i];
        uint32_t steps;
        int goals[3];
        cr_expect_eq(play(endless_text, reasoner, &steps, goals), MATCH_TOO_LONG);
        cr_expect_eq(steps, 100);
        cr_expect_eq(play(stuck_text, reasoner, &steps, goals), MATCH_STUCK);
        cr_expect_eq(steps, 1);
        cr_expect_eq(play(over_text, reasoner, &steps, goals), MATCH_TERMINAL);
        cr_expect_eq(steps, 0);
        cr_expect_eq(goals[0], 100);
        cr_expect_eq(play(goals_text, reasoner, &steps, goals), MATCH_TERMINAL);
        cr_expect_eq(goals[0], GOAL_SEVERAL);
        cr_expect_eq(goals[1], GOAL_NONE);
        cr_expect_eq(goals[2], 170);
        cr_expect_eq(play(coins_text, reasoner, &steps, goals), MATCH_TERMINAL);
        cr_expect_eq(steps, 2);
    }
}

Test(work, tells_what_a_role_sees) {
    Game *game = game_of_text("(role you) (role random) (init start) (coin heads) (coin tails)\n"
                              "(legal you wait) (<= (legal random (toss ?c)) (coin ?c))\n"
                              "(<= (sees you (fell ?c)) (does random (toss ?c)))\n"
                              "(<= (sees you begun) (true start)) (<= (next over) (true start))\n"
                              "(goal you 0) (goal random 0) (<= terminal (true over))\n",
                              NULL);
    for (int i = 0; i < SINGLE_REASONERS; i++) {
        GameWork *work = game_work_create(game, single_reasoners[i]);
        State state = {0};
        Text text = {0};
        game_initial(work, &state);
        uint32_t joint[2] = {game_find_move(work, 0, "wait", 4),
                             game_find_move(work, 1, "(toss tails)", 12)};
        game_sees(work, &state, joint, 0, &text);
        cr_expect_str_eq(text_string(&text), "(fell tails) begun");
        text_clear(&text);
        game_sees(work, &state, joint, 1, &text);
        cr_expect_str_eq(text_string(&text), "");
        vector_free(&text);
        state_free(&state);
        game_work_free(work);
    }
    game_free(game);
}
