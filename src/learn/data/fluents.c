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

/* The first fact that is not among the names; NULL if all are. */
static const char *unknown_name_in(const Symbols *facts, const Symbols *names) {
    for (Symbol f = 0; f < facts->names.count; f++)
        if (symbols_find(names, symbols_name(facts, f), symbols_length(facts, f)) == SYMBOL_NONE)
            return symbols_name(facts, f);
    return NULL;
}

DataSet *dataset_of_game(const DataSet *set, Game *game, Text *why_not) {
    Symbols names = {0};
    DataSet *own = NULL;
    text_clear(why_not);
    if (!game_has_circuit(game) || set->role_count != game->role_count) {
        text_add(why_not, "other roles, or a game without a circuit");
        return NULL;
    }
    GameWork *work = game_work_create(game, REASONER_AUTO);
    fluents_add_names(work, game->circuit->fluent_count, &names);
    game_work_free(work);
    const char *unknown = unknown_name_in(&set->facts, &names);
    if (unknown)
        text_printf(why_not, "there is no fluent %s", unknown);
    else
        own = dataset_renumbered(set, &names);
    symbols_free(&names);
    return own;
}
