/* Tests regret matching on games whose equilibria are known. */
#include "../play_search.h"

TestSuite(cfr, .timeout = 600);

static double probability(const SearchTable *t, const char *move) {
    uint32_t number = game_find_move(t->work, t->search->role, move, strlen(move));
    double sum = 0, wanted = 0;
    for (size_t i = 0; i < t->result.moves.count; i++) {
        const SearchMove *m = &t->result.moves.items[i];
        sum += (double)m->visits;
        wanted += m->move == number ? (double)m->visits : 0;
    }
    return wanted / sum;
}

static SearchTable solve(Game *game, uint32_t role, uint64_t playouts) {
    SearchTable t = table_create(game, "cfr", role, (SearchOptions){.seed = 3});
    search_set_state(t.search, &t.state);
    think(&t, playouts);
    return t;
}

Test(cfr, mixes_pennies_and_hands_evenly) {
    for (uint32_t role = 0; role < 2; role++) {
        SearchTable t = solve(game_named("matching_pennies", NULL), role, 40000);
        cr_expect_float_eq(probability(&t, "(show heads)"), 0.5, 0.03);
        cr_expect_float_eq(t.result.moves.items[0].value, 50, 3);
        table_release(&t);
        t = solve(game_named("rock_paper_scissors", NULL), role, 60000);
        cr_expect_float_eq(probability(&t, "(show rock)"), 1 / 3.0, 0.03);
        cr_expect_float_eq(probability(&t, "(show paper)"), 1 / 3.0, 0.03);
        cr_expect_float_eq(t.result.moves.items[0].value, 50, 3);
        table_release(&t);
    }
}

/* Makes a game of one turn for two roles. `first` has the goals of the first role for each pair of
 * moves; the second gets the rest of 100 unless a second table is given. */
static Game *matrix_game(size_t size, const int *first, const int *second) {
    Text text = {0};
    text_add(&text, "(role a) (role b) (init start)"
                    "(<= (legal ?r ?m) (role ?r) (true start) (move ?m))"
                    "(<= (next (did ?r ?m)) (does ?r ?m))"
                    "(<= terminal (not (true start)))");
    for (size_t i = 0; i < size; i++)
        text_printf(&text, "(move m%zu)", i);
    for (size_t i = 0; i < size * size; i++) {
        text_printf(&text, "(<= (goal a %d) (true (did a m%zu)) (true (did b m%zu)))", first[i],
                    i / size, i % size);
        text_printf(&text, "(<= (goal b %d) (true (did a m%zu)) (true (did b m%zu)))",
                    second ? second[i] : 100 - first[i], i / size, i % size);
    }
    Game *game = game_of_text(text_string(&text), NULL);
    vector_free(&text);
    return game;
}

/* Rock against scissors counts double, so the equilibrium is a quarter, a half and a quarter. */
Test(cfr, finds_the_equilibrium_of_uneven_hands) {
    static const int gains[] = {50, 25, 100, 75, 50, 25, 0, 75, 50};
    for (uint32_t role = 0; role < 2; role++) {
        SearchTable t = solve(matrix_game(3, gains, NULL), role, 200000);
        cr_expect_float_eq(probability(&t, "m0"), 0.25, 0.03);
        cr_expect_float_eq(probability(&t, "m1"), 0.5, 0.03);
        cr_expect_float_eq(t.result.moves.items[0].value, 50, 3);
        table_release(&t);
    }
}

Test(cfr, prisoners_confess) {
    static const int mine[] = {60, 0, 100, 20}, others[] = {60, 100, 0, 20};
    for (uint32_t role = 0; role < 2; role++) {
        SearchTable t = solve(matrix_game(2, mine, others), role, 20000);
        cr_expect_gt(probability(&t, "m1"), 0.98);
        assert_best(&t, "m1");
        table_release(&t);
    }
}

/* Moves are drawn with the probabilities of the mixture. */
Test(cfr, plays_its_mixture) {
    SearchTable t = solve(game_named("matching_pennies", NULL), 0, 20000);
    uint32_t heads = game_find_move(t.work, 0, "(show heads)", strlen("(show heads)"));
    int shown = 0;
    for (int i = 0; i < 1000; i++) {
        search_result(t.search, &t.result);
        cr_assert_eq(t.result.best, t.result.moves.items[0].move);
        shown += t.result.best == heads;
    }
    cr_expect(shown > 430 && shown < 570, "%d", shown);
    table_release(&t);
}

