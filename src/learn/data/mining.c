/* A fact is a bitset of the rows in which it holds, and scores are bitsets of their binary digits,
 * so that a conjunction and the sum of its scores are a few word operations. Conjunctions grow by
 * one fact at a time from the frequent and most significant (Agrawal and Srikant 1994). */
#include "learn/data/mining.h"

#include <math.h>
#include <string.h>

#include "base/bitset.h"

/* Constants of this module. */
enum {
    DEFAULT_FACTS = 3,          /* facts per conjunction (untuned) */
    MAX_FACTS = 4,              /* facts per conjunction that can be asked for, at most */
    DEFAULT_SUPPORT = 20,       /* states in which a conjunction holds, at least (untuned) */
    DEFAULT_CONJUNCTIONS = 500, /* conjunctions kept (untuned) */
    DIGITS = 7,                 /* binary digits of a score, in units of 1/127 (untuned) */
    GROWN = 2000                /* conjunctions of one size that grow further (untuned) */
};
static const uint64_t DEFAULT_CANDIDATES = 200000; /* conjunctions examined, at most (untuned) */

typedef struct {
    uint32_t facts[MAX_FACTS]; /* ascending */
    uint32_t size, support;
    double mean; /* mean value of its states, 0..1 */
    /* Distance from the mean of the conjunction that it was grown from, in standard errors. */
    double score;
} Conjunction;

typedef VECTOR(Conjunction) Conjunctions;

typedef struct {
    const DataSet *set;
    size_t rows, words;
    uint64_t *columns; /* by fact: bitset of the rows in which it holds */
    uint64_t *digits;  /* by binary digit of the score: bitset of rows */
    uint64_t *mask;    /* scratch */
    MiningOptions options;
    double mean, deviation; /* mean and standard deviation of all scores, as values 0..1 */
    uint64_t looked_at;
    Conjunctions kept;
} Miner;

static void open_miner(Miner *m, const DataSet *set, uint32_t role, const ScoreRange *range) {
    m->set = set;
    m->rows = dataset_rows(set);
    m->words = bitset_words(m->rows);
    m->columns = memory_zalloc((dataset_fact_count(set) * m->words + 1) * sizeof *m->columns);
    m->digits = memory_zalloc((DIGITS * m->words + 1) * sizeof *m->digits);
    m->mask = memory_zalloc((m->words + 1) * sizeof *m->mask);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < m->rows; i++) {
        double value = score_value(range, dataset_scores(set, i)[role]);
        unsigned level = (unsigned)(value * ((1 << DIGITS) - 1) + 0.5);
        for (uint32_t k = 0; k < dataset_size(set, i); k++)
            bitset_set(m->columns + dataset_facts(set, i)[k] * m->words, i);
        for (unsigned d = 0; d < DIGITS; d++)
            if (level >> d & 1)
                bitset_set(m->digits + d * m->words, i);
        sum += value;
        squares += value * value;
    }
    double rows = m->rows ? (double)m->rows : 1;
    m->mean = sum / rows;
    m->deviation = sqrt(fmax(squares / rows - m->mean * m->mean, 1e-6));
}

static void measure(const Miner *m, Conjunction *c) {
    uint64_t sum = 0;
    const uint64_t *first = m->columns + c->facts[0] * m->words;
    memcpy(m->mask, first, m->words * sizeof *m->mask);
    for (uint32_t k = 1; k < c->size; k++)
        bitset_and(m->mask, m->columns + c->facts[k] * m->words, m->words);
    c->support = (uint32_t)bitset_count(m->mask, m->words);
    for (unsigned d = 0; d < DIGITS && c->support; d++) {
        uint64_t ones = 0;
        for (size_t w = 0; w < m->words; w++)
            ones += (uint64_t)__builtin_popcountll(m->mask[w] & m->digits[d * m->words + w]);
        sum += ones << d;
    }
    c->mean = c->support ? (double)sum / (double)c->support / ((1 << DIGITS) - 1) : 0;
}

