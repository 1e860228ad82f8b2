/* Tests the choice of a search by matches in the start clock: the measurements, their cost, and
 * that nothing changes if nothing is measured. All budgets are playouts, so that one seed gives one
 * result. */
#include "search/choice/search_choice.h"

#include "../play_search.h"
#include "search/choice/bout.h"

TestSuite(challenge, .timeout = 600);

typedef struct {
    SearchTable table;
    SearchChoice report;
} Start;

static Start start_game(Game *game, double clock, uint64_t seed) {
    Start s = {.table = table_create(game, "auto", 0, (SearchOptions){.seed = seed})};
    search_set_state(s.table.search, &s.table.state);
    if (clock > 0)
        search_run(s.table.search, &(SearchBudget){.deadline = deadline_never(),
                                                   .playouts = (uint64_t)clock,
                                                   .start_clock = clock});
    search_result(s.table.search, &s.table.result);
    cr_assert(search_describe(s.table.search, &s.report));
    return s;
}

static Start start_with(const char *game, double clock, uint64_t seed) {
    return start_game(game_named(game, NULL), clock, seed);
}

static uint64_t matches_of(const SearchChallenger *record) {
    return record->won + record->drawn + record->lost;
}

static const SearchChallenger *record_of(const Start *s, const char *name) {
    for (size_t i = 0; i < s->report.count; i++)
        if (strcmp(s->report.challengers[i].name, name) == 0)
            return &s->report.challengers[i];
    cr_assert_fail("no challenger called %s", name);
    return NULL;
}

static void expect_same_moves(const SearchResult *a, const SearchResult *b) {
    cr_assert_eq(a->moves.count, b->moves.count);
    cr_expect_eq(a->best, b->best);
    for (size_t i = 0; i < a->moves.count; i++) {
        cr_expect_eq(a->moves.items[i].move, b->moves.items[i].move);
        cr_expect_eq(a->moves.items[i].visits, b->moves.items[i].visits);
        cr_expect_eq(a->moves.items[i].value, b->moves.items[i].value);
    }
}

/* Asserts that the choice follows from the verdicts in the report. */
static void expect_choice_by_verdict(const Start *s) {
    const char *picked = "uct-relevant";
    for (size_t i = 0; i < s->report.count; i++)
        if (s->report.challengers[i].verdict == CHALLENGER_WON)
            picked = s->report.challengers[i].name;
    cr_expect_str_eq(s->report.picked, picked);
}

/* Asserts that the start clock is kept, except for the current turn of a match, in which each
 * player that has a choice finishes its search. */
static void expect_clock_is_kept(const Start *s, uint64_t clock, uint32_t choosers) {
    cr_expect_geq(s->table.result.playouts, clock);
    cr_expect_leq(s->table.result.playouts, clock + choosers * s->report.playouts);
}

static void expect_legal_answer(const Start *s) {
    U32Vector legal = {0};
    bool is_legal = false;
    game_legal(s->table.work, &s->table.state, 0, &legal);
    for (size_t i = 0; i < legal.count; i++)
        is_legal = is_legal || legal.items[i] == s->table.result.best;
    cr_expect(is_legal);
    vector_free(&legal);
}

/* Every turn needs a move on each board, so the boards are subgames. */
Test(challenge, matches_decide) {
    enum { CLOCK = 16000 };
    Start s = start_with("tic_tac_toe_parallel", CLOCK, 1);
    cr_expect_gt(s.report.playouts, 0);
    cr_expect_eq(s.report.seconds, 0);
    cr_expect(search_choice_matches(&s.report));
    cr_expect_gt(matches_of(record_of(&s, "multitree")), 0);
    cr_expect_eq(record_of(&s, "uct1")->verdict, CHALLENGER_UNFIT);
    cr_expect_eq(record_of(&s, "uct")->verdict, CHALLENGER_UNFIT);
    expect_choice_by_verdict(&s);
    expect_clock_is_kept(&s, CLOCK, 2);
    table_release(&s.table);
}

