/* Shared by the tests of searches: a search of a game in a state, and its result. */
#ifndef MARELLE_TESTS_SEARCH_PLAY_SEARCH_H
#define MARELLE_TESTS_SEARCH_PLAY_SEARCH_H

#include "../game/play.h"
#include "strategy/strategy.h"

typedef struct {
    Game *game;
    GameWork *work;
    Search *search;
    State state;
    SearchResult result;
} SearchTable;

/* Makes the joint moves, which are given as texts, one for each role. */
__attribute__((unused)) static void make_moves(SearchTable *t, const char *const *moves,
                                               size_t count) {
    uint32_t joint[8];
    U32Vector legal = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t role = (uint32_t)(i % t->game->role_count);
        game_legal(t->work, &t->state, role, &legal);
        joint[role] = game_find_move(t->work, role, moves[i], strlen(moves[i]));
        cr_assert_neq(joint[role], MOVE_NONE, "%s", moves[i]);
        if (role + 1 == t->game->role_count)
            game_next(t->work, &t->state, joint, &t->state);
    }
    vector_free(&legal);
}

__attribute__((unused)) static SearchTable table_create(Game *game, const char *method,
                                                        uint32_t role, SearchOptions options) {
    SearchTable t = {.game = game, .work = game_work_create(game, REASONER_AUTO)};
    Report report = {0};
    game_initial(t.work, &t.state);
    t.search = strategy_create_named(method, game, role, &options, &report);
    cr_assert_not_null(t.search);
    report_free(&report);
    return t;
}

__attribute__((unused)) static void table_release(SearchTable *t) {
    search_result_free(&t->result);
    search_free(t->search);
    state_free(&t->state);
    game_work_free(t->work);
    game_free(t->game);
}

__attribute__((unused)) static void think(SearchTable *t, uint64_t playouts) {
    search_run(t->search, &(SearchBudget){.deadline = deadline_never(), .playouts = playouts});
    search_result(t->search, &t->result);
}

__attribute__((unused)) static void assert_best(SearchTable *t, const char *expected) {
    Text text = {0};
    cr_assert_neq(t->result.best, MOVE_NONE);
    cr_assert_eq(t->result.best, t->result.moves.items[0].move);
    game_move_text(t->work, t->search->role, t->result.best, &text);
    cr_assert_str_eq(text.items, expected);
    vector_free(&text);
}

#endif
