/* The builder reads the text again rather than share the rules: a Game owns its rules, and the two
 * games never have to agree on who is freed first. */
#include "game/upgrade.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

struct GameBuild {
    pthread_t thread;
    char *name, *text;
    size_t length;
    GameOptions options;
    Game *game;
    bool cancelled; /* atomic */
};

static void *build(void *context) {
    GameBuild *b = context;
    Report report = {0};
    Rules *rules = rules_read_text(b->name, b->text, b->length, &report);
    b->game = rules ? game_create(rules, &b->options, &report) : NULL;
    if (b->game && !game_has_circuit(b->game)) {
        game_free(b->game);
        b->game = NULL;
    }
    report_free(&report);
    return NULL;
}

static void free_build(GameBuild *b) {
    free(b->name);
    free(b->text);
    free(b);
}

GameBuild *build_start(const Rules *rules, const GameOptions *options) {
    const Source *source = rules->syntax->source;
    GameBuild *b = memory_zalloc(sizeof *b);
    b->name = memory_strdup(source->name);
    b->text = memory_alloc(source->length + 1);
    memcpy(b->text, source->text, source->length);
    b->length = source->length;
    if (options)
        b->options = *options;
    b->options.interpreter_only = false;
    if (!b->options.cancelled)
        b->options.cancelled = &b->cancelled;
    if (pthread_create(&b->thread, NULL, build, b) == 0)
        return b;
    free_build(b);
    return NULL;
}

Game *build_take(GameBuild *b) {
    pthread_join(b->thread, NULL);
    Game *game = b->game;
    free_build(b);
    return game;
}

void build_cancel(GameBuild *b) {
    assert(b->options.cancelled == &b->cancelled);
    __atomic_store_n(&b->cancelled, true, __ATOMIC_RELAXED);
    game_free(build_take(b));
}

bool state_translate(const GameWork *from, const State *state, GameWork *to, State *translated) {
    Text name = {0};
    bool possible = true;
    if (translated->word_count)
        memset(translated->words, 0, translated->word_count * sizeof *translated->words);
    for (uint32_t w = 0; w < state->word_count && possible; w++)
        for (uint64_t bits = state->words[w]; bits && possible; bits &= bits - 1) {
            text_clear(&name);
            game_fluent_text(from, w * 64 + (uint32_t)__builtin_ctzll(bits), &name);
            uint32_t fluent = game_find_fluent(to, text_string(&name), name.count);
            possible = fluent != MOVE_NONE;
            if (possible)
                state_set(translated, fluent);
        }
    vector_free(&name);
    return possible;
}