/* Makes a game with two rows of cells. In turn the players mark a cell of each row. Two neighbours
 * are a pair, which is worth 50 and ends the match; a row without a pair is worth 20 to every
 * player. So the sum of goals is not constant and seats are not equal. A goal is `least` plus
 * the points divided by `part`. */
static Game *rows_with_goals(uint32_t players, uint32_t cells, int least, int part) {
    static const int pairs[][2] = {{0, 0},  {0, 20},  {20, 0},  {20, 20}, {0, 50},
                                   {50, 0}, {20, 50}, {50, 20}, {50, 50}};
    static const char rules[] =
        "(row 1) (row 2) (init (control r0))\n"
        "(<= (init (cell ?b ?c blank)) (row ?b) (index ?c))\n"
        "(<= (legal ?p (mark ?c ?d)) (true (control ?p)) (true (cell 1 ?c blank))\n"
        "    (true (cell 2 ?d blank)))\n"
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))\n"
        "(<= (marks ?p 1 ?c) (does ?p (mark ?c ?d))) (<= (marks ?p 2 ?d) (does ?p (mark ?c ?d)))\n"
        "(<= (marked ?b ?c) (marks ?p ?b ?c)) (<= (next (cell ?b ?c ?p)) (marks ?p ?b ?c))\n"
        "(<= (next (cell ?b ?c ?x)) (true (cell ?b ?c ?x)) (not (marked ?b ?c)))\n"
        "(<= (next (control ?q)) (true (control ?p)) (after ?p ?q))\n"
        "(<= (pair ?b ?p) (role ?p) (true (cell ?b ?c ?p)) (succ ?c ?d) (true (cell ?b ?d ?p)))\n"
        "(<= (decided ?b) (pair ?b ?p)) (<= (open ?b) (true (cell ?b ?c blank)))\n"
        "(<= (over ?b) (decided ?b)) (<= (over ?b) (row ?b) (not (open ?b)))\n"
        "(<= terminal (over ?b)) (<= (points ?p ?b 50) (pair ?b ?p))\n"
        "(<= (points ?p ?b 0) (role ?p) (decided ?b) (not (pair ?b ?p)))\n"
        "(<= (points ?p ?b 20) (role ?p) (row ?b) (not (decided ?b)))\n"
        "(<= (goal ?p ?v) (points ?p 1 ?x) (points ?p 2 ?y) (sum ?x ?y ?v))\n";
    Text text = {0};
    for (uint32_t p = 0; p < players; p++)
        text_printf(&text, "(role r%u) (after r%u r%u)\n", p, p, (p + 1) % players);
    for (uint32_t c = 1; c <= cells; c++)
        text_printf(&text, "(index %u) (succ %u %u)\n", c, c, c + 1);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        text_printf(&text, "(sum %d %d %d)\n", pairs[i][0], pairs[i][1],
                    least + (pairs[i][0] + pairs[i][1]) / part);
    text_add(&text, rules);
    Game *game = game_of_text(text_string(&text), NULL);
    vector_free(&text);
    return game;
}

static Game *rows_for(uint32_t players, uint32_t cells) {
    return rows_with_goals(players, cells, 0, 1);
}

/* With sixteen cells there are 256 moves, more than `uct` looks at one turn ahead, and sixteen in
 * each tree: with few playouts `multitree` is far stronger, on every seat. */
Test(challenge, stronger_one_of_three_players_is_taken) {
    enum { CLOCK = 80000 };
    Start s = start_game(rows_for(3, 16), CLOCK, 3);
    const SearchChallenger *trees = record_of(&s, "multitree");
    cr_expect_str_eq(s.report.picked, "multitree");
    cr_expect_eq(trees->verdict, CHALLENGER_WON);
    cr_expect_eq(matches_of(trees) % 3, 0);
    cr_expect_gt(trees->lead, 0);
    expect_choice_by_verdict(&s);
    expect_clock_is_kept(&s, CLOCK, 1);
    expect_legal_answer(&s);
    table_release(&s.table);
}

Test(challenge, stronger_one_of_four_players_is_taken) {
    Start s = start_game(rows_for(4, 16), 80000, 1);
    cr_expect_str_eq(s.report.picked, "multitree");
    cr_expect_eq(matches_of(record_of(&s, "multitree")) % 4, 0);
    expect_choice_by_verdict(&s);
    table_release(&s.table);
}

