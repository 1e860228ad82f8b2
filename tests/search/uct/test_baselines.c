/* Tests that baselines always have the parameters stated in docs/how-it-works/searches.md, whatever
 * the caller asks for. */
#include "game/play.h"
#include "search/uct/uct.h"
#include "strategy/strategy.h"

static void run(const char *method, Game *game, const SearchOptions *options,
                SearchResult *result) {
    Report report = {0};
    Search *search = strategy_create_named(method, game, 0, options, &report);
    cr_assert_not_null(search);
    State state = {0};
    GameWork *work = game_work_create(game, REASONER_AUTO);
    game_initial(work, &state);
    search_set_state(search, &state);
    search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = 5000});
    search_result(search, result);
    search_free(search);
    state_free(&state);
    game_work_free(work);
    report_free(&report);
}

static void assert_same(const char *game_name, const char *baseline, const char *method,
                        const SearchOptions *stated) {
    Game *game = game_named(game_name, NULL);
    SearchResult frozen = {0}, spelled = {0};
    SearchOptions wishes = {
        .seed = 7, .exploration = 3, .leaf_playouts = 3, .batch = 5, .step_limit = 5};
    run(baseline, game, &wishes, &frozen);
    run(method, game, stated, &spelled);
    cr_assert_eq(frozen.moves.count, spelled.moves.count);
    cr_assert(frozen.moves.count > 0);
    for (size_t i = 0; i < frozen.moves.count; i++) {
        cr_expect_eq(frozen.moves.items[i].move, spelled.moves.items[i].move);
        cr_expect_eq(frozen.moves.items[i].visits, spelled.moves.items[i].visits, "%s on %s",
                     baseline, game_name);
        cr_expect_eq(frozen.moves.items[i].value, spelled.moves.items[i].value);
    }
    search_result_free(&frozen);
    search_result_free(&spelled);
    game_free(game);
}

Test(baselines, are_what_is_documented) {
    static const GraveOptions grave = {.bias = 1e-10, .visits = 50};
    SearchOptions open = {
        .seed = 7, .exploration = 0.7, .batch = 64, .leaf_playouts = 8, .step_limit = 10000};
    SearchOptions hidden = open;
    hidden.batch = 128;
    hidden.leaf_playouts = 2;
    static const char *const methods[] = {"uct", "grave", "cfr"};
    for (size_t i = 0; i < 3; i++) {
        char name[40];
        bool is_grave = strcmp(methods[i], "grave") == 0;
        open.exploration = hidden.exploration = is_grave ? 1e-9 : 0.7;
        open.own = hidden.own = is_grave ? &grave : NULL;
        snprintf(name, sizeof name, "baseline-%s", methods[i]);
        assert_same("connect_four", name, methods[i], &open);
        assert_same("sheep_and_wolf", name, methods[i], &hidden);
    }
}

Test(baselines, have_one_thread) {
    Game *game = game_named("tic_tac_toe", NULL);
    Report report = {0};
    SearchOptions options = {.threads = 2, .parallel = PARALLEL_TREE};
    cr_expect_null(strategy_create_named("baseline-uct", game, 0, &options, &report));
    cr_expect(report_failed(&report));
    report_free(&report);
    game_free(game);
}
