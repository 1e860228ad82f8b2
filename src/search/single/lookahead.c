/* Tries all moves of a state at once (game/successors.h). */
#include "search/single/lookahead.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

void lookahead_init(LookAhead *a, Game *game) {
    assert(game->role_count == 1 && game_has_circuit(game));
    *a = (LookAhead){.game = game,
                     .work = game_work_create(game, REASONER_AUTO),
                     .made = successors_create(game, REASONER_SCALAR),
                     .word_count = (uint32_t)bitset_words(game->circuit->fluent_count)};
    a->state.words = memory_zalloc((a->word_count + 1) * sizeof *a->state.words);
    a->state.word_count = a->word_count;
}

void lookahead_free(LookAhead *a) {
    successors_free(a->made);
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

void lookahead_try(LookAhead *a, const uint64_t *words, const uint32_t *moves, uint32_t count,
                   uint64_t *successors, bool *ends, int *goals) {
    successors_clear(a->made);
    successors_from(a->made, lookahead_state(a, words));
    for (uint32_t i = 0; i < count; i++)
        successors_add(a->made, &moves[i]);
    successors_evaluate(a->made, SUCCESSORS_GOALS);
    for (uint32_t i = 0; i < count; i++) {
        State next = successors_state(a->made, i);
        lookahead_words(a, &next, successors + (size_t)i * a->word_count);
        ends[i] = successors_is_terminal(a->made, i);
        goals[i] = ends[i] ? successors_goal(a->made, i, 0) : GOAL_NONE;
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
