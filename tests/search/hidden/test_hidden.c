/* Tests searches with hidden information: they use only what their role knows, and play well with
 * it. */
#include "../play_search.h"
#include "search/search.h"

TestSuite(hidden, .timeout = 600);

static const char *const tree_methods[] = {"uct", "grave", "mast"};
enum { TREE_METHODS = sizeof tree_methods / sizeof *tree_methods };

static bool plays_with_others(const SearchMethod *method) {
    return !method->for_one_role;
}

/* A player of a match that gets its own moves and percepts. */
typedef struct {
    Search *search;
    BeliefFilter *filter;
} Side;

static Side open_side(Game *game, const char *method, uint32_t role, uint64_t seed) {
    Report report = {0};
    SearchOptions options = {.seed = seed};
    Side side = {strategy_create_named(method, game, role, &options, &report),
                 belief_create(game, role, NULL, seed)};
    cr_assert_not_null(side.search, "%s", method);
    search_set_belief(side.search, &side.filter->belief);
    report_free(&report);
    return side;
}

static void close_side(Side *side) {
    search_free(side->search);
    belief_free(side->filter);
}

static void tell(Side *side, const char *move, const char *percepts) {
    BeliefModel model = search_model(side->search);
    belief_observe(side->filter, move, percepts, true, &model, deadline_never());
    search_set_belief(side->search, &side->filter->belief);
}

static void think_of(Side *side, uint64_t playouts, SearchResult *result) {
    search_run(side->search, &(SearchBudget){.deadline = deadline_never(), .playouts = playouts});
    search_result(side->search, result);
}

static const SearchMove *find_move(const Side *side, const SearchResult *result, const char *move) {
    uint32_t number = game_find_move(side->filter->work, side->filter->role, move, strlen(move));
    for (size_t i = 0; i < result->moves.count; i++)
        if (result->moves.items[i].move == number)
            return &result->moves.items[i];
    cr_assert_fail("%s is not listed", move);
    return NULL;
}

Test(hidden, swaps_the_door) {
    Game *game = game_named("monty_hall", NULL);
    for (size_t m = 0; m < TREE_METHODS; m++) {
        Side side = open_side(game, tree_methods[m], 0, 1);
        SearchResult result = {0};
        tell(&side, "(pick 1)", "");
        tell(&side, "noop", "(opened 2)");
        think_of(&side, 3000, &result);
        cr_expect_eq(find_move(&side, &result, "swap"), &result.moves.items[0]);
        cr_expect_float_eq(find_move(&side, &result, "swap")->value, 66.7, 5);
        cr_expect_eq(result.best, result.moves.items[0].move);
        search_result_free(&result);
        close_side(&side);
    }
    game_free(game);
}

/* At the start, the search must not assume that opening a door will show where the prize is. */
Test(hidden, expects_what_can_be_had) {
    Game *game = game_named("monty_hall", NULL);
    for (size_t m = 0; m < TREE_METHODS; m++) {
        Side side = open_side(game, tree_methods[m], 0, 1);
        SearchResult result = {0};
        think_of(&side, 30000, &result);
        cr_expect_eq(result.moves.count, 3);
        cr_expect_float_eq(result.moves.items[0].value, 66.7, 6, "%s: %f", tree_methods[m],
                           result.moves.items[0].value);
        search_result_free(&result);
        close_side(&side);
    }
    game_free(game);
}

Test(hidden, sees_no_die_under_the_cup) {
    Game *game = game_named("guess_dice", NULL);
    for (int interpreted = 0; interpreted < 2; interpreted++) {
        Game *played =
            interpreted ? game_named("guess_dice", &(GameOptions){.interpreter_only = 1}) : game;
        for (size_t m = 0; m < TREE_METHODS; m++) {
            Side side = open_side(played, tree_methods[m], 0, 1);
            SearchResult result = {0};
            tell(&side, "noop", "");
            think_of(&side, 6000, &result);
            cr_expect_eq(result.moves.count, 6);
            cr_expect_lt(result.moves.items[0].value, 33, "%s %f", tree_methods[m],
                         result.moves.items[0].value);
            search_result_free(&result);
            close_side(&side);
        }
        if (interpreted)
            game_free(played);
    }
    game_free(game);
}

Test(hidden, one_seed_gives_one_result) {
    Game *game = game_named("kuhn_poker", NULL);
    for (const SearchMethod *const *m = strategy_methods; *m; m++) {
        if (!plays_with_others(*m))
            continue;
        SearchResult results[2] = {{0}, {0}};
        for (int i = 0; i < 2; i++) {
            Side side = open_side(game, (*m)->name, 0, 7);
            tell(&side, "noop", "(dealt queen)");
            think_of(&side, 1000, &results[i]);
            close_side(&side);
        }
        cr_expect_eq(results[0].best, results[1].best);
        cr_assert_eq(results[0].moves.count, 2);
        for (size_t i = 0; i < 2; i++)
            cr_expect_eq(results[0].moves.items[i].visits, results[1].moves.items[i].visits);
        search_result_free(&results[0]);
        search_result_free(&results[1]);
    }
    game_free(game);
}

/* Trees of several threads get the belief as well. */
Test(hidden, trees_are_added_up) {
    Game *game = game_named("monty_hall", NULL);
    Report report = {0};
    SearchOptions options = {.threads = 2};
    BeliefFilter *filter = belief_create(game, 0, NULL, 1);
    belief_observe(filter, "(pick 1)", "", true, NULL, deadline_never());
    belief_observe(filter, "noop", "(opened 2)", true, NULL, deadline_never());
    for (const SearchMethod *const *m = strategy_methods; *m; m++) {
        if (!plays_with_others(*m))
            continue;
        Search *search = strategy_create_named((*m)->name, game, 0, &options, &report);
        SearchResult result = {0};
        cr_assert_not_null(search, "%s", (*m)->name);
        search_set_belief(search, &filter->belief);
        search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = 2000});
        search_result(search, &result);
        cr_expect_eq(result.moves.count, 2);
        cr_expect_neq(result.best, MOVE_NONE);
        search_result_free(&result);
        search_free(search);
    }
    report_free(&report);
    belief_free(filter);
    game_free(game);
}

Test(hidden, nothing_is_answered_when_track_is_lost) {
    Game *game = game_named("monty_hall", NULL);
    for (const SearchMethod *const *m = strategy_methods; *m; m++) {
        if (!plays_with_others(*m))
            continue;
        Side side = open_side(game, (*m)->name, 0, 1);
        SearchResult result = {0};
        tell(&side, "(pick 1)", "(opened 3)");
        think_of(&side, 1000, &result);
        cr_expect_eq(result.best, MOVE_NONE, "%s", (*m)->name);
        search_result_free(&result);
        close_side(&side);
    }
    game_free(game);
}
