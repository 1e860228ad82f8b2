/* Tries all moves of a state at once, one per lane. */
#include "search/single/lookahead.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

void lookahead_init(LookAhead *a, Game *game) {
    assert(game->role_count == 1 && game_has_circuit(game));
    *a = (LookAhead){.game = game,
                     .work = game_work(game, REASONER_AUTO),
                     .lanes = lanes_create(game),
                     .fluent_count = game->circuit->fluent_count,
                     .word_count = (uint32_t)bitset_words(game->circuit->fluent_count)};
    a->state.words = memory_zalloc((a->word_count + 1) * sizeof *a->state.words);
    a->state.word_count = a->word_count;
}

void lookahead_free(LookAhead *a) {
    lanes_free(a->lanes);
    game_work_free(a->work);
    state_free(&a->state);
    vector_free(&a->legal);
    memory_free(a->successors, a->ends, a->goals);
}

void lookahead_words(const LookAhead *a, const State *state, uint64_t *words) {
    for (uint32_t w = 0; w < a->word_count; w++)
        words[w] = w < state->word_count ? state->words[w] : 0;
}

State *lookahead_state(LookAhead *a, const uint64_t *words) {
    memcpy(a->state.words, words, a->word_count * sizeof *words);
    return &a->state;
}

void lookahead_legal(LookAhead *a, const uint64_t *words, U32Vector *legal) {
    game_legal(a->work, lookahead_state(a, words), 0, legal);
}

static void put_state_into_lanes(LookAhead *a, const uint64_t *words) {
    Lanes *fluents = lanes_fluent_rows(a->lanes);
    for (uint32_t f = 0; f < a->fluent_count; f++)
        fluents[f] = (Lanes){0} - (uint64_t)bitset_get(words, f);
}

void lookahead_put_moves(LookAhead *a, const uint32_t *moves, uint32_t count) {
    assert(count <= LANES);
    Lanes *rows = lanes_move_rows(a->lanes);
    memset(rows, 0, a->game->circuit->move_count * sizeof *rows);
    for (uint32_t i = 0; i < count; i++)
        bitset_set((uint64_t *)&rows[moves[i]], i);
}

void lookahead_try(LookAhead *a, const uint64_t *words, const uint32_t *moves, uint32_t count,
                   uint64_t *successors, bool *ends, int *goals) {
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t some = count - first < LANES ? count - first : LANES;
        put_state_into_lanes(a, words);
        lookahead_put_moves(a, moves + first, some);
        lanes_evaluate_next(a->lanes);
        lanes_next_words(a->lanes, some, successors + (size_t)first * a->word_count);
        lanes_advance(a->lanes);
        lanes_evaluate_answers(a->lanes);
        for (uint32_t i = 0; i < some; i++) {
            ends[first + i] = lanes_is_terminal(a->lanes, i);
            goals[first + i] = ends[first + i] ? lanes_goal(a->lanes, i, 0) : GOAL_NONE;
        }
    }
}

void lookahead_all(LookAhead *a, const uint64_t *words) {
    size_t moves = a->game->circuit->move_count + 1;
    if (!a->successors) {
        a->successors = memory_alloc(moves * a->word_count * sizeof *a->successors);
        a->ends = memory_alloc(moves);
        a->goals = memory_alloc(moves * sizeof *a->goals);
    }
    lookahead_legal(a, words, &a->legal);
    lookahead_try(a, words, a->legal.items, (uint32_t)a->legal.count, a->successors, a->ends,
                  a->goals);
}
