/* Two games one after the other: a pair of auxiliary predicates (or one and its negation) such that
 * every action with an effect needs exactly one of the two. Each literal that all clauses of an
 * action's `legal` contain is a need of it; a pivot is two literals whose sets of needing actions
 * are complements. */
#include <stdlib.h>
#include <string.h>

#include "analysis/rules_internal.h"
#include "base/bitset.h"

typedef struct {
    NfLiteral literal;
    uint64_t *actions;
    size_t count;
} Need;

typedef struct {
    Need *items;
    size_t count, capacity;
    Table table;
} Needs;

static uint64_t *actions_that_need(RulesAnalysis *an, Needs *needs, NfLiteral literal) {
    uint64_t hash = hash_finish(hash_mix(0, literal));
    uint32_t id;
    for (TableProbe p = table_probe(&needs->table, hash); table_next(&needs->table, &p, &id);)
        if (needs->items[id].literal == literal)
            return needs->items[id].actions;
    table_insert(&needs->table, hash, (uint32_t)needs->count);
    uint64_t *actions = memory_zalloc(an->move_words * sizeof *actions);
    vector_push(needs, ((Need){literal, actions, 0}));
    return actions;
}

static bool all_clauses_have(const NfFormula *form, NfLiteral literal) {
    for (uint32_t i = 0; i < form->count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < form->clauses[i].count && !found; k++)
            found = form->clauses[i].literals[k] == literal;
        if (!found)
            return false;
    }
    return form->count > 0;
}

static bool is_auxiliary(const RulesAnalysis *an, NfLiteral literal) {
    return !nf_is_moves(literal) &&
           normal_forms_fluent(an->forms, nf_subject(literal)) == UINT32_MAX;
}

static void collect(RulesAnalysis *an, Needs *needs) {
    for (uint32_t m = 0; m < an->move_count; m++) {
        if (!an->has_effect[m] || !an->legal[m]->count)
            continue;
        const NfClause *first = &an->legal[m]->clauses[0];
        for (uint32_t k = 0; k < first->count; k++)
            if (is_auxiliary(an, first->literals[k]) &&
                all_clauses_have(an->legal[m], first->literals[k]))
                bitset_set(actions_that_need(an, needs, first->literals[k]), m);
    }
    for (size_t i = 0; i < needs->count; i++)
        needs->items[i].count = bitset_count(needs->items[i].actions, an->move_words);
}

static bool are_disjoint(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t i = 0; i < words; i++)
        if (a[i] & b[i])
            return false;
    return true;
}

/* Of two halves the late one has no legal action at the start. */
static bool can_start(const RulesAnalysis *an, const Need *need) {
    return !are_disjoint(need->actions, an->initially_legal, an->move_words);
}

static void accept(RulesAnalysis *an, Need *early, Need *late) {
    an->pivot.literal = late->literal;
    an->pivot.late = late->actions;
    an->pivot.early = early->actions;
    early->actions = late->actions = NULL;
}

void rules_find_pivot(RulesAnalysis *an) {
    Needs needs = {0};
    collect(an, &needs);
    size_t effective = 0;
    for (uint32_t m = 0; m < an->move_count; m++)
        effective += an->has_effect[m];
    for (size_t i = 0; i < needs.count && !an->pivot.late; i++)
        for (size_t k = i + 1; k < needs.count && !an->pivot.late; k++) {
            Need *a = &needs.items[i], *b = &needs.items[k];
            if (a->count + b->count != effective ||
                !are_disjoint(a->actions, b->actions, an->move_words))
                continue;
            if (can_start(an, a) && !can_start(an, b))
                accept(an, a, b);
            else if (can_start(an, b) && !can_start(an, a))
                accept(an, b, a);
        }
    for (size_t i = 0; i < needs.count; i++)
        free(needs.items[i].actions);
    vector_free(&needs);
    table_free(&needs.table);
}