/* The size of the goals does not matter, whether they are a few points or above 100. */
Test(challenge, leads_are_parts_of_the_goals_there_are) {
    Start plain = start_game(rows_for(3, 10), 40000, 3);
    int least[] = {50, 0, 120}, part[] = {10, 10, 1};
    for (int i = 0; i < 3; i++) {
        Start other = start_game(rows_with_goals(3, 10, least[i], part[i]), 40000, 3);
        const SearchChallenger *a = record_of(&plain, "multitree");
        const SearchChallenger *b = record_of(&other, "multitree");
        cr_expect_str_eq(other.report.picked, plain.report.picked);
        cr_expect_eq(a->won, b->won);
        cr_expect_eq(a->lost, b->lost);
        cr_expect_float_eq(a->lead, b->lead, 1e-6);
        table_release(&other.table);
    }
    table_release(&plain.table);
}

static void expect_values(const char *rules, const double *expected) {
    Game *game = game_of_text(rules, NULL);
    Bout bout;
    double values[3];
    bout_init(&bout, game, NULL, 1);
    while (bout_turn(&bout))
        ;
    bout_values(&bout, values);
    for (int i = 0; i < 3; i++)
        cr_expect_float_eq(values[i], expected[i], 1e-12, "%d: %f", i, values[i]);
    bout_free(&bout);
    game_free(game);
}

/* Goals are scaled between the least and the greatest goal of all players. A missing goal counts as
 * the least. */
Test(challenge, values_of_goals) {
#define THREE                                                                                      \
    "(role a) (role b) (role c) (init s) (<= (legal ?r go) (role ?r)) (<= (next t) (true s))\n"    \
    "(<= terminal (true t))\n"
    expect_values(THREE "(goal a 150) (goal b 120) (goal c 100)", (double[]){1, 0.4, 0});
    expect_values(THREE "(goal a 52) (<= (goal b 48) (true t)) (<= (goal c 49) (true s))",
                  (double[]){1, 0, 0});
    expect_values(THREE "(goal a 100) (<= (goal b 100) (true s)) (goal c 100)",
                  (double[]){1, 0, 1});
#undef THREE
}

/* With one cell more than players, only the first player makes a second mark, and it cannot form a
 * pair against players that look one move ahead. */
Test(challenge, equal_ones_are_not_taken) {
    for (uint32_t players = 3; players <= 4; players++) {
        Start s = start_game(rows_for(players, players + 1), 30000, 2);
        expect_choice_by_verdict(&s);
        cr_expect(search_choice_matches(&s.report));
        cr_expect_str_eq(s.report.picked, "uct-relevant");
        expect_legal_answer(&s);
        table_release(&s.table);
    }
}

/* The clock may come in any number of slices, and after each of them there is a legal move. */
Test(challenge, several_players_in_slices) {
    enum { CLOCK = 30000, SLICE = 500 };
    Start whole = start_game(rows_for(3, 6), CLOCK, 5), sliced = start_game(rows_for(3, 6), 0, 5);
    for (int slice = 0; slice < CLOCK / SLICE; slice++) {
        search_run(
            sliced.table.search,
            &(SearchBudget){.deadline = deadline_never(), .playouts = SLICE, .start_clock = CLOCK});
        search_result(sliced.table.search, &sliced.table.result);
        expect_legal_answer(&sliced);
    }
    cr_assert(search_describe(sliced.table.search, &sliced.report));
    cr_expect_gt(matches_of(record_of(&whole, "multitree")), 0);
    cr_expect_gt(matches_of(record_of(&sliced, "multitree")), 0);
    cr_expect_eq(whole.report.playouts, sliced.report.playouts);
    expect_choice_by_verdict(&whole);
    expect_choice_by_verdict(&sliced);
    table_release(&whole.table);
    table_release(&sliced.table);
}

/* Before the first move a referee lets searches prepare; they take no longer than the measurement
 * needs. */
