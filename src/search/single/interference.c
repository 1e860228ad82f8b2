/* Each legal move of a state is tried alone. Two moves interfere if one makes the other illegal or
 * if both change a fluent that not every move changes. */
#include "search/single/interference.h"

#include <assert.h>

#include "base/bitset.h"

enum {
    MAX_MOVES = 8192, /* a game with more moves keeps no pairs (untuned) */
    MAX_TRIED = 512   /* a state with more legal moves is skipped (untuned) */
};

void interference_init(Interference *s, uint32_t move_count) {
    *s = (Interference){.words = move_count <= MAX_MOVES ? (move_count + 63) / 64 : 0};
    s->rows = memory_zalloc((size_t)move_count * s->words * sizeof *s->rows + 1);
}

void interference_free(Interference *s) {
    free(s->rows);
    vector_free(&s->pairs);
}

static void note(Interference *s, uint32_t a, uint32_t b) {
    assert(a / 64 < s->words && b / 64 < s->words);
    uint64_t *row = s->rows + (size_t)a * s->words;
    if (bitset_get(row, b))
        return;
    bitset_set(row, b);
    bitset_set(s->rows + (size_t)b * s->words, a);
    vector_push(&s->pairs, ((MovePair){a, b}));
}

/* The effect of a move: the fluents that it changes, and the moves that are legal afterwards. */
typedef struct {
    uint64_t *changes, *legal;
} Effect;

static Effect try_move(GameWork *work, const State *state, uint32_t move, uint32_t fluent_words,
                       uint32_t move_words) {
    Effect effect = {memory_zalloc((size_t)fluent_words * sizeof(uint64_t)),
                     memory_zalloc((size_t)move_words * sizeof(uint64_t))};
    State next = {0};
    U32Vector legal = {0};
    game_next(work, state, &move, &next);
    for (uint32_t w = 0; w < fluent_words; w++)
        effect.changes[w] = state->words[w] ^ (w < next.word_count ? next.words[w] : 0);
    game_legal(work, &next, 0, &legal);
    for (size_t i = 0; i < legal.count; i++)
        bitset_set(effect.legal, legal.items[i]);
    vector_free(&legal);
    state_free(&next);
    return effect;
}

/* Removes changes that every move makes, such as the step of a counter: no move causes them. */
static void remove_common_changes(Effect *effects, size_t count, uint32_t fluent_words) {
    for (uint32_t w = 0; w < fluent_words; w++) {
        uint64_t common = ~UINT64_C(0);
        for (size_t i = 0; i < count; i++)
            common &= effects[i].changes[w];
        for (size_t i = 0; i < count; i++)
            effects[i].changes[w] &= ~common;
    }
}

void interference_look(Interference *s, GameWork *work, const State *state, const uint32_t *moves,
                       size_t count) {
    if (!s->words || count < 2 || count > MAX_TRIED)
        return;
    uint32_t fluent_words = state->word_count;
    Effect *effects = memory_alloc(count * sizeof *effects);
    for (size_t i = 0; i < count; i++)
        effects[i] = try_move(work, state, moves[i], fluent_words, s->words);
    remove_common_changes(effects, count, fluent_words);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (!bitset_get(effects[i].legal, moves[j]) ||
                !bitset_get(effects[j].legal, moves[i]) ||
                bitset_overlaps(effects[i].changes, effects[j].changes, fluent_words))
                note(s, moves[i], moves[j]);
    for (size_t i = 0; i < count; i++)
        memory_free(effects[i].changes, effects[i].legal);
    free(effects);
}
