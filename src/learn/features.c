/* Counters of literals, by fact. */
#include "learn/features.h"

#include <string.h>

#include "learn/factgroups.h"
#include "learn/mobility.h"

enum { SMALLEST_GROUP = 4 };

void features_free(Features *f) {
    vector_free(&f->items);
    vector_free(&f->literals);
    vector_free(&f->groups);
    symbols_free(&f->words);
}

void features_add(Features *f, FeatureKind kind, const FactLiteral *literals, size_t count) {
    Feature feature = {kind, (uint32_t)f->literals.count, (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        vector_push(&f->literals, literals[i]);
    vector_push(&f->items, feature);
}

void features_add_moves(Features *f, uint32_t role, const char *word, uint32_t most) {
    size_t length = strlen(word);
    MoveGroup group = {role, length ? symbols_intern(&f->words, word, length) : SYMBOL_NONE};
    vector_push(&f->items, ((Feature){FEATURE_MOVES, (uint32_t)f->groups.count, most}));
    vector_push(&f->groups, group);
}

void features_add_facts(Features *f, const DataSet *set) {
    uint32_t facts = dataset_fact_count(set);
    uint32_t *holds = memory_zalloc((facts + 1) * sizeof *holds);
    for (size_t i = 0; i < set->members.count; i++)
        holds[set->members.items[i]]++;
    for (uint32_t fact = 0; fact < facts; fact++) {
        FactLiteral literal = literal_of(fact, false);
        if (holds[fact] > 0 && holds[fact] < dataset_rows(set))
            features_add(f, FEATURE_ALL, &literal, 1);
    }
    free(holds);
}

void features_add_counts(Features *f, const DataSet *set) {
    FactGroups groups;
    U32Vector literals = {0};
    fact_groups_make(&groups, &set->facts);
    for (size_t g = 0; g < groups.items.count; g++) {
        const FactGroup *group = &groups.items.items[g];
        vector_clear(&literals);
        for (size_t i = 0; i < group->facts.count; i++)
            vector_push(&literals, literal_of(group->facts.items[i], false));
        if (literals.count >= SMALLEST_GROUP)
            features_add(f, FEATURE_SHARE, literals.items, literals.count);
    }
    vector_free(&literals);
    fact_groups_free(&groups);
}

void features_write(const Features *f, size_t feature, const Symbols *facts, Text *out) {
    const Feature *item = &f->items.items[feature];
    if (item->kind == FEATURE_MOVES) {
        MoveGroup group = f->groups.items[item->first];
        const char *word = group.word == SYMBOL_NONE ? "" : symbols_name(&f->words, group.word);
        text_printf(out, "legal %s%smoves of role %u", word, *word ? " " : "", group.role + 1);
        return;
    }
    if (item->kind == FEATURE_SHARE)
        text_add(out, "share of ");
    for (uint32_t i = 0; i < item->count; i++) {
        FactLiteral literal = f->literals.items[item->first + i];
        text_add(out, i == 0 ? "" : item->kind == FEATURE_SHARE ? ", " : " and ");
        text_add(out, literal_is_absence(literal) ? "no " : "");
        text_add(out, symbols_name(facts, literal_fact(literal)));
    }
}

void feature_index_make(FeatureIndex *index, const Features *f, uint32_t fact_count) {
    *index = (FeatureIndex){.fact_count = fact_count, .feature_count = (uint32_t)f->items.count};
    uint32_t *ends = memory_zalloc((fact_count + 2) * sizeof *ends);
    for (size_t i = 0; i < f->literals.count; i++)
        ends[literal_fact(f->literals.items[i]) + 1]++;
    for (uint32_t fact = 0; fact <= fact_count; fact++) {
        ends[fact + 1] += ends[fact];
        vector_push(&index->starts, ends[fact]);
    }
    vector_reserve(&index->uses, f->literals.count + 1);
    index->uses.count = f->literals.count;
    for (uint32_t i = 0; i < f->items.count; i++) {
        int32_t at_first = 0;
        bool has_literals = f->items.items[i].kind != FEATURE_MOVES;
        for (uint32_t k = 0; has_literals && k < f->items.items[i].count; k++) {
            FactLiteral literal = f->literals.items[f->items.items[i].first + k];
            bool is_absence = literal_is_absence(literal);
            index->uses.items[ends[literal_fact(literal)]++] = (FeatureUse){i, is_absence ? -1 : 1};
            at_first += is_absence;
        }
        vector_push(&index->at_first, at_first);
    }
    free(ends);
}

void feature_index_free(FeatureIndex *index) {
    vector_free(&index->starts);
    vector_free(&index->uses);
    vector_free(&index->at_first);
}

/* The counters of features over literals in the state of a row. */
static void count_literals(const FeatureIndex *index, const DataSet *set, size_t row,
                           int32_t *counters) {
    if (index->feature_count)
        memcpy(counters, index->at_first.items, index->feature_count * sizeof *counters);
    for (uint32_t k = 0; k < dataset_size(set, row); k++) {
        uint32_t fact = dataset_facts(set, row)[k];
        for (uint32_t u = index->starts.items[fact]; u < index->starts.items[fact + 1]; u++)
            counters[index->uses.items[u].feature] += index->uses.items[u].change;
    }
}

Examples *examples_of_features(const Features *f, Game *game, const DataSet *set,
                               const ScoreRange *ranges, Weighing weighing) {
    FeatureIndex index;
    assert(game || !f->groups.count);
    feature_index_make(&index, f, dataset_fact_count(set));
    Examples *examples = examples_create(index.feature_count, set->role_count);
    int32_t *counters = memory_alloc((index.feature_count + 1) * sizeof *counters);
    uint32_t *moves = f->groups.count ? mobility_of_rows(f, game, set) : NULL;
    for (size_t i = 0; i < dataset_rows(set); i++) {
        count_literals(&index, set, i, counters);
        for (uint32_t k = 0; k < index.feature_count; k++) {
            const Feature *item = &f->items.items[k];
            if (item->kind == FEATURE_MOVES)
                counters[k] = (int32_t)moves[i * f->groups.count + item->first];
            float value = feature_value(item, counters[k]);
            if (value != 0)
                vector_push(&examples->entries, ((ExampleEntry){k, value}));
        }
        examples_end_row(examples, set, i, ranges, weighing);
    }
    free(moves);
    free(counters);
    feature_index_free(&index);
    return examples;
}
