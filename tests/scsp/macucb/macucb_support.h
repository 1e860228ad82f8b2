/* Shared by the tests of MAC-UCB: preparing a search, running it, and reading its result. */
#ifndef MARELLE_TESTS_SCSP_MACUCB_SUPPORT_H
#define MARELLE_TESTS_SCSP_MACUCB_SUPPORT_H

#include "scsp/macucb/macucb.h"

#include "../../search/play_search.h"

__attribute__((unused)) static void prepare_within(Search *search, double seconds) {
    search_prepare(search, &(SearchBudget){.deadline = deadline_never()}, seconds);
}

/* Returns the value of the move in the last result; -1 if it is not in it. */
__attribute__((unused)) static double value_of(const SearchTable *t, const char *move) {
    uint32_t number = game_find_move(t->work, t->search->role, move, strlen(move));
    for (size_t i = 0; i < t->result.moves.count; i++)
        if (t->result.moves.items[i].move == number)
            return t->result.moves.items[i].value;
    return -1;
}

/* Searches the initial state of a game of games/ for role 0. */
__attribute__((unused)) static SearchTable solve(const char *game, const char *method,
                                                 MacUcbOptions mac, uint64_t playouts) {
    SearchTable t =
        table_create(game_named(game, NULL), method, 0, (SearchOptions){.seed = 5, .own = &mac});
    search_set_state(t.search, &t.state);
    think(&t, playouts);
    return t;
}

#endif
