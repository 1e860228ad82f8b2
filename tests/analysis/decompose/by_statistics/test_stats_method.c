/* Tests decomposition by statistics: worked examples, single filters, thresholds, seeds. */
#include "analysis/decompose/by_statistics/stats_method.h"

#include "analysis/decompose/by_statistics/stats_internal.h"
#include "analysis/worked_examples.h"
#include "game/play.h"

TestSuite(stats_method, .timeout = 600);

static Decomposition *decomposed(Game *game, uint64_t seed) {
    StatsParameters parameters = stats_defaults();
    Decomposition *d = stats_decompose(game, &(DecomposeOptions){.seed = seed}, &parameters);
    cr_assert_not_null(d);
    cr_expect(d->confidence > 0 && d->confidence <= 1);
    return d;
}

static void expect_game(const char *name, const char *expected) {
    Game *game = game_named(name, NULL);
    Decomposition *d = decomposed(game, 0);
    expect_counts(name, d, expected);
    decomposition_free(d);
    game_free(game);
}

Test(stats_method, worked_examples) {
    static const struct {
        const char *text, *counts;
        size_t actions, moves, crossings, subgoals;
    } examples[] = {
        {lamps, "4 1 0 0", 4, 1, 0, 2},
        {dials, "2 0 1 0", 4, 3, 0, 2},
        {serial_dials, "2 0 1 0", 4, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        Game *game = game_of_text(examples[i].text, NULL);
        Decomposition *d = decomposed(game, 0);
        expect_counts(examples[i].text, d, examples[i].counts);
        cr_expect_eq(d->actions.count, examples[i].actions);
        for (size_t k = 0; k < d->actions.count; k++)
            cr_expect_eq(d->actions.items[k].moves.count, examples[i].moves);
        cr_expect_eq(d->crossings.count, examples[i].crossings);
        if (examples[i].subgoals)
            cr_expect_eq(d->subgoals.count, examples[i].subgoals);
        decomposition_free(d);
        game_free(game);
    }
}

Test(stats_method, one_crossing_point_of_two_literals) {
    Game *game = game_of_text(serial_dials, NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Decomposition *d = decomposed(game, 0);
    cr_assert_eq(d->crossings.count, 1);
    cr_assert_eq(d->crossings.items[0].count, 2);
    uint32_t a = game_find_fluent(work, "(da 2)", 6), b = game_find_fluent(work, "(db 1)", 6);
    for (size_t i = 0; i < 2; i++) {
        uint32_t literal = d->crossings.items[0].items[i];
        cr_expect(literal == 2 * a + 1 || literal == 2 * b + 1);
    }
    cr_expect_eq(d->subgames.items[subgame_with(work, d, "(da 1)")].order, 1);
    cr_expect_eq(d->subgames.items[subgame_with(work, d, "(dc 1)")].order, 2);
    decomposition_free(d);
    game_work_free(work);
    game_free(game);
}

Test(stats_method, games) {
    static const struct {
        const char *name, *counts;
    } expected[] = {
        {"tic_tac_toe", "1 0 1 1"},
        {"incredible", "2 0 1 0"},
        {"nim", "4 0 1 0"},
        {"lights_out", "1 0 1 0"},
        {"lights_on_parallel", "4 0 1 0"},
        {"lights_on_simultaneous", "4 0 1 0"},
        {"tic_tac_toe_parallel", "2 0 1 1"},
        {"tic_tac_toe_serial", "2 0 2 2"},
        {"asteroids_parallel", "2 0 1 0"},
        {"asteroids_serial", "2 0 2 0"},
        {"blocks_world_parallel", "2 0 1 0"},
        {"blocks_world_serial", "2 0 2 0"},
        {"double_tic_tac_toe", "2 0 2 2"},
        {"double_tic_tac_toe_free", "2 0 1 1"},
        {"dual_connect_four", "2 0 2 2"},
        {"dual_hamilton", "2 0 1 0"},
        {"multiple_hamilton", "2 1 1 0"},
        {"joint_buttons_and_lights", "3 0 1 0"},
        {"nine_board_tic_tac_toe", "1 0 1 1"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        expect_game(expected[i].name, expected[i].counts);
}

/* The thesis counts 22, 13 and 14 subgames. A cell that no condition decides alone cannot be judged
 * by itself, so all such cells are one subgame. */
Test(stats_method, cells_of_a_nonogram_that_no_condition_decides_stay_together) {
    static const struct {
        const char *name, *counts;
    } expected[] = {
        {"nonogram_chequers", "22 0 0 0"},
        {"nonogram_tetris", "13 0 0 0"},
        {"nonogram_g", "14 0 0 0"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        expect_game(expected[i].name, expected[i].counts);
}

/* Each role has 18 meta-actions of nine moves, and each of its marks lies in two of them. */
Test(stats_method, moves_on_two_boards_are_taken_apart) {
    Game *game = game_named("tic_tac_toe_parallel", NULL);
    Decomposition *d = decomposed(game, 0);
    uint32_t in[2] = {0, 0}, *of_move = memory_zalloc((game->circuit->move_count + 1) * 4);
    for (size_t i = 0; i < d->actions.count; i++) {
        cr_expect_eq(d->actions.items[i].moves.count, 9);
        in[d->actions.items[i].role]++;
        for (size_t k = 0; k < d->actions.items[i].moves.count; k++)
            of_move[d->actions.items[i].moves.items[k]]++;
    }
    cr_expect(in[0] == 18 && in[1] == 18);
    for (uint32_t m = 0; m < game->circuit->move_count; m++)
        cr_expect(of_move[m] == 2 || of_move[m] == 0);
    free(of_move);
    decomposition_free(d);
    game_free(game);
}

/* Each counter runs during one game of a series, and a lock belongs to the game whose end it
 * records. */
Test(stats_method, what_runs_by_itself_in_a_series) {
    static const char *const names[] = {"asteroids_serial", "blocks_world_serial"};
    for (size_t i = 0; i < 2; i++) {
        Game *game = game_named(names[i], NULL);
        GameWork *work = game_work_create(game, REASONER_SCALAR);
        Decomposition *d = decomposed(game, 0);
        expect_counts(names[i], d, "2 0 2 0");
        cr_expect_eq(subgame_with(work, d, "(step 1 1)"), subgame_with(work, d, "(step 1 4)"));
        cr_expect_neq(subgame_with(work, d, "(step 1 1)"), subgame_with(work, d, "(step 2 1)"));
        decomposition_free(d);
        game_work_free(work);
        game_free(game);
    }
}

/* As in Hex, moves record the time beside the stone they set, and the player to move at that time.
 * The counter and these records are one autonomous subgame. */
static const char time_stamps[] =
    "(role a) (role b) (square 1) (square 2) (square 3) (square 4) (succ 1 2) (succ 2 3) (succ 3 "
    "4) (succ 4 5)"
    "(init (turn a)) (init (step 1))"
    "(<= (legal ?r (set ?s)) (true (turn ?r)) (square ?s) (not (true (stone ?s))))"
    "(<= (legal a wait) (true (turn b)))"
    "(<= (legal b wait) (true (turn a)))"
    "(<= (next (stone ?s)) (does ?r (set ?s)))"
    "(<= (next (stone ?s)) (true (stone ?s)))"
    "(<= (next (turn a)) (true (turn b)))"
    "(<= (next (turn b)) (true (turn a)))"
    "(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))"
    "(<= (next (mover ?i ?r)) (true (step ?i)) (true (turn ?r)))"
    "(<= (next (mover ?i ?r)) (true (mover ?i ?r)))"
    "(<= (next (when ?i ?s)) (does ?r (set ?s)) (true (step ?i)))"
    "(<= (next (when ?i ?s)) (true (when ?i ?s)))"
    "(<= (has ?r ?s) (true (when ?i ?s)) (true (mover ?i ?r)))"
    "(<= (pair ?r) (has ?r 1) (has ?r 2))"
    "(<= (pair ?r) (has ?r 2) (has ?r 3))"
    "(<= (pair ?r) (has ?r 3) (has ?r 4))"
    "(<= full (true (stone 1)) (true (stone 2)) (true (stone 3)) (true (stone 4)))"
    "(<= terminal (pair ?r) (role ?r))"
    "(<= (goal ?r 100) (pair ?r) (role ?r))"
    "(<= (goal ?r 0) (role ?r) (not (pair ?r)))";

/* Without the last rule a match gets stuck on a full board. It still counts as one match when the
 * analysis finds that each step of the counter comes once per match. */
Test(stats_method, time_that_moves_write_down) {
    static const char *const ends[] = {"(<= terminal full)", ""};
    for (uint64_t i = 0; i < 4; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s", time_stamps, ends[i % 2]);
        Game *game = game_of_text(text, NULL);
        GameWork *work = game_work_create(game, REASONER_SCALAR);
        Decomposition *d = decomposed(game, i / 2);
        expect_counts("time stamps", d, "1 0 2 1");
        uint32_t clock = subgame_with(work, d, "(step 1)");
        cr_expect_eq(subgame_with(work, d, "(step 4)"), clock);
        cr_expect_eq(subgame_with(work, d, "(mover 1 a)"), clock);
        cr_expect_eq(subgame_with(work, d, "(mover 4 b)"), clock);
        cr_expect_neq(subgame_with(work, d, "(when 2 3)"), clock);
        cr_expect_eq(d->crossings.count, 0);
        decomposition_free(d);
        game_work_free(work);
        game_free(game);
    }
}

/* Roles take a peg in turn until none is left. */
static const char pegs[] = "(<= (legal ?r (take ?s)) (in_turn ?r) (peg ?s) (not (true (taken ?s))))"
                           "(<= (legal ?r wait) (role ?r) (not (in_turn ?r)))"
                           "(<= (next (taken ?s)) (does ?r (take ?s)))"
                           "(<= (next (taken ?s)) (true (taken ?s)))"
                           "(<= (next (owner ?s ?r)) (does ?r (take ?s)))"
                           "(<= (next (owner ?s ?r)) (true (owner ?s ?r)))"
                           "(<= open (peg ?s) (not (true (taken ?s))))"
                           "(<= terminal (not open))"
                           "(<= (goal ?r 100) (role ?r) (true (owner 1 ?r)))"
                           "(<= (goal ?r 0) (role ?r) (not (true (owner 1 ?r))))";

static const char three_in_turn[] =
    "(role a) (role b) (role c) (after a b) (after b c) (after c a)";
static const char four_in_turn[] =
    "(role a) (role b) (role c) (role d) (after a b) (after b c) (after c d) (after d a)";
static const char markers[] = "(init (turn a)) (<= (next (turn ?q)) (true (turn ?r)) (after ?r ?q))"
                              "(<= (in_turn ?r) (true (turn ?r)))";
static const char two_bits[] = "(<= (in_turn a) (not (true low)) (not (true high)))"
                               "(<= (in_turn b) (true low)) (<= (in_turn c) (true high))"
                               "(<= (next low) (not (true low)) (not (true high)))"
                               "(<= (next high) (true low))";
static const char counter[] =
    "(init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"
    "(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))"
    "(<= terminal (true (step 6)))";

/* In a match of less than two rounds the last turn markers hold only once, like the steps of a
 * counter. The difference is that they lead back to the first ones. */
Test(stats_method, whose_turn_it_is_in_matches_of_less_than_two_rounds) {
    static const struct {
        const char *roles, *turns, *counter;
        uint32_t pegs;
        const char *counts, *first, *last; /* markers */
    } games[] = {
        {three_in_turn, markers, "", 4, "4 0 1 1", "(turn a)", "(turn c)"},
        {three_in_turn, markers, "", 5, "5 0 1 1", "(turn a)", "(turn c)"},
        {four_in_turn, markers, "", 5, "5 0 1 1", "(turn a)", "(turn d)"},
        {four_in_turn, markers, "", 6, "6 0 1 1", "(turn a)", "(turn d)"},
        {three_in_turn, two_bits, "", 4, "4 0 1 0", "low", "high"},
        {three_in_turn, markers, counter, 6, "6 0 2 1", "(turn a)", "(turn c)"},
        {four_in_turn, markers, counter, 6, "6 0 2 1", "(turn a)", "(turn d)"},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        char text[2048];
        int used = snprintf(text, sizeof text, "%s%s%s%s", games[i].roles, games[i].turns,
                            games[i].counter, pegs);
        for (uint32_t peg = 1; peg <= games[i].pegs; peg++)
            used += snprintf(text + used, sizeof text - (size_t)used, "(peg %u)", peg);
        Game *game = game_of_text(text, NULL);
        GameWork *work = game_work_create(game, REASONER_SCALAR);
        Decomposition *d = decomposed(game, i);
        expect_counts(text, d, games[i].counts);
        uint32_t control = subgame_with(work, d, games[i].first);
        cr_expect(d->subgames.items[control].is_control);
        cr_expect_eq(subgame_with(work, d, games[i].last), control);
        if (*games[i].counter)
            cr_expect_neq(subgame_with(work, d, "(step 3)"), control);
        decomposition_free(d);
        game_work_free(work);
        game_free(game);
    }
}

/* The crossing points of a series of two boards are 16 lines and the full board. */
Test(stats_method, a_finished_board_is_a_crossing_point) {
    Game *game = game_named("tic_tac_toe_serial", NULL);
    Decomposition *d = decomposed(game, 0);
    size_t lines = 0, full = 0;
    for (size_t i = 0; i < d->crossings.count; i++) {
        lines += d->crossings.items[i].count == 3;
        full += d->crossings.items[i].count == 9;
    }
    cr_expect_eq(lines, 16);
    cr_expect_eq(full, 1);
    cr_expect_eq(d->crossings.count, 17);
    decomposition_free(d);
    game_free(game);
}

/* Nine joint moves contain a wait, and one of them has the effect. The share is a ninth, however
 * often each was played. */
Test(stats_method, waiting_has_the_effect_of_one_joint_move_in_nine) {
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Observer *observer = observer_create(game, 1);
    Statistics *s = statistics_create(game);
    statistics_collect(s, observer, NULL, 500, deadline_never());
    statistics_weigh(s);
    cr_assert(statistics_alternates(s));
    uint32_t f = game_find_fluent(work, "(cell 1 1 o)", 12);
    cr_assert_neq(f, MOVE_NONE);
    double p = 0;
    for (uint32_t r = 0; r < 2; r++) {
        double found = statistics_probability(s, s->wait[r], effect_of(f, true));
        p = found > p ? found : p;
    }
    cr_expect_float_eq(p, 1.0 / 9, 1e-9);
    statistics_free(s);
    observer_free(observer);
    game_work_free(work);
    game_free(game);
}

/* Six shapes of rules for next(f) contain a move o of a role. The test checks what o and another
 * move of the role may do. */
Test(stats_method, rules_allow_what_the_six_shapes_do) {
    for (int negated = 0; negated < 2; negated++) {
        bool plain = !negated;
        /* does(o) lets o make f appear, and not does(o) lets o make it vanish */
        cr_expect_eq(stats_rules_allow(true, plain, negated, 0, 0), plain);
        cr_expect_eq(stats_rules_allow(false, plain, negated, 0, 0), negated);
        /* for another move it is the other way round */
        cr_expect_eq(stats_rules_allow(true, false, false, plain, (uint32_t)negated), negated);
        cr_expect_eq(stats_rules_allow(false, false, false, plain, (uint32_t)negated), plain);
    }
}

/* The four parameters were set by hand; values close to them give the same result. */
Test(stats_method, parameters_may_vary) {
    static const struct {
        const char *name, *counts;
    } games[] = {{"incredible", "2 0 1 0"},
                 {"tic_tac_toe_parallel", "2 0 1 1"},
                 {"lights_on_parallel", "4 0 1 0"},
                 {"tic_tac_toe_serial", "2 0 2 2"},
                 {"dual_hamilton", "2 0 1 0"}};
    static const StatsParameters others[] = {{2, 5, 1.5, 0.1},  {6, 5, 1.5, 0.1}, {3, 3, 1.5, 0.1},
                                             {3, 10, 1.5, 0.1}, {3, 5, 1.2, 0.1}, {3, 5, 2.0, 0.1},
                                             {3, 5, 1.5, 0.08}, {3, 5, 1.5, 0.15}};
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        Game *game = game_named(games[g].name, NULL);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            DecomposeOptions options = {.playouts = 5000, .seed = i};
            Decomposition *d = stats_decompose(game, &options, &others[i]);
            expect_counts(games[g].name, d, games[g].counts);
            decomposition_free(d);
        }
        game_free(game);
    }
}

/* In Chomp some bites are hardly ever played, so a single subgame is believed only after all
 * playouts. If everything is confirmed, three attempts suffice. */
Test(stats_method, one_piece_is_not_believed_on_thin_evidence) {
    static const char *const names[] = {"chomp", "tic_tac_toe"};
    static const uint64_t played[] = {5000, 3000};
    StatsParameters parameters = stats_defaults();
    for (int i = 0; i < 2; i++) {
        Game *game = game_named(names[i], NULL);
        Decomposition *d =
            stats_decompose(game, &(DecomposeOptions){.playouts = 5000}, &parameters);
        cr_expect_eq(d->playouts, played[i], "%s", names[i]);
        decomposition_free(d);
        game_free(game);
    }
}

/* The number of playouts depends on what was observed, never on time: if an attempt differs from
 * the one before, the batch grows to eight times its size. */
Test(stats_method, one_seed_plays_as_many) {
    Game *game = game_named("blocks_world_parallel", NULL);
    StatsParameters parameters = stats_defaults();
    for (int i = 0; i < 2; i++) {
        DecomposeOptions options = {.playouts = 40000, .seed = 5};
        Decomposition *d = stats_decompose(game, &options, &parameters);
        cr_expect_eq(d->playouts, 18000); /* 1,000, 1,000 differ, 8,000 and 8,000 agree */
        expect_counts("blocks_world_parallel", d, "2 0 1 0");
        decomposition_free(d);
    }
    game_free(game);
}

/* Wherever the deadline falls, candidates that were not examined are no crossing points. */
Test(stats_method, what_is_cut_short_has_no_crossing_points) {
    Game *game = game_of_text(serial_dials, NULL);
    StatsParameters parameters = stats_defaults();
    for (double seconds = 1e-4; seconds < 0.1; seconds *= 1.1) {
        DecomposeOptions options = {.deadline = deadline_in(seconds)};
        Decomposition *d = stats_decompose(game, &options, &parameters);
        cr_expect_eq(d->crossings.count, d->confidence > 0 ? 1 : 0);
        decomposition_free(d);
    }
    game_free(game);
}

/* With hardly any observations there is still a valid result. */
Test(stats_method, few_playouts) {
    Game *game = game_named("incredible", NULL);
    StatsParameters parameters = stats_defaults();
    Decomposition *d =
        stats_decompose(game, &(DecomposeOptions){.playouts = 1, .seed = 3}, &parameters);
    cr_assert_not_null(d);
    cr_expect(d->is_imperfect && d->confidence < 0.9);
    decomposition_free(d);
    game_free(game);
}