Test(challenge, prepares) {
    SearchTable t = table_create(rows_for(3, 6), "auto", 1, (SearchOptions){.seed = 1});
    SearchChoice report;
    search_set_state(t.search, &t.state);
    search_prepare(t.search, &(SearchBudget){.deadline = deadline_never(), .playouts = 30000}, 9);
    cr_assert(search_describe(t.search, &report));
    cr_expect(search_choice_matches(&report));
    search_result(t.search, &t.result);
    uint64_t before = t.result.playouts;
    enum { LEAF = 8 }; /* a search makes whole leaves */
    cr_expect_leq(before, 30000 + report.playouts + LEAF);
    think(&t, 100);
    cr_expect_geq(t.result.playouts, before + 100);
    table_release(&t);
    t = table_create(game_named("connect_four", NULL), "auto", 0, (SearchOptions){.seed = 1});
    search_set_state(t.search, &t.state);
    search_prepare(t.search, &(SearchBudget){.deadline = deadline_never(), .playouts = 200000}, 9);
    search_result(t.search, &t.result);
    cr_expect_lt(t.result.playouts, 20000, "nothing to measure, nothing to wait for");
    table_release(&t);
}

static void expect_same_again(Start once, Start again) {
    cr_expect_str_eq(once.report.picked, again.report.picked);
    for (size_t i = 0; i < once.report.count; i++) {
        const SearchChallenger *a = &once.report.challengers[i], *b = &again.report.challengers[i];
        cr_expect_eq(a->won, b->won);
        cr_expect_eq(a->drawn, b->drawn);
        cr_expect_eq(a->lost, b->lost);
        cr_expect_eq(a->lead, b->lead);
        cr_expect_eq(a->verdict, b->verdict);
    }
    expect_same_moves(&once.table.result, &again.table.result);
    table_release(&once.table);
    table_release(&again.table);
}

Test(challenge, one_seed_one_result) {
    expect_same_again(start_with("tic_tac_toe_parallel", 16000, 5),
                      start_with("tic_tac_toe_parallel", 16000, 5));
    expect_same_again(start_game(rows_for(3, 6), 30000, 5), start_game(rows_for(3, 6), 30000, 5));
    expect_same_again(start_game(rows_for(4, 6), 30000, 5), start_game(rows_for(4, 6), 30000, 5));
}

static SearchResult searched_by_parts(const char *game, uint64_t seed, uint64_t playouts) {
    SearchTable t =
        table_create(game_named(game, NULL), "uct-relevant", 0, (SearchOptions){.seed = seed});
    search_set_state(t.search, &t.state);
    think(&t, playouts);
    SearchResult result = t.result;
    t.result = (SearchResult){0};
    table_release(&t);
    return result;
}

/* Without a start clock, or with a very short one, `uct-relevant` is chosen. */
Test(challenge, nothing_is_measured_in_no_time) {
    SearchResult parts = searched_by_parts("tic_tac_toe_parallel", 2, 3000);
    Start s = start_with("tic_tac_toe_parallel", 0, 2);
    think(&s.table, 3000);
    expect_same_moves(&parts, &s.table.result);
    table_release(&s.table);
    s = start_with("tic_tac_toe_parallel", 3000, 2);
    for (size_t i = 0; i < s.report.count; i++) {
        cr_expect_eq(s.report.challengers[i].verdict, CHALLENGER_UNMEASURED);
        cr_expect_eq(matches_of(&s.report.challengers[i]), 0);
    }
    cr_expect_str_eq(s.report.picked, "uct-relevant");
    cr_expect_eq(s.report.playouts, 0);
    table_release(&s.table);
    search_result_free(&parts);
}

/* If the best move is computed or proven, there are no matches. */
Test(challenge, what_is_known_is_not_measured) {
    static const char *const games[] = {"nim", "double_tic_tac_toe", "tic_tac_toe"};
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        Start s = start_with(games[g], 200000, 3);
        uint64_t matches = 0;
        for (size_t i = 0; i < s.report.count; i++)
            matches += matches_of(&s.report.challengers[i]);
        cr_expect_eq(matches, 0, "%s", games[g]);
        cr_expect_str_eq(s.report.picked, "uct-relevant");
        table_release(&s.table);
    }
}

