/* The choice by matches in the start clock: what is measured, what it costs, and that nothing
 * changes where nothing is measured. All with play-outs for a clock, so that one seed gives one
 * result. */
#include "search/rivals.h"

#include "play_search.h"

TestSuite(rivals, .timeout = 100);

typedef struct {
    SearchTable table;
    RivalsReport report;
} Start;

static Start start_with(const char *game, double clock, uint64_t seed) {
    Start s = {
        .table = table_create(game_named(game, NULL), "rivals", 0, (SearchOptions){.seed = seed})};
    search_set_state(s.table.search, &s.table.state);
    if (clock > 0)
        search_run(s.table.search, &(SearchBudget){.deadline = deadline_never(),
                                                   .playouts = (uint64_t)clock,
                                                   .start = clock});
    search_result(s.table.search, &s.table.result);
    cr_assert(rivals_report(s.table.search, &s.report));
    return s;
}

static uint64_t matches_of(const RivalRecord *record) {
    return record->won + record->drawn + record->lost;
}

static const RivalRecord *record_of(const Start *s, const char *name) {
    for (size_t i = 0; i < s->report.count; i++)
        if (strcmp(s->report.records[i].name, name) == 0)
            return &s->report.records[i];
    cr_assert_fail("no rival called %s", name);
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

/* Boards that need a move on each of them in every turn: they are subgames. */
Test(rivals, matches_decide) {
    enum { CLOCK = 16000 };
    Start s = start_with("tic_tac_toe_parallel", CLOCK, 1);
    const RivalRecord *trees = record_of(&s, "trees");
    cr_expect_gt(s.report.playouts, 0);
    cr_expect_eq(s.report.seconds, 0);
    cr_expect_gt(matches_of(trees), 0);
    cr_expect_eq(record_of(&s, "uct1")->verdict, RIVAL_UNFIT);
    cr_expect_eq(record_of(&s, "uct")->verdict, RIVAL_UNFIT);
    for (size_t i = 0; i < s.report.count; i++) {
        const RivalRecord *record = &s.report.records[i];
        bool is_picked = strcmp(s.report.picked, record->name) == 0;
        cr_expect_eq(is_picked, record->verdict == RIVAL_WON);
    }
    /* A turn of a match is not cut off. */
    cr_expect_leq(s.table.result.playouts, CLOCK + 2 * s.report.playouts);
    cr_expect_geq(s.table.result.playouts, CLOCK);
    table_release(&s.table);
}

Test(rivals, one_seed_one_result) {
    Start once = start_with("tic_tac_toe_parallel", 16000, 5);
    Start again = start_with("tic_tac_toe_parallel", 16000, 5);
    cr_expect_str_eq(once.report.picked, again.report.picked);
    for (size_t i = 0; i < once.report.count; i++) {
        cr_expect_eq(once.report.records[i].won, again.report.records[i].won);
        cr_expect_eq(once.report.records[i].drawn, again.report.records[i].drawn);
        cr_expect_eq(once.report.records[i].lost, again.report.records[i].lost);
        cr_expect_eq(once.report.records[i].verdict, again.report.records[i].verdict);
    }
    expect_same_moves(&once.table.result, &again.table.result);
    table_release(&once.table);
    table_release(&again.table);
}

static SearchResult searched_by_parts(const char *game, uint64_t seed, uint64_t playouts) {
    SearchTable t = table_create(game_named(game, NULL), "parts", 0, (SearchOptions){.seed = seed});
    search_set_state(t.search, &t.state);
    think(&t, playouts);
    SearchResult result = t.result;
    t.result = (SearchResult){0};
    table_release(&t);
    return result;
}

/* Without a start clock, or with too short a one, it is `parts`. */
Test(rivals, nothing_is_measured_in_no_time) {
    SearchResult parts = searched_by_parts("tic_tac_toe_parallel", 2, 3000);
    Start s = start_with("tic_tac_toe_parallel", 0, 2);
    think(&s.table, 3000);
    expect_same_moves(&parts, &s.table.result);
    table_release(&s.table);
    s = start_with("tic_tac_toe_parallel", 3000, 2);
    for (size_t i = 0; i < s.report.count; i++) {
        cr_expect_eq(s.report.records[i].verdict, RIVAL_UNHEARD);
        cr_expect_eq(matches_of(&s.report.records[i]), 0);
    }
    cr_expect_str_eq(s.report.picked, "parts");
    cr_expect_eq(s.report.playouts, 0);
    table_release(&s.table);
    search_result_free(&parts);
}

/* What is computed or proven needs no matches. */
Test(rivals, what_is_known_is_not_measured) {
    static const char *const games[] = {"nim", "double_tic_tac_toe", "tic_tac_toe"};
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        Start s = start_with(games[g], 200000, 3);
        uint64_t matches = 0;
        for (size_t i = 0; i < s.report.count; i++)
            matches += matches_of(&s.report.records[i]);
        cr_expect_eq(matches, 0, "%s", games[g]);
        cr_expect_str_eq(s.report.picked, "parts");
        table_release(&s.table);
    }
}

