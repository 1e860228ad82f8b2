/* Turns the parts that the decomposition by rules has found into labelled subgames. */
#include <assert.h>

#include "analysis/decompose/by_rules/rules_internal.h"
#include "analysis/facts/relevance.h"
#include "base/bitset.h"

/* Numbers the subgames; those with actions come first. */
static void number_subgames(const RulesAnalysis *an, const RulesParts *parts, Decomposition *d,
                            uint32_t *number) {
    bool *has_actions = memory_zalloc(parts->part_count + 1);
    for (size_t i = 0; i < an->meta_actions.count; i++)
        has_actions[parts->part_of_action[i]] = true;
    for (int acted = 1; acted >= 0; acted--)
        for (uint32_t p = 0; p < parts->part_count; p++)
            if (has_actions[p] == acted) {
                number[p] = (uint32_t)d->subgames.count;
                vector_push(&d->subgames, ((Subgame){.has_actions = acted}));
            }
    free(has_actions);
}

static void place_fluents(const Game *game, const RulesAnalysis *an, const RulesParts *parts,
                          Decomposition *d, const uint32_t *number) {
    const Circuit *circuit = game->circuit;
    assert(circuit->fluent_count == an->fluent_count);
    Relevance *relevance = relevance_find(circuit);
    for (uint32_t f = 0; f < circuit->fluent_count; f++) {
        bool is_alone = parts->part_of_fluent[f] == PART_NONE;
        d->subgame_of[f] = is_alone ? SUBGAME_NONE : number[parts->part_of_fluent[f]];
        d->kinds[f] = is_alone                 ? FLUENT_UNSEEN
                      : !an->is_independent[f] ? FLUENT_ACTED
                                               : FLUENT_DERIVED;
        if (is_alone)
            continue;
        Subgame *subgame = &d->subgames.items[d->subgame_of[f]];
        vector_push(&subgame->fluents, f);
        subgame->is_terminal |= bitset_get(relevance->in_terminal, f);
        subgame->is_scoring |= bitset_get(relevance->in_goal, f);
    }
    relevance_free(relevance);
}

static void place_actions(RulesAnalysis *an, const RulesParts *parts, Decomposition *d,
                          const uint32_t *number) {
    size_t words = bitset_words(an->fluent_count);
    for (size_t i = 0; i < an->meta_actions.count; i++) {
        const RulesMetaAction *action = &an->meta_actions.items[i];
        assert(parts->part_of_action[i] < parts->part_count);
        MetaAction meta = {.role = action->role, .subgame = number[parts->part_of_action[i]]};
        uint32_t vertex = an->fluent_count + (uint32_t)i;
        bitset_each(m, action->actions, an->move_words)
            vector_push(&meta.moves, (uint32_t)m);
        for (size_t k = 0; k < action->effects.count; k++) {
            uint32_t fluent = action->effects.items[k];
            vector_push(&meta.effects, ((WeighedEffect){effect_of(fluent, true), 1, TIMING_NONE}));
            vector_push(&d->links,
                        ((DependencyLink){fluent, vertex, LINK_EFFECT, 1, false, false}));
        }
        uint64_t *context = memory_zalloc((words + 1) * sizeof *context);
        for (size_t k = 0; k < action->context.count; k++) {
            const U32Vector *fluents = rules_list_fluents(an, action->context.items[k]);
            for (size_t i = 0; i < fluents->count; i++)
                bitset_set(context, fluents->items[i]);
        }
        bitset_each(f, context, words) {
            vector_push(&meta.contexts, ((WeighedContext){(uint32_t)f, 1}));
            vector_push(&d->links,
                        ((DependencyLink){(uint32_t)f, vertex, LINK_CONTEXT, 1, false, false}));
        }
        free(context);
        vector_push(&d->subgames.items[meta.subgame].actions, (uint32_t)d->actions.count);
        vector_push(&d->actions, meta);
    }
}

Decomposition *rules_label(const Game *game, RulesAnalysis *an, const RulesParts *parts) {
    uint32_t fluents = game->circuit->fluent_count;
    Decomposition *d = memory_zalloc(sizeof *d);
    d->subgame_of = memory_alloc((fluents + 1) * sizeof *d->subgame_of);
    d->kinds = memory_zalloc((fluents + 1) * sizeof *d->kinds);
    uint32_t *number = memory_alloc((parts->part_count + 1) * sizeof *number);
    number_subgames(an, parts, d, number);
    place_fluents(game, an, parts, d, number);
    place_actions(an, parts, d, number);
    for (size_t i = 0; i < d->subgames.count; i++)
        d->subgames.items[i].is_useful =
            d->subgames.items[i].is_terminal || d->subgames.items[i].is_scoring;
    for (size_t i = 0; i < parts->late.count; i++)
        d->subgames.items[number[parts->late.items[i]]].order = 2;
    for (size_t i = 0; i < parts->early.count; i++) {
        Subgame *early = &d->subgames.items[number[parts->early.items[i]]];
        early->is_useful = true;
        early->order = early->has_actions;
    }
    d->is_imperfect = parts->is_unreliable;
    d->confidence = parts->is_unreliable ? 0 : 1;
    free(number);
    return d;
}