static void add_candidate(Miner *m, Conjunctions *next, const Conjunction *base, uint32_t fact) {
    Conjunction c = *base;
    c.facts[c.size++] = fact;
    measure(m, &c);
    m->looked_at++;
    if (c.support < m->options.support || c.support == base->support)
        return;
    bool is_pure = c.mean > 1 - 1e-9;
    if (m->options.only_pure && base->size && base->mean > 1 - 1e-9)
        return;
    double expected = base->size ? base->mean : m->mean;
    c.score = fabs(c.mean - expected) * sqrt((double)c.support) / m->deviation;
    vector_push(next, c);
    if (m->options.only_pure ? is_pure : c.size > 1)
        vector_push(&m->kept, c);
}

static int compare_scores(const void *a, const void *b) {
    const Conjunction *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return memcmp(x->facts, y->facts, x->size * sizeof *x->facts);
}

static void grow(Miner *m) {
    Conjunctions base = {0}, next = {0};
    uint32_t facts = dataset_fact_count(m->set);
    vector_push(&base, (Conjunction){0});
    for (uint32_t size = 1; size <= m->options.largest; size++) {
        vector_clear(&next);
        for (size_t i = 0; i < base.count && m->looked_at < m->options.candidates; i++) {
            const Conjunction *c = &base.items[i];
            for (uint32_t f = c->size ? c->facts[c->size - 1] + 1 : 0; f < facts; f++)
                add_candidate(m, &next, c, f);
        }
        vector_sort(&next, compare_scores);
        /* All pure conjunctions are wanted, so none is dropped for the low score of a part. */
        if (next.count > GROWN && !m->options.only_pure)
            next.count = GROWN;
        Conjunctions done = base;
        base = next;
        next = done;
    }
    vectors_free(&base, &next);
}

static bool is_part_of(const Conjunction *part, const Conjunction *whole) {
    uint32_t found = 0;
    for (uint32_t k = 0; k < whole->size && found < part->size; k++)
        found += whole->facts[k] == part->facts[found];
    return found == part->size;
}

static void drop_wholes_of_pure_parts(Miner *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->kept.count; i++) {
        bool is_new = true;
        for (size_t k = 0; k < m->kept.count && is_new; k++)
            is_new = m->kept.items[k].size >= m->kept.items[i].size ||
                     !is_part_of(&m->kept.items[k], &m->kept.items[i]);
        if (is_new)
            m->kept.items[kept++] = m->kept.items[i];
    }
    m->kept.count = kept;
}

void mine_conjunctions(const DataSet *set, uint32_t role, const ScoreRange *range,
                       const MiningOptions *options, Features *features) {
    Miner m = {.options = *options};
    assert(role < set->role_count);
    MiningOptions *o = &m.options;
    o->largest = o->largest ? o->largest : DEFAULT_FACTS;
    o->largest = o->largest > MAX_FACTS ? MAX_FACTS : o->largest;
    o->support = o->support ? o->support : DEFAULT_SUPPORT;
    o->most = o->most ? o->most : DEFAULT_CONJUNCTIONS;
    o->candidates = o->candidates ? o->candidates : DEFAULT_CANDIDATES;
    open_miner(&m, set, role, range);
    grow(&m);
    if (o->only_pure)
        drop_wholes_of_pure_parts(&m);
    vector_sort(&m.kept, compare_scores);
    for (size_t i = 0; i < m.kept.count && i < o->most; i++) {
        FactLiteral literals[MAX_FACTS];
        for (uint32_t k = 0; k < m.kept.items[i].size; k++)
            literals[k] = literal_of(m.kept.items[i].facts[k], false);
        features_add(features, FEATURE_ALL, literals, m.kept.items[i].size);
    }
    vector_free(&m.kept);
    memory_free(m.columns, m.digits, m.mask);
}