/* After the match has moved on, nothing is measured any more, and the search plays to the end. */
Test(challenge, plays_on) {
    Start s = start_with("tic_tac_toe_parallel", 8000, 7);
    U32Vector legal = {0};
    SearchChoice later;
    while (!game_is_terminal(s.table.work, &s.table.state)) {
        uint32_t joint[2];
        for (uint32_t r = 0; r < 2; r++) {
            game_legal(s.table.work, &s.table.state, r, &legal);
            joint[r] = legal.items[0];
        }
        game_legal(s.table.work, &s.table.state, 0, &legal);
        if (legal.count > 1) {
            search_run(s.table.search,
                       &(SearchBudget){.deadline = deadline_never(),
                                       .playouts = 200,
                                       .start_clock = s.table.result.playouts ? 0 : 1});
            search_result(s.table.search, &s.table.result);
            joint[0] = s.table.result.best;
        }
        game_next(s.table.work, &s.table.state, joint, &s.table.state);
        search_advance(s.table.search, joint, &s.table.state);
        cr_assert(search_describe(s.table.search, &later));
        cr_expect_str_eq(later.picked, s.report.picked);
    }
    for (size_t i = 0; i < later.count; i++)
        cr_expect_eq(matches_of(&later.challengers[i]), matches_of(&s.report.challengers[i]));
    vector_free(&legal);
    table_release(&s.table);
}

/* With two threads the search still describes its choice and makes the playouts asked for. */
Test(challenge, threads_are_dealt_out) {
    SearchTable t = table_create(game_named("tic_tac_toe_parallel", NULL), "auto", 0,
                                 (SearchOptions){.threads = 2});
    SearchChoice report;
    search_set_state(t.search, &t.state);
    cr_expect(search_describe(t.search, &report));
    think(&t, 4000);
    cr_expect_geq(t.result.playouts, 4000);
    table_release(&t);
}

Test(challenge, stops_when_told) {
    SearchTable t =
        table_create(game_named("tic_tac_toe_parallel", NULL), "challenge", 0, (SearchOptions){0});
    bool stopped = true;
    search_set_state(t.search, &t.state);
    search_run(
        t.search,
        &(SearchBudget){.deadline = deadline_never(), .stopped = &stopped, .start_clock = 1000});
    search_result(t.search, &t.result);
    cr_expect_eq(t.result.playouts, 0);
    table_release(&t);
}

/* The report is written in words, also for games in which nothing can be measured. */
Test(challenge, tells_what_it_measured) {
    SearchChoice report = {.picked = "multitree",
                           .incumbent = "uct-relevant",
                           .seconds = 0.002,
                           .challengers = {{.name = "uct1", .verdict = CHALLENGER_UNFIT},
                                           {"multitree", CHALLENGER_WON, .won = 12, .drawn = 3,
                                            .lost = 1, .lead = 0.625},
                                           {.name = "uct", .verdict = CHALLENGER_UNMEASURED}},
                           .count = 3};
    Text text = {0};
    search_choice_write(&report, &text);
    cr_expect_str_eq(text_string(&text),
                     "multitree plays; challengers: it was clearly better than uct-relevant in 16 "
                     "test matches with 0.002 s per move; multitree won 12, drew 3, lost 1, +62.5 "
                     "on average (stronger)");
    /* A challenger has started, but finished no block. */
    report.picked = "uct-relevant";
    report.challengers[1] = (SearchChallenger){.name = "multitree", .verdict = CHALLENGER_OPEN};
    text_clear(&text);
    search_choice_write(&report, &text);
    cr_expect_str_eq(text_string(&text),
                     "uct-relevant plays; challengers: none was tried, because no test match ended "
                     "within the start clock");
    report.challengers[1] = (SearchChallenger){"multitree", CHALLENGER_LOST, .lost = 40};
    text_clear(&text);
    search_choice_write(&report, &text);
    cr_expect(strstr(text_string(&text), "none was clearly better in 40 test matches"));
    vector_free(&text);
    SearchTable t = table_create(game_named("maze", NULL), "auto", 0, (SearchOptions){0});
    cr_expect_not(search_describe(t.search, &report));
    table_release(&t);
}
