/* Tests `mtmcts` through the common interface of searches: its results for moves and for the
 * search. */
#include "../play_search.h"

TestSuite(mtmcts, .timeout = 600);

static SearchTable table_of(const char *text, SearchOptions options) {
    SearchTable t = table_create(game_of_text(text, NULL), "mtmcts", 0, options);
    search_set_state(t.search, &t.state);
    return t;
}

/* The greatest goal is 60. */
#define ENDS                                                                                       \
    "(role r) (init start) (legal r a) (legal r b) (legal r c)"                                    \
    "(<= (next one) (does r a)) (<= (next two) (does r b)) (<= (next three) (does r c))"           \
    "(<= terminal (not (true start))) (<= (goal r 30) (true one)) (<= (goal r 60) (true two))"     \
    "(<= (goal r 45) (true three)) (<= (goal r 0) (true start))"

/* Values are goals, whatever the greatest goal is, proven or not. */
Test(mtmcts, values_are_goals) {
    for (uint32_t threads = 1; threads <= 3; threads++) {
        SearchTable t = table_of(ENDS, (SearchOptions){.threads = threads});
        think(&t, 100);
        cr_assert_eq(t.result.moves.count, 3);
        cr_expect(t.result.is_decided);
        assert_best(&t, "b");
        for (size_t i = 0; i < 3; i++) {
            const SearchMove *move = &t.result.moves.items[i];
            cr_expect(move->is_proven);
            static const double goals[] = {30, 60, 45};
            cr_expect_eq(move->value, goals[move->move]);
        }
        table_release(&t);
    }
}

/* Every match is worth 60, and so is every mean, although the rules contain a goal of 80 that no
 * match reaches. */
Test(mtmcts, means_are_goals) {
    SearchTable t = table_of("(role r) (succ 0 1) (succ 1 2) (succ 2 3) (init (step 0))"
                             "(<= (next (step ?n)) (true (step ?s)) (succ ?s ?n))"
                             "(legal r a) (legal r b) (<= (next x) (does r a))"
                             "(<= terminal (true (step 3))) (<= (goal r 60) (true (step 3)))"
                             "(<= (goal r 80) (not (true (step 3))))",
                             (SearchOptions){0});
    think(&t, 4);
    cr_assert_eq(t.result.moves.count, 2);
    for (size_t i = 0; i < 2; i++)
        cr_expect_float_eq(t.result.moves.items[i].value, 60, 1e-9);
    table_release(&t);
}

/* To stop is worth 90 at once, and one line of many is worth 100: the proven value of stopping does
 * not decide the search. */
Test(mtmcts, a_proven_end_decides_nothing) {
    Text text = {0};
    text_add(&text, "(role r) (init (step 0)) (legal r stop) (legal r a) (legal r b) (legal r c)"
                    "(<= (next (step ?n)) (true (step ?s)) (succ ?s ?n))"
                    "(<= (next out) (does r stop)) (<= terminal (true out))"
                    "(<= (next (h ?s ?m)) (true (step ?s)) (does r ?m))"
                    "(<= (next (h ?s ?m)) (true (h ?s ?m))) (<= terminal (true (step 14)))"
                    "(<= (goal r 90) (true out)) (<= (goal r 100) win (not (true out)))"
                    "(<= (goal r 0) (not (true out)) (not win)) (<= win");
    for (int i = 0; i < 14; i++)
        text_printf(&text, "(true (h %d %c))", i, i % 3 == 1 ? 'c' : 'a');
    text_add(&text, ")");
    for (int i = 0; i < 14; i++)
        text_printf(&text, "(succ %d %d)", i, i + 1);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        SearchTable t = table_of(text_string(&text), (SearchOptions){.threads = threads});
        think(&t, 300);
        assert_best(&t, "stop");
        cr_expect(t.result.moves.items[0].is_proven && t.result.moves.items[0].value == 90);
        cr_expect(!t.result.is_decided);
        cr_expect_geq(t.result.playouts, 300);
        table_release(&t);
    }
    vector_free(&text);
}

/* A tree without playouts lists all legal moves; the others list one for each successor. */
Test(mtmcts, more_threads_than_playouts) {
    SearchTable t =
        table_create(game_named("incredible", NULL), "mtmcts", 0, (SearchOptions){.threads = 4});
    U32Vector legal = {0};
    search_set_state(t.search, &t.state);
    think(&t, 1);
    cr_expect_eq(t.result.playouts, 1);
    game_legal(t.work, &t.state, 0, &legal);
    cr_expect_eq(t.result.moves.count, legal.count);
    bool is_legal = false;
    for (size_t i = 0; i < legal.count; i++)
        is_legal |= legal.items[i] == t.result.best;
    cr_expect(is_legal);
    vector_free(&legal);
    table_release(&t);
}

/* Asserts that the match ends with the proven value, though little is searched after the first
 * move. */
static void play_what_is_proven(SearchTable *t) {
    cr_assert(t->result.is_decided && t->result.moves.items[0].is_proven);
    double proven = t->result.moves.items[0].value;
    while (!game_is_terminal(t->work, &t->state)) {
        cr_expect(t->result.is_decided);
        cr_assert_eq(t->result.best, t->result.line.items[0]);
        uint32_t move = t->result.best;
        game_next(t->work, &t->state, &move, &t->state);
        search_advance(t->search, &move, &t->state);
        think(t, 20);
    }
    cr_expect_eq(game_goal(t->work, &t->state, 0), proven);
}

Test(mtmcts, what_is_proven_is_played) {
    for (uint64_t seed = 0; seed < 4; seed++) {
        SearchTable t = table_create(game_named("incredible", NULL), "mtmcts", 0,
                                     (SearchOptions){.seed = seed, .threads = 1 + seed % 2});
        search_set_state(t.search, &t.state);
        think(&t, 100000);
        play_what_is_proven(&t);
        table_release(&t);
    }
}

/* The line comes from the second cut, which has its turn after many runs. When a match starts
 * again, the search has forgotten it. */
Test(mtmcts, what_another_cut_has_found_is_played) {
    SearchTable t = table_create(game_named("nonogram_cube", NULL), "mtmcts", 0,
                                 (SearchOptions){.node_bytes = 64 << 20});
    search_set_state(t.search, &t.state);
    uint64_t playouts = 0;
    for (int run = 0; run < 20 && !t.result.is_decided; run++) {
        think(&t, 3000);
        cr_expect_gt(t.result.playouts, playouts);
        playouts = t.result.playouts;
    }
    play_what_is_proven(&t);
    game_initial(t.work, &t.state);
    search_set_state(t.search, &t.state);
    think(&t, 100);
    cr_expect_not(t.result.is_decided);
    cr_expect_eq(t.result.playouts, 100);
    table_release(&t);
}