/* In games with alternating moves no mixture is needed: wins are taken and losses are blocked. */
Test(cfr, plays_games_in_turns) {
    static const char *const moves[] = {"(mark 1 1)", "noop",       "noop",
                                        "(mark 2 2)", "(mark 1 2)", "noop"};
    SearchTable t =
        table_create(game_named("tic_tac_toe", NULL), "cfr", 1, (SearchOptions){.seed = 1});
    make_moves(&t, moves, sizeof moves / sizeof *moves);
    search_set_state(t.search, &t.state);
    think(&t, 20000);
    assert_best(&t, "(mark 1 3)");
    table_release(&t);
}

Test(cfr, plays_alone) {
    SearchTable t = solve(game_named("maze", NULL), 0, 20000);
    cr_expect_gt(t.result.moves.items[0].value, 90);
    table_release(&t);
}

/* Nine times a ninth of 100 is more than 100 in floating-point numbers. */
Test(cfr, values_are_goals) {
    static const char rules[] =
        "(role a) (move 1) (move 2) (move 3) (move 4) (move 5) (move 6) (move 7) (move 8) (move 9)"
        "(init (turn 1)) (<= (legal a ?m) (move ?m)) (<= (next (turn 2)) (true (turn 1)))"
        "(<= (next (turn 3)) (true (turn 2))) (<= terminal (true (turn 3))) (goal a 100)";
    SearchTable t = solve(game_of_text(rules, NULL), 0, 1000);
    for (size_t i = 0; i < t.result.moves.count; i++)
        cr_expect_eq(t.result.moves.items[i].value, 100);
    table_release(&t);
}

static void tell(SearchTable *t, BeliefFilter *f, const char *move, const char *percepts) {
    BeliefModel model = search_model(t->search);
    cr_assert_eq(belief_observe(f, move, percepts, true, &model, deadline_never()), BELIEF_EXACT);
    search_set_belief(t->search, &f->belief);
}

/* Returns how often bob, with this card, calls a bet of alice. */
static double calls_with(SearchTable *t, const char *card) {
    BeliefFilter *f = belief_create(t->game, 1, NULL, 1);
    tell(t, f, "noop", card);
    tell(t, f, "noop", "(did alice bet)");
    think(t, 100);
    belief_free(f);
    return probability(t, "call");
}

Test(cfr, solves_poker_with_three_cards) {
    SearchTable t = table_create(game_named("kuhn_poker", NULL), "cfr", 1, (SearchOptions){0});
    BeliefFilter *f = belief_create(t.game, 1, NULL, 1);
    search_set_belief(t.search, &f->belief);
    think(&t, 400000);
    double gain = (50 - t.result.moves.items[0].value) / 25;
    cr_expect_float_eq(gain, -1 / 18.0, 0.012, "%f", gain);
    cr_expect_lt(calls_with(&t, "(dealt jack)"), 0.02);
    cr_expect_gt(calls_with(&t, "(dealt king)"), 0.98);
    cr_expect_float_eq(calls_with(&t, "(dealt queen)"), 1 / 3.0, 0.06);
    belief_free(f);
    table_release(&t);
}

/* The belief uses the strategy that the search computed for the other player: after a bet, the king
 * is more likely than the jack. */
Test(cfr, reads_the_other_by_its_own_strategy) {
    SearchTable t = table_create(game_named("kuhn_poker", NULL), "cfr", 1, (SearchOptions){0});
    BeliefFilter *f = belief_create(t.game, 1, NULL, 1);
    search_set_belief(t.search, &f->belief);
    think(&t, 200000);
    tell(&t, f, "noop", "(dealt queen)");
    tell(&t, f, "noop", "(did alice bet)");
    uint32_t king = game_find_fluent(f->work, "(holds alice king)", strlen("(holds alice king)"));
    cr_assert_eq(f->belief.states.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const BeliefState *s = &f->belief.states.items[i];
        bool has_king = s->state.words[king / 64] >> (king % 64) & 1;
        cr_expect(has_king ? s->weight > 0.6 : s->weight < 0.4, "%f", s->weight);
    }
    belief_free(f);
    table_release(&t);
}

Test(cfr, stops_in_time_and_within_its_memory) {
    SearchTable t = table_create(game_named("breakthrough", NULL), "cfr", 0,
                                 (SearchOptions){.node_bytes = 1 << 20});
    search_set_state(t.search, &t.state);
    double started = clock_cpu_seconds();
    search_run(t.search, &(SearchBudget){.deadline = deadline_in(0.3)});
    cr_expect_lt(clock_cpu_seconds() - started, 2);
    search_result(t.search, &t.result);
    cr_expect_gt(t.result.playouts, 0);
    cr_expect_lt(t.result.nodes * 64, 1 << 20);
    table_release(&t);
}
