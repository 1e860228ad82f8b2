/* Lists of features, and rows of examples made from them. A reader keeps counters of the literals
 * that hold; only features whose counters a row changes are looked at. */
#include "learn/data/features.h"

#include <string.h>

#include "base/bitset.h"
#include "learn/data/factgroups.h"
#include "learn/data/mobility.h"

enum { MIN_GROUP_SIZE = 4 }; /* fewest facts of a group whose share becomes a feature (untuned) */

void features_free(Features *f) {
    vectors_free(&f->items, &f->literals, &f->groups);
    symbols_free(&f->words);
}

void features_add(Features *f, FeatureKind kind, const FactLiteral *literals, size_t count) {
    Feature feature = {kind, (uint32_t)f->literals.count, (uint32_t)count};
    assert(kind != FEATURE_MOVES && count > 0);
    vector_append(&f->literals, literals, count);
    vector_push(&f->items, feature);
}

void features_add_moves(Features *f, uint32_t role, const char *word, uint32_t most) {
    size_t length = strlen(word);
    assert(most > 0);
    MoveGroup group = {role, length ? symbols_intern(&f->words, word, length) : SYMBOL_NONE};
    vector_push(&f->items, ((Feature){FEATURE_MOVES, (uint32_t)f->groups.count, most}));
    vector_push(&f->groups, group);
}

void features_add_facts(Features *f, const DataSet *set, const Mirror *mirror) {
    uint32_t facts = dataset_fact_count(set);
    uint64_t *met = memory_zalloc((facts + 1) * sizeof *met);
    uint64_t *holds = memory_zalloc((facts + 1) * sizeof *holds);
    for (size_t i = 0; i < set->members.count; i++)
        met[set->members.items[i]]++;
    for (size_t image = 0; image < mirror_images(mirror); image++)
        for (uint32_t fact = 0; fact < facts; fact++)
            holds[image ? mirror_image(mirror, image)->fluents[fact] : fact] += met[fact];
    for (uint32_t fact = 0; fact < facts; fact++) {
        FactLiteral literal = literal_of(fact, false);
        if (holds[fact] > 0 && holds[fact] < dataset_rows(set) * mirror_images(mirror))
            features_add(f, FEATURE_ALL, &literal, 1);
    }
    memory_free(met, holds);
}

void features_add_counts(Features *f, const DataSet *set) {
    FactGroups groups;
    U32Vector literals = {0};
    fact_groups_create(&groups, &set->facts);
    for (size_t g = 0; g < groups.items.count; g++) {
        const FactGroup *group = &groups.items.items[g];
        vector_clear(&literals);
        for (size_t i = 0; i < group->facts.count; i++)
            vector_push(&literals, literal_of(group->facts.items[i], false));
        if (literals.count >= MIN_GROUP_SIZE)
            features_add(f, FEATURE_SHARE, literals.items, literals.count);
    }
    vector_free(&literals);
    fact_groups_free(&groups);
}

