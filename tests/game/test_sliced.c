/* Tests sliced random play: exact counts, known averages, the same matches with every kernel. */
#include "game/sliced.h"

#include <math.h>

#include "game/goal.h"
#include "play.h"

TestSuite(sliced, .timeout = 600);

typedef struct {
    PlayoutCounts counts;
    uint64_t goals[64], several[8];
} Played;

static void play_within(Game *game, uint64_t seed, const PlayoutBudget *budget, Played *played) {
    *played = (Played){0};
    cr_assert_leq(game->circuit->goals.count, 64);
    int *values = game_goal_values(game);
    played->counts.goal_values = values;
    played->counts.goal_counts = played->goals;
    played->counts.several = played->several;
    Sliced *sliced = sliced_create(game_turn_networks(game), seed);
    sliced_play(sliced, budget, &played->counts);
    sliced_free(sliced);
    free(values);
}

static void play(Game *game, uint64_t seed, uint64_t playouts, Played *played) {
    PlayoutBudget budget = {playouts, deadline_never(), 1000, NULL, NULL, 0};
    play_within(game, seed, &budget, played);
}

/* Returns the number of terminal states in which the role had the value. */
static uint64_t times(const Game *game, const Played *played, uint32_t role, int value) {
    for (size_t i = 0; i < game->circuit->goals.count; i++) {
        const CircuitOutput *g = &game->circuit->goals.items[i];
        if (g->role == role &&
            goal_join(GOAL_NONE, grounding_terms(game->grounding), g->term) == value)
            return played->goals[i];
    }
    return 0;
}

static bool is_near(uint64_t count, double n, double p) {
    return fabs((double)count / n - p) <= 4 * sqrt(p * (1 - p) / n);
}

/* This plays 10^7 matches; ./test bench plays 10^8. */
Test(sliced, plays_tic_tac_toe_uniformly) {
    const uint64_t matches = 10000000;
    Game *game = game_named("tic_tac_toe", NULL);
    Played played;
    play(game, 2024, matches, &played);
    double n = (double)matches;
    cr_assert_eq(played.counts.playouts, matches);
    cr_expect(is_near(times(game, &played, 0, 100), n, 737.0 / 1260));
    cr_expect(is_near(times(game, &played, 0, 50), n, 8.0 / 63));
    cr_expect_eq(times(game, &played, 0, 50), times(game, &played, 1, 50));
    cr_expect_eq(times(game, &played, 0, 100), times(game, &played, 1, 0));
    /* The standard deviation of the length, from the tree: matches that end after 5 to 9 turns. */
    static const double share[] = {1440 / 15120.0, 5328 / 60480.0, 47952 / 181440.0,
                                   72576 / 362880.0, 127872 / 362880.0};
    double mean = 3203 / 420.0, variance = 0;
    for (int i = 0; i < 5; i++)
        variance += share[i] * (i + 5 - mean) * (i + 5 - mean);
    cr_expect_leq(fabs((double)played.counts.turns / n - mean), 4 * sqrt(variance / n));
    game_free(game);
}

Test(sliced, plays_exactly_as_many_as_asked) {
    Game *game = game_named("connect_four", NULL);
    static const uint64_t wanted[] = {1, 7, 511, 512, 513, 2000};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        Played played;
        play(game, 1, wanted[i], &played);
        cr_expect_eq(played.counts.playouts, wanted[i]);
        cr_expect_eq(times(game, &played, 0, 100) + times(game, &played, 0, 50) +
                         times(game, &played, 0, 0),
                     wanted[i]);
    }
    game_free(game);
}

static bool same(const Played *a, const Played *b) {
    return a->counts.playouts == b->counts.playouts && a->counts.turns == b->counts.turns &&
           a->counts.stuck == b->counts.stuck && a->counts.too_long == b->counts.too_long &&
           memcmp(a->goals, b->goals, sizeof a->goals) == 0;
}

Test(sliced, one_seed_is_one_result_with_every_kernel) {
    static const char *const names[] = {"tic_tac_toe", "connect_four", "breakthrough", "hex"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Played first;
        for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++) {
            if (!kernel_kind_available((KernelKind)kind))
                continue;
            Game *game = game_named(names[i], &(GameOptions){.kernel = (KernelKind)kind});
            Played played, again;
            play(game, 6, 1500, &played);
            play(game, 6, 1500, &again);
            cr_expect(same(&played, &again));
            if (kind == KERNEL_INTERPRETED)
                first = played;
            cr_expect(same(&played, &first), "%s with %s", names[i],
                      kernel_kind_name((KernelKind)kind));
            Played other;
            play(game, 7, 1500, &other);
            cr_expect_not(same(&played, &other));
            game_free(game);
        }
    }
}

