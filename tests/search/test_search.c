/* Tests the properties that all search methods share. */
#include "play_search.h"

TestSuite(search, .timeout = 600);

/* Every method plays a whole match against itself with legal moves only. */
Test(search, whole_matches_are_legal) {
    for (const SearchMethod *const *m = strategy_methods; *m; m++) {
        if ((*m)->for_one_role)
            continue;
        SearchTable t = table_create(game_named("tic_tac_toe", NULL), (*m)->name, 0,
                                     (SearchOptions){.seed = 3});
        Search *other =
            strategy_create_named((*m)->name, t.game, 1, &(SearchOptions){.seed = 4}, NULL);
        uint32_t joint[2], turns = 0;
        cr_assert_not_null(other);
        search_set_state(t.search, &t.state);
        search_set_state(other, &t.state);
        for (; !game_is_terminal(t.work, &t.state); turns++) {
            think(&t, 300);
            joint[0] = t.result.best;
            search_run(other, &(SearchBudget){.deadline = deadline_never(), .playouts = 300});
            search_result(other, &t.result);
            joint[1] = t.result.best;
            for (uint32_t r = 0; r < 2; r++) {
                U32Vector legal = {0};
                bool found = false;
                game_legal(t.work, &t.state, r, &legal);
                for (size_t i = 0; i < legal.count; i++)
                    found = found || legal.items[i] == joint[r];
                cr_assert(found);
                vector_free(&legal);
            }
            game_next(t.work, &t.state, joint, &t.state);
            search_advance(t.search, joint, &t.state);
            search_advance(other, joint, &t.state);
        }
        cr_assert(turns >= 5 && turns <= 9);
        search_free(other);
        table_release(&t);
    }
}

/* A search thinks for the given CPU time and no longer than the budget. */
Test(search, thinks_for_processor_time) {
    SearchTable t =
        table_create(game_named("connect_four", NULL), "uct", 0, (SearchOptions){.seed = 1});
    search_set_state(t.search, &t.state);
    double started = clock_thread_cpu_seconds();
    search_think(t.search, &(SearchBudget){.deadline = deadline_never()}, 0.1, &t.result);
    double spent = clock_thread_cpu_seconds() - started;
    cr_expect(spent > 0.09 && spent < 0.2, "%g s", spent);
    cr_expect_gt(t.result.playouts, 0);
    search_set_state(t.search, &t.state);
    SearchBudget budget = {.deadline = deadline_never(), .playouts = 1000};
    search_think(t.search, &budget, 100, &t.result);
    cr_expect(t.result.playouts >= 1000 && t.result.playouts < 5000);
    budget = (SearchBudget){.deadline = deadline_in(0)};
    started = clock_thread_cpu_seconds();
    search_think(t.search, &budget, 100, &t.result);
    cr_expect_lt(clock_thread_cpu_seconds() - started, 1);
    table_release(&t);
}

/* ---- when to stop ---- */

typedef struct {
    Search search;
    uint64_t runs, decided_after;
} Patient;

static void patient_run(Search *search, const SearchBudget *budget) {
    (void)budget;
    ((Patient *)search)->runs++;
}

static void patient_result(Search *search, SearchResult *result) {
    const Patient *p = (Patient *)search;
    search_result_free(result);
    vector_push(&result->moves, ((SearchMove){.value = 5, .is_proven = true}));
    result->playouts = p->runs;
    result->is_decided = p->runs >= p->decided_after;
}

/* One proven move does not decide the search. */
Test(search, thinks_on_until_it_is_decided) {
    static const SearchMethod method = {.run = patient_run, .result = patient_result};
    Patient patient = {.search = {.method = &method}, .decided_after = 7};
    SearchResult result = {0};
    SearchBudget budget = {.deadline = deadline_never()};
    search_think(&patient.search, &budget, 1000, &result);
    cr_expect_eq(patient.runs, 7);
    cr_expect(result.is_decided);
    search_result_free(&result);
}