/* Once the match has moved on nothing is measured any more, and play goes on to its end. */
Test(rivals, plays_on) {
    Start s = start_with("tic_tac_toe_parallel", 8000, 7);
    U32Vector legal = {0};
    RivalsReport later;
    while (!game_is_terminal(s.table.work, &s.table.state)) {
        uint32_t joint[2];
        for (uint32_t r = 0; r < 2; r++) {
            game_legal(s.table.work, &s.table.state, r, &legal);
            joint[r] = legal.items[0];
        }
        game_legal(s.table.work, &s.table.state, 0, &legal);
        if (legal.count > 1) {
            search_run(s.table.search, &(SearchBudget){.deadline = deadline_never(),
                                                       .playouts = 200,
                                                       .start = s.table.result.playouts ? 0 : 1});
            search_result(s.table.search, &s.table.result);
            joint[0] = s.table.result.best;
        }
        game_next(s.table.work, &s.table.state, joint, &s.table.state);
        search_advance(s.table.search, joint, &s.table.state);
        cr_assert(rivals_report(s.table.search, &later));
        cr_expect_str_eq(later.picked, s.report.picked);
    }
    for (size_t i = 0; i < later.count; i++)
        cr_expect_eq(matches_of(&later.records[i]), matches_of(&s.report.records[i]));
    vector_free(&legal);
    table_release(&s.table);
}

/* A search with several trees is one of what was picked. */
Test(rivals, threads_are_dealt_out) {
    SearchTable t = table_create(game_named("tic_tac_toe_parallel", NULL), "auto", 0,
                                 (SearchOptions){.threads = 2});
    RivalsReport report;
    search_set_state(t.search, &t.state);
    cr_expect(rivals_report(t.search, &report));
    think(&t, 4000);
    cr_expect_geq(t.result.playouts, 4000);
    table_release(&t);
}

Test(rivals, stops_when_told) {
    SearchTable t =
        table_create(game_named("tic_tac_toe_parallel", NULL), "rivals", 0, (SearchOptions){0});
    bool stopped = true;
    search_set_state(t.search, &t.state);
    search_run(t.search,
               &(SearchBudget){.deadline = deadline_never(), .stopped = &stopped, .start = 1000});
    search_result(t.search, &t.result);
    cr_expect_eq(t.result.playouts, 0);
    table_release(&t);
}

/* Said in words and for games in which nothing can be measured. */
Test(rivals, tells_what_it_measured) {
    RivalsReport report = {.picked = "trees",
                           .seconds = 0.002,
                           .records = {{"uct1", RIVAL_UNFIT, 0, 0, 0},
                                       {"trees", RIVAL_WON, 12, 3, 1},
                                       {"uct", RIVAL_UNHEARD, 0, 0, 0}},
                           .count = 3};
    Text text = {0};
    rivals_write(&report, &text);
    cr_expect_str_eq(text_string(&text),
                     "trees plays, after matches against parts with 0.002 s a move; trees won 12, "
                     "drew 3, lost 1 (stronger)");
    vector_free(&text);
    SearchTable t = table_create(game_named("maze", NULL), "auto", 0, (SearchOptions){0});
    cr_expect_not(rivals_report(t.search, &report));
    table_release(&t);
}