Test(sliced, does_not_care_what_things_are_called) {
    static const char *const names[] = {"tic_tac_toe", "connect_four"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = text_of_game(names[i]), *other = obfuscated(text);
        Game *plain = game_of_text(text, NULL), *hidden = game_of_text(other, NULL);
        Played a, b;
        play(plain, 12, 3000, &a);
        play(hidden, 12, 3000, &b);
        cr_expect(same(&a, &b), "%s", names[i]);
        game_free(plain);
        game_free(hidden);
        free(text);
        free(other);
    }
}

/* The averages of sliced and of single matches agree, as they come from the same distribution. */
Test(sliced, plays_like_the_scalar_reasoner) {
    enum { MATCHES = 4000 };
    static const char *const names[] = {"breakthrough", "reversi", "connect_four"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Game *game = game_named(names[i], NULL);
        GameWork *work = game_work_create(game, REASONER_SCALAR);
        State state = {0};
        Random random;
        double sum = 0, squares = 0;
        random_seed(&random, 8);
        for (int m = 0; m < MATCHES; m++) {
            uint32_t steps;
            game_initial(work, &state);
            game_play_randomly(work, &state, &random, 0, &steps);
            sum += steps;
            squares += (double)steps * steps;
        }
        Played played;
        play(game, 8, 100000, &played);
        double mean = sum / MATCHES, variance = squares / MATCHES - mean * mean;
        double sliced_mean = (double)played.counts.turns / (double)played.counts.playouts;
        double error = sqrt(variance / MATCHES + variance / 100000);
        cr_expect_leq(fabs(mean - sliced_mean), 4.5 * error, "%s: %f and %f", names[i], mean,
                      sliced_mean);
        state_free(&state);
        game_work_free(work);
        game_free(game);
    }
}

Test(sliced, a_deadline_that_has_passed_plays_nothing) {
    Game *game = game_named("tic_tac_toe", NULL);
    PlayoutBudget budget = {0, deadline_in(0), 0, NULL, NULL, 0};
    Played played;
    play_within(game, 1, &budget, &played);
    cr_expect_eq(played.counts.playouts, 0);
    cr_expect_eq(played.counts.turns, 0);
    game_free(game);
}

static bool stop_at_third_question(void *context) {
    return ++*(int *)context >= 3;
}

Test(sliced, stops_when_told) {
    Game *game = game_named("tic_tac_toe", NULL);
    int asked = 0;
    PlayoutBudget budget = {0, deadline_never(), 0, stop_at_third_question, &asked, 0};
    Played played;
    play_within(game, 1, &budget, &played);
    cr_expect_gt(played.counts.playouts, 0);
    cr_expect_lt(played.counts.playouts, 100000);
    game_free(game);
}

Test(sliced, abandons_what_does_not_end_after_the_grace) {
    Game *game = game_of_text(endless_text, NULL);
    game_turn_networks(game); /* on a slow machine this would take the whole time */
    PlayoutBudget budget = {0, deadline_in(0.3), 0, NULL, NULL, 0.05};
    Played played;
    play_within(game, 1, &budget, &played);
    cr_expect_eq(played.counts.playouts, 0);
    cr_expect_eq(played.counts.unfinished, LANES);
    cr_expect_eq(played.counts.turns, 0);
    cr_expect_eq(played.counts.unfinished_turns, played.counts.passes * LANES);
    game_free(game);
}

static void expect_given_up(const char *text, uint64_t playouts, uint64_t stuck, uint64_t late) {
    Game *game = game_of_text(text, NULL);
    Played played;
    play(game, 1, 1000, &played);
    cr_expect_eq(played.counts.playouts, playouts);
    cr_expect_eq(played.counts.stuck, stuck);
    cr_expect_eq(played.counts.too_long, late);
    game_free(game);
}

/* Matches of a reasoner for single states, with the same step limit. */
static void play_singly(Game *game, uint32_t step_limit, uint64_t matches, Played *played) {
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    State state = {0};
    Random random;
    random_seed(&random, 3);
    *played = (Played){0};
    for (uint64_t i = 0; i < matches; i++) {
        uint32_t steps;
        game_initial(work, &state);
        MatchEnd end = game_play_randomly(work, &state, &random, step_limit, &steps);
        played->counts.playouts += end == MATCH_TERMINAL;
        played->counts.stuck += end == MATCH_STUCK;
        played->counts.too_long += end == MATCH_TOO_LONG;
        played->counts.turns += steps;
        played->goals[0] += end == MATCH_TERMINAL && game_goal(work, &state, 0) == 100;
    }
    state_free(&state);
    game_work_free(work);
}

