/* The facts of all rows are stored in one list, so that a large set is a few blocks of memory.
 * Equal states are found by hashing their sorted facts. */
#include "learn/data/dataset.h"

#include <string.h>

#include "base/bitset.h"
#include "base/random.h"

DataSet *dataset_create(uint32_t role_count) {
    assert(role_count <= DATASET_MAX_ROLES);
    DataSet *set = memory_zalloc(sizeof *set);
    set->role_count = role_count;
    vector_push(&set->starts, 0);
    return set;
}

void dataset_free(DataSet *set) {
    if (!set)
        return;
    symbols_free(&set->facts);
    vectors_free(&set->starts, &set->members, &set->scores, &set->counts, &set->matches,
                 &set->ends);
    free(set);
}

bool dataset_holds(const DataSet *set, size_t row, uint32_t fact) {
    uint32_t size = dataset_size(set, row);
    return size && bsearch(&fact, dataset_facts(set, row), size, sizeof fact, u32_compare);
}

void dataset_add(DataSet *set, const DataRow *row) {
    assert(row->count > 0 && row->scores);
    size_t first = set->members.count;
    if (row->fact_count) {
        uint32_t *added = vector_extend(&set->members, row->fact_count);
        memcpy(added, row->facts, row->fact_count * sizeof *added);
        qsort(added, row->fact_count, sizeof *added, u32_compare);
    }
    size_t end = first;
    for (size_t i = first; i < set->members.count; i++)
        if (i == first || set->members.items[i] != set->members.items[end - 1])
            set->members.items[end++] = set->members.items[i];
    set->members.count = end;
    vector_push(&set->starts, (uint32_t)end);
    vector_append(&set->scores, row->scores, set->role_count);
    vector_push(&set->counts, row->count);
    vector_push(&set->matches, row->match);
    vector_push(&set->ends, row->is_end);
}

/* An empty set with these facts. */
static DataSet *with_facts(const Symbols *facts, uint32_t role_count) {
    DataSet *set = dataset_create(role_count);
    for (uint32_t f = 0; f < facts->names.count; f++)
        symbols_intern(&set->facts, symbols_name(facts, f), symbols_length(facts, f));
    return set;
}

DataSet *dataset_like(const DataSet *set) {
    return with_facts(&set->facts, set->role_count);
}

static DataRow row_of(const DataSet *set, size_t row) {
    return (DataRow){dataset_facts(set, row), dataset_size(set, row),  dataset_scores(set, row),
                     set->counts.items[row],  set->matches.items[row], set->ends.items[row]};
}

static uint64_t hash_of(const DataSet *set, size_t row) {
    uint64_t hash = set->ends.items[row];
    for (uint32_t i = 0; i < dataset_size(set, row); i++)
        hash = hash_mix(hash, dataset_facts(set, row)[i]);
    return hash_finish(hash);
}

static bool is_same(const DataSet *a, size_t i, const DataSet *b, size_t j) {
    uint32_t size = dataset_size(a, i);
    return size == dataset_size(b, j) && a->ends.items[i] == b->ends.items[j] &&
           (!size ||
            memcmp(dataset_facts(a, i), dataset_facts(b, j), size * sizeof(uint32_t)) == 0);
}

static void merge(DataSet *into, size_t known, const DataSet *from, size_t row) {
    double old = into->counts.items[known], new = from->counts.items[row];
    for (uint32_t r = 0; r < into->role_count; r++) {
        double *score = &into->scores.items[known * into->role_count + r];
        *score = (*score * old + dataset_scores(from, row)[r] * new) / (old + new);
    }
    into->counts.items[known] += from->counts.items[row];
}

void dataset_merge(DataSet *into, Table *known, const DataSet *from) {
    assert(into->role_count == from->role_count && into != from);
    for (size_t i = 0; i < dataset_rows(from); i++) {
        uint64_t hash = hash_of(from, i);
        uint32_t same;
        bool found = false;
        for (TableProbe p = table_probe(known, hash); !found && table_next(known, &p, &same);)
            found = is_same(into, same, from, i);
        if (found) {
            merge(into, same, from, i);
            continue;
        }
        DataRow row = row_of(from, i);
        table_insert(known, hash, (uint32_t)dataset_rows(into));
        dataset_add(into, &row);
    }
}

