/* Fluents and facts are compared by their texts. */
#include "learn/data/fluents.h"

void fluents_add_names(GameWork *work, uint32_t count, Symbols *names) {
    Text text = {0};
    for (uint32_t f = 0; f < count; f++) {
        text_clear(&text);
        game_fluent_text(work, f, &text);
        symbols_intern(names, text_string(&text), text.count);
    }
    vector_free(&text);
}

uint32_t *fluents_of_facts(Game *game, const Symbols *facts, Symbol **facts_of_fluents) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    uint32_t *fluents = u32_none(facts->names.count);
    uint32_t count = game_has_circuit(game) ? game->circuit->fluent_count : 0;
    Symbol *found = u32_none(count);
    Text text = {0};
    for (uint32_t f = 0; f < count; f++) {
        text_clear(&text);
        game_fluent_text(work, f, &text);
        found[f] = symbols_find(facts, text_string(&text), text.count);
        if (found[f] != SYMBOL_NONE)
            fluents[found[f]] = f;
    }
    if (facts_of_fluents)
        *facts_of_fluents = found;
    else
        free(found);
    vector_free(&text);
    game_work_free(work);
    return fluents;
}