/* With a step limit the shares of matches that end, and of the first role's wins, are those of
 * single matches: no lane has a turn too many. */
Test(sliced, keeps_its_step_limit_exactly) {
    enum { MATCHES = 5000 };
    static const struct {
        const char *name;
        uint32_t limit;
    } cases[] = {{"connect_four", 7}, {"connect_four", 20}, {"tic_tac_toe", 1},
                 {"tic_tac_toe", 5},  {"tic_tac_toe", 8},   {"breakthrough", 33}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Game *game = game_named(cases[i].name, NULL);
        PlayoutBudget budget = {
            .playouts = MATCHES, .deadline = deadline_never(), .step_limit = cases[i].limit};
        Played sliced, single;
        play_within(game, 1, &budget, &sliced);
        play_singly(game, cases[i].limit, MATCHES, &single);
        uint64_t wins = times(game, &sliced, 0, 100);
        cr_expect_eq(sliced.counts.playouts + sliced.counts.too_long, MATCHES);
        cr_expect_leq(sliced.counts.turns, (uint64_t)MATCHES * cases[i].limit);
        cr_expect_leq(
            fabs((double)sliced.counts.playouts - (double)single.counts.playouts),
            5 * sqrt((double)sliced.counts.playouts + (double)single.counts.playouts + 1));
        cr_expect_leq(fabs((double)wins - (double)single.goals[0]),
                      5 * sqrt((double)wins + (double)single.goals[0] + 1));
        game_free(game);
    }
}

Test(sliced, gives_up_after_the_limit_whatever_the_windows) {
    Game *game = game_of_text(endless_text, NULL);
    static const uint32_t limits[] = {1, 2, 3, 8, 9, 1000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        PlayoutBudget budget = {
            .playouts = 1300, .deadline = deadline_never(), .step_limit = limits[i]};
        Played played;
        play_within(game, 1, &budget, &played);
        cr_expect_eq(played.counts.too_long, 1300);
        cr_expect_eq(played.counts.turns, 1300 * (uint64_t)limits[i]);
    }
    game_free(game);
}

/* Short matches and endless ones share the lanes for more turns than beginnings are kept apart. */
Test(sliced, gives_up_endless_matches_among_short_ones) {
    Text text = {0};
    text_add(&text, "(role you) (init (at start))"
                    "(<= (legal you (pick ?a ?b)) (true (at start)) (number ?a) (number ?b))"
                    "(<= (legal you wait) (true (at loop)))"
                    "(<= (next (at loop)) (true (at loop)))"
                    "(<= (next (at loop)) (does you (pick 1 1)))"
                    "(<= (next (at end)) (does you (pick ?a ?b)) (distinct ?a 1))"
                    "(<= (next (at end)) (does you (pick ?a ?b)) (distinct ?b 1))"
                    "(<= terminal (true (at end))) (goal you 50)");
    for (int i = 1; i <= 24; i++)
        text_printf(&text, "(number %d)", i);
    Game *game = game_of_text(text_string(&text), NULL);
    PlayoutBudget budget = {.playouts = 2000000, .deadline = deadline_never(), .step_limit = 2500};
    Played played;
    play_within(game, 1, &budget, &played);
    const PlayoutCounts *c = &played.counts;
    cr_expect_eq(c->playouts + c->too_long, budget.playouts);
    cr_expect_gt(c->too_long, LANES);
    cr_expect_eq(c->turns, c->playouts + c->too_long * budget.step_limit);
    game_free(game);
    vector_free(&text);
}

Test(sliced, several_goals_at_once_are_no_value) {
    Game *game = game_of_text(goals_text, NULL);
    Played played;
    play(game, 1, 100, &played);
    cr_expect_eq(times(game, &played, 0, 50), 0);
    cr_expect_eq(times(game, &played, 0, 60), 0);
    cr_expect_eq(played.several[0], 100);
    cr_expect_eq(played.several[1], 0);
    cr_expect_eq(times(game, &played, 2, 170), 100);
    game_free(game);
}

Test(bad_games, end_as_they_must) {
    expect_given_up(endless_text, 0, 0, 1000);
    expect_given_up(stuck_text, 0, 1000, 0);
    expect_given_up(over_text, 1000, 0, 0);
    expect_given_up(goals_text, 1000, 0, 0);
    expect_given_up(coins_text, 1000, 0, 0);
}
