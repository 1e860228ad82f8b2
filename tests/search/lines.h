/* A line of a game with one role, as searches for such games give it. */
#ifndef MARELLE_TESTS_SEARCH_LINES_H
#define MARELLE_TESTS_SEARCH_LINES_H

#include "game/play.h"
#include "search/single/nested.h"

/* Asserts that the line leads from the state, or from the initial one if it is NULL, to a terminal
 * state with the score of the result. */
__attribute__((unused)) static void assert_line(Game *game, const State *from,
                                                const NestedResult *result) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    if (from)
        state_copy(&state, from);
    else
        game_initial(work, &state);
    for (size_t i = 0; i < result->line.count; i++) {
        cr_assert(!game_is_terminal(work, &state));
        game_next(work, &state, &result->line.items[i], &state);
    }
    cr_expect(game_is_terminal(work, &state));
    cr_expect_eq(game_goal(work, &state, 0), result->score);
    state_free(&state);
    game_work_free(work);
}

#endif
