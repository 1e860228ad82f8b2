/* Tests subgames that are solved separately and combined, on games small enough to know the right
 * result. */
#include "search/single/cds.h"

#include "search/single/subgame_distances.h"
#include "search/trees.h"

TestSuite(cds, .timeout = 600);

enum { BYTES = 1 << 28 };

static Cds *solve(Fixture *f, uint64_t states) {
    Cds *cds = cds_create(f->game, &f->parts, BYTES);
    State state = {0};
    game_initial(f->work, &state);
    cds_set_state(cds, &state);
    cds_run(cds, &(SearchBudget){.deadline = deadline_never(), .playouts = states});
    state_free(&state);
    return cds;
}

static void assert_solved(Fixture *f, int score) {
    Cds *cds = solve(f, 100000);
    cr_assert(cds_is_solved(cds));
    cr_expect_eq(cds_score(cds), score);
    cr_expect_eq(replay_score(f, cds_line(cds)), score);
    cds_free(cds);
}

/* Each letter has its own counter; both must be at 2 when the match ends. */
#define COUNTERS                                                                                   \
    "(role r)" STEPS "(letter a) (letter b) (init (at a 0)) (init (at b 0))"                       \
    "(<= (legal r (up ?l)) (letter ?l)) (legal r wait)"                                            \
    "(<= (next (at ?l ?n)) (does r (up ?l)) (true (at ?l ?m)) (succ ?m ?n))"                       \
    "(<= (next (at ?l ?n)) (true (at ?l ?n)) (not (does r (up ?l))))"                              \
    "(<= (goal r 100) (true (at a 2)) (true (at b 2))) (<= (goal r 0) (not both))"                 \
    "(<= both (true (at a 2)) (true (at b 2)))"

Test(localgames, distances) {
    Fixture f = open_text(COUNTERS "(<= terminal (true (step 6)))");
    LookAhead ahead;
    State state = {0};
    uint64_t words[16];
    put(&f, "(at a", 0);
    put(&f, "(at b", 1);
    lookahead_init(&ahead, f.game);
    SubgameDistances *games = distances_create(&ahead, &f.parts, BYTES);
    game_initial(f.work, &state);
    lookahead_words(&ahead, &state, words);
    distances_start(games, words);
    while (distances_explore(games, 16))
        ;
    cr_expect(distances_has_goal_state(games));
    distances_aim(games);
    cr_expect_eq(distances_count(games), 14); /* 0 to 6, twice */
    uint32_t up = game_find_move(f.work, 0, "(up a)", 6);
    static const uint32_t expected[] = {4, 3, 2, DISTANCE_NEVER};
    for (size_t i = 0; i < 4; i++) {
        lookahead_words(&ahead, &state, words);
        cr_expect_eq(distances_distance(games, words), expected[i], "after %zu", i);
        game_next(f.work, &state, &up, &state);
    }
    distances_free(games);
    lookahead_free(&ahead);
    state_free(&state);
    fixture_free(&f);
}

/* When both counters are at their aim, the search must keep them there until the end. */
Test(cds, waits_for_the_end) {
    Fixture f = open_text(COUNTERS "(<= terminal (true (step 6)))");
    put(&f, "(at a", 0);
    put(&f, "(at b", 1);
    assert_solved(&f, 100);
    fixture_free(&f);
}

/* The first counter ends the match when it is done, so it must be done last. */
Test(cds, sudden_death) {
    Fixture f = open_text(COUNTERS "(<= terminal (true (step 6))) (<= terminal (true (at a 2)))");
    put(&f, "(at a", 0);
    put(&f, "(at b", 1);
    assert_solved(&f, 100);
    fixture_free(&f);
}

/* The second counter can only move after the first is done. */
Test(cds, series) {
    Fixture f = open_text(
        "(role r)" STEPS "(init (at a 0)) (init (at b 0)) (letter a) (letter b)"
        "(<= (legal r (up a)) (not (true (at a 2)))) (<= (legal r (up b)) (true (at a 2)))"
        "(<= (next (at ?l ?n)) (does r (up ?l)) (true (at ?l ?m)) (succ ?m ?n))"
        "(<= (next (at ?l ?n)) (true (at ?l ?n)) (not (does r (up ?l))))"
        "(<= terminal (true (step 4))) (<= done (true (at a 2)) (true (at b 2)))"
        "(<= (goal r 100) done) (<= (goal r 0) (not done))");
    put(&f, "(at a", 0);
    put(&f, "(at b", 1);
    assert_solved(&f, 100);
    fixture_free(&f);
}

static void open_decomposed(Fixture *f, const char *name) {
    open_file(f, name);
    free(f->subgame_of);
    f->parts = mtmcts_find_parts(f->game, NULL, OVERLAP_NONE, 0, deadline_never());
    f->subgame_of = (uint32_t *)f->parts.subgame_of;
}

Test(cds, built_in_games) {
    static const char *const names[] = {"incredible",        "best_buttons_and_lights",
                                        "asteroids_serial",  "multiple_hamilton",
                                        "nonogram_chequers", "lights_on_simultaneous"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Fixture f;
        open_decomposed(&f, names[i]);
        cr_log_info("%s", names[i]);
        assert_solved(&f, 100);
        fixture_free(&f);
    }
}

/* Parts that are no subgames mislead the search, but a line that it reports is real. */
Test(cds, wrong_parts) {
    Fixture f;
    open_file(&f, "incredible");
    for (uint32_t i = 0; i < f.game->circuit->fluent_count; i++)
        f.subgame_of[i] = i;
    f.parts.count = f.game->circuit->fluent_count;
    Cds *cds = solve(&f, 20000);
    if (cds_line(cds)->count)
        cr_expect_eq(replay_score(&f, cds_line(cds)), cds_score(cds));
    cds_free(cds);
    fixture_free(&f);
}

Test(cds, goes_on_after_a_move) {
    Fixture f;
    State state = {0};
    open_decomposed(&f, "incredible");
    game_initial(f.work, &state);
    Cds *cds = solve(&f, 100000);
    size_t length = cds_line(cds)->count;
    uint32_t first = cds_line(cds)->items[0];
    game_next(f.work, &state, &first, &state);
    cds_advance(cds, &state);
    cr_expect_eq(cds_line(cds)->count, 0);
    cds_run(cds, &(SearchBudget){.deadline = deadline_never(), .playouts = 100000});
    cr_assert(cds_is_solved(cds));
    for (size_t i = 0; i < cds_line(cds)->count; i++)
        game_next(f.work, &state, &cds_line(cds)->items[i], &state);
    cr_expect_eq(game_goal(f.work, &state, 0), 100);
    cr_expect_leq(cds_line(cds)->count, length + 7); /* 20 turns in all */
    cds_free(cds);
    state_free(&state);
    fixture_free(&f);
}

Test(cds, same_again) {
    Fixture f;
    open_decomposed(&f, "nonogram_tetris");
    Cds *one = solve(&f, 100000), *two = solve(&f, 100000);
    cr_expect_eq(cds_states(one), cds_states(two));
    cr_assert_eq(cds_line(one)->count, cds_line(two)->count);
    for (size_t i = 0; i < cds_line(one)->count; i++)
        cr_expect_eq(cds_line(one)->items[i], cds_line(two)->items[i]);
    cds_free(one);
    cds_free(two);
    fixture_free(&f);
}
