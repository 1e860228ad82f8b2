/* The new game shares the rules of the old one, so the text is not parsed again and either game may
 * be freed first. */
#include "game/upgrade.h"

#include <assert.h>
#include <pthread.h>

#include "base/bitset.h"

struct GameBuild {
    pthread_t thread;
    Rules *rules; /* shared with the old game, until the thread takes them over */
    GameOptions options;
    Game *game;
};

static void *build(void *context) {
    GameBuild *b = context;
    Report report = {0};
    b->game = game_create(b->rules, &b->options, &report);
    if (b->game && !game_has_circuit(b->game)) {
        game_free(b->game);
        b->game = NULL;
    }
    report_free(&report);
    return NULL;
}

GameBuild *game_build_start(Rules *rules, const GameOptions *options) {
    assert(rules);
    GameBuild *b = memory_zalloc(sizeof *b);
    b->rules = rules_share(rules);
    if (options)
        b->options = *options;
    b->options.interpreter_only = false;
    if (pthread_create(&b->thread, NULL, build, b) == 0)
        return b;
    rules_free(b->rules);
    free(b);
    return NULL;
}

Game *game_build_finish(GameBuild *b) {
    pthread_join(b->thread, NULL);
    Game *game = b->game;
    free(b);
    return game;
}

bool state_translate(const GameWork *from, const State *state, GameWork *to, State *translated) {
    assert(from && to && state != translated);
    Text name = {0};
    bool possible = true;
    state_clear(translated);
    bitset_each(number, state->words, state->word_count) {
        text_clear(&name);
        game_fluent_text(from, (uint32_t)number, &name);
        uint32_t fluent = game_find_fluent(to, text_string(&name), name.count);
        possible = fluent != MOVE_NONE;
        if (!possible)
            break;
        state_set(translated, fluent);
    }
    vector_free(&name);
    return possible;
}