DataSet *dataset_distinct(const DataSet *set) {
    DataSet *distinct = dataset_like(set);
    Table known = {0};
    dataset_merge(distinct, &known, set);
    table_free(&known);
    return distinct;
}

DataSet *dataset_select(const DataSet *set, const bool *keep) {
    DataSet *some = dataset_like(set);
    for (size_t i = 0; i < dataset_rows(set); i++)
        if (keep[i]) {
            DataRow row = row_of(set, i);
            dataset_add(some, &row);
        }
    return some;
}

void dataset_split(const DataSet *set, double share, uint64_t seed, DataSet **train,
                   DataSet **test) {
    assert(share >= 0 && share <= 1);
    size_t rows = dataset_rows(set);
    bool *is_test = memory_zalloc(rows + 1), *is_train = memory_zalloc(rows + 1);
    for (size_t i = 0; i < rows; i++) {
        Random random; /* seeded by the match, so that all its rows go to the same side */
        random_seed(&random, hash_finish(hash_mix(seed, set->matches.items[i])));
        is_test[i] = random_double(&random) < share;
        is_train[i] = !is_test[i];
    }
    *train = dataset_select(set, is_train);
    *test = dataset_select(set, is_test);
    memory_free(is_test, is_train);
}

/* Adds rows with other numbers of facts, SYMBOL_NONE for facts left out. Frees the numbers. */
static void add_renumbered(DataSet *into, const DataSet *set, Symbol *numbers) {
    U32Vector kept = {0};
    for (size_t i = 0; i < dataset_rows(set); i++) {
        DataRow row = row_of(set, i);
        vector_clear(&kept);
        for (size_t k = 0; k < row.fact_count; k++)
            if (numbers[row.facts[k]] != SYMBOL_NONE)
                vector_push(&kept, numbers[row.facts[k]]);
        row.facts = kept.items;
        row.fact_count = kept.count;
        dataset_add(into, &row);
    }
    vector_free(&kept);
    free(numbers);
}

DataSet *dataset_without(const DataSet *set, const uint64_t *dropped) {
    DataSet *fewer = dataset_like(set);
    Symbol *numbers = memory_alloc((dataset_fact_count(set) + 1) * sizeof *numbers);
    for (uint32_t f = 0; f < dataset_fact_count(set); f++)
        numbers[f] = bitset_get(dropped, f) ? SYMBOL_NONE : f;
    add_renumbered(fewer, set, numbers);
    return fewer;
}

DataSet *dataset_renumbered(const DataSet *set, const Symbols *facts) {
    DataSet *own = with_facts(facts, set->role_count);
    Symbol *numbers = memory_alloc((dataset_fact_count(set) + 1) * sizeof *numbers);
    for (uint32_t f = 0; f < dataset_fact_count(set); f++)
        numbers[f] =
            symbols_find(facts, symbols_name(&set->facts, f), symbols_length(&set->facts, f));
    add_renumbered(own, set, numbers);
    return own;
}

static bool is_of_relation(const char *fact, const char *relation) {
    size_t length = strlen(relation);
    fact += *fact == '(';
    return strncasecmp(fact, relation, length) == 0 &&
           (fact[length] == '\0' || fact[length] == ' ' || fact[length] == ')');
}

DataSet *dataset_without_relation(const DataSet *set, const char *relation) {
    uint64_t *dropped =
        memory_zalloc((bitset_words(dataset_fact_count(set)) + 1) * sizeof *dropped);
    for (uint32_t f = 0; f < dataset_fact_count(set); f++)
        if (is_of_relation(symbols_name(&set->facts, f), relation))
            bitset_set(dropped, f);
    DataSet *fewer = dataset_without(set, dropped);
    free(dropped);
    return fewer;
}

DataSet *dataset_of_role(const DataSet *set, uint32_t role) {
    assert(role < set->role_count);
    DataSet *one = with_facts(&set->facts, 1);
    for (size_t i = 0; i < dataset_rows(set); i++)
        dataset_add(one, &(DataRow){.facts = dataset_facts(set, i),
                                    .fact_count = dataset_size(set, i),
                                    .scores = &dataset_scores(set, i)[role],
                                    .count = set->counts.items[i],
                                    .match = set->matches.items[i],
                                    .is_end = set->ends.items[i]});
    return one;
}