void features_write(const Features *f, size_t feature, const Symbols *facts, Text *out) {
    assert(feature < f->items.count);
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

void feature_index_create(FeatureIndex *index, const Features *f, uint32_t fact_count) {
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
    vectors_free(&index->starts, &index->uses, &index->at_first);
}

/* ---- rows ---- */

/* Makes the rows of a set, or their images. */
typedef struct {
    const Features *features;
    const DataSet *set;
    const Mirror *mirror;
    const ScoreRange *ranges;
    Weighing weighing;
    FeatureIndex index;
    uint64_t *always; /* bitset: features that may be nonzero in a row without facts */
    size_t words;
    uint32_t *moves; /* by row and group of moves; NULL if none are counted */
} RowMaker;

static void open_maker(RowMaker *m, Game *game) {
    const Features *f = m->features;
    assert(game || !f->groups.count);
    feature_index_create(&m->index, f, dataset_fact_count(m->set));
    m->words = bitset_words(m->index.feature_count);
    m->always = memory_zalloc((m->words + 1) * sizeof *m->always);
    for (uint32_t k = 0; k < m->index.feature_count; k++)
        if (f->items.items[k].kind == FEATURE_MOVES ||
            feature_value(&f->items.items[k], m->index.at_first.items[k]) != 0)
            bitset_set(m->always, k);
    if (f->groups.count) {
        DataSet *images = m->mirror ? mirror_data(m->mirror, m->set) : NULL;
        m->moves = mobility_of_rows(f, game, images ? images : m->set);
        dataset_free(images);
    }
}

static void free_maker(void *context) {
    RowMaker *m = context;
    feature_index_free(&m->index);
    memory_free(m->always, m->moves, m);
}

/* Between rows the counters have the values of a state without facts. */
static void open_reader(const RowMaker *m, ExampleReader *reader) {
    if (reader->maker == m)
        return;
    reader->maker = m;
    vector_clear(&reader->counters);
    vector_clear(&reader->words);
    vector_append(&reader->counters, m->index.at_first.items, m->index.feature_count);
    for (size_t w = 0; w < m->words; w++)
        vector_push(&reader->words, 0);
}

static void count_literals(const RowMaker *m, size_t row, const GamePermutation *p,
                           ExampleReader *reader) {
    const uint32_t *facts = dataset_facts(m->set, row), *starts = m->index.starts.items;
    for (uint32_t k = 0; k < dataset_size(m->set, row); k++) {
        uint32_t fact = p ? p->fluents[facts[k]] : facts[k];
        for (uint32_t u = starts[fact]; u < starts[fact + 1]; u++) {
            FeatureUse use = m->index.uses.items[u];
            reader->counters.items[use.feature] += use.change;
            bitset_set(reader->words.items, use.feature);
        }
    }
}

static void add_entries(const RowMaker *m, size_t number, ExampleReader *reader) {
    const Features *f = m->features;
    vector_clear(&reader->entries);
    for (size_t w = 0; w < m->words; w++) {
        for (uint64_t left = reader->words.items[w] | m->always[w]; left; left &= left - 1) {
            uint32_t k = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
            const Feature *item = &f->items.items[k];
            int32_t counter = item->kind == FEATURE_MOVES
                                  ? (int32_t)m->moves[number * f->groups.count + item->first]
                                  : reader->counters.items[k];
            float value = feature_value(item, counter);
            if (value != 0)
                vector_push(&reader->entries, ((ExampleEntry){k, value}));
            reader->counters.items[k] = m->index.at_first.items[k];
        }
        reader->words.items[w] = 0;
    }
}

static ExampleRow make_row(const void *context, size_t number, ExampleReader *reader) {
    const RowMaker *m = context;
    assert(number < dataset_rows(m->set) * mirror_images(m->mirror));
    size_t images = mirror_images(m->mirror), row = number / images;
    const GamePermutation *p = mirror_image(m->mirror, number % images);
    uint32_t roles = m->set->role_count;
    open_reader(m, reader);
    count_literals(m, row, p, reader);
    add_entries(m, number, reader);
    vector_reserve(&reader->targets, roles);
    for (uint32_t r = 0; r < roles; r++) {
        uint32_t role = p ? p->roles[r] : r;
        reader->targets.items[role] =
            example_target(dataset_scores(m->set, row)[r], m->ranges ? &m->ranges[role] : NULL);
    }
    return (ExampleRow){reader->entries.items, (uint32_t)reader->entries.count,
                        reader->targets.items,
                        example_weight(m->set->counts.items[row], m->weighing)};
}

Examples *examples_of_images(const Features *f, Game *game, const DataSet *set,
                             const Mirror *mirror, const ScoreRange *ranges, Weighing weighing) {
    RowMaker *m = memory_alloc(sizeof *m);
    *m = (RowMaker){
        .features = f, .set = set, .mirror = mirror, .ranges = ranges, .weighing = weighing};
    open_maker(m, game);
    Examples *examples = examples_create(m->index.feature_count, set->role_count);
    examples->maker =
        (ExampleMaker){m, dataset_rows(set) * mirror_images(mirror), make_row, free_maker};
    return examples;
}

Examples *examples_of_features(const Features *f, Game *game, const DataSet *set,
                               const ScoreRange *ranges, Weighing weighing) {
    Examples *made = examples_of_images(f, game, set, NULL, ranges, weighing);
    Examples *kept = examples_copy(made, 0, made->output_count);
    examples_free(made);
    return kept;
}
