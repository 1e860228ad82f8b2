/* Groups of which at most one fluent is true, such as the two colours of a stone on a square that
 * may be empty. A pair is worth a proof if it was never seen together although it should have been
 * if the two were independent. All pairs are proved by one induction. Groups are built from the
 * proved pairs greedily, so that each pair is in at least one group. */
#include <assert.h>

#include "analysis/facts/mutex.h"
#include "base/bitset.h"

enum {
    MAX_PAIRS = 20000, /* pairs to prove; those expected together most often come first (untuned) */
    MIN_EXPECTED = 1,  /* least `expected` of a pair that is worth a proof (untuned) */
    MAX_FLUENTS = 2000 /* fluents from which pairs are formed (untuned) */
};

typedef struct {
    uint32_t a, b;
    double expected; /* expected number of samples with both fluents if they were independent */
} Pair;

typedef VECTOR(Pair) Pairs;

static int compare_expected(const void *a, const void *b) {
    const Pair *x = a, *y = b;
    if (x->expected != y->expected)
        return x->expected < y->expected ? 1 : -1;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* Lists the fluents that change and belong to no clock and to no group yet. */
static void find_loose_fluents(const MutexGroups *groups, const Samples *s, const Clocks *clocks,
                               U32Vector *loose) {
    uint8_t *taken = memory_zalloc(s->fluent_count + 1);
    for (size_t i = 0; i < groups->count; i++)
        for (size_t m = 0; m < groups->items[i].fluents.count; m++)
            taken[groups->items[i].fluents.items[m]] = 1;
    for (uint32_t f = 0; f < s->fluent_count && loose->count < MAX_FLUENTS; f++) {
        size_t count = bitset_count(samples_column(s, f), s->column_size);
        if (!taken[f] && !bitset_get(clocks->fluents, f) && count && count < s->items.count)
            vector_push(loose, f);
    }
    free(taken);
}

static void find_pairs(const Samples *s, const U32Vector *loose, Pairs *pairs) {
    double *counts = memory_alloc((loose->count + 1) * sizeof *counts);
    for (size_t i = 0; i < loose->count; i++)
        counts[i] = (double)bitset_count(samples_column(s, loose->items[i]), s->column_size);
    for (size_t i = 0; i < loose->count; i++)
        for (size_t j = i + 1; j < loose->count; j++) {
            double expected = counts[i] * counts[j] / (double)s->items.count;
            if (expected >= MIN_EXPECTED &&
                !bitset_overlaps(samples_column(s, loose->items[i]),
                                 samples_column(s, loose->items[j]), s->column_size))
                vector_push(pairs, ((Pair){loose->items[i], loose->items[j], expected}));
        }
    free(counts);
    vector_sort(pairs, compare_expected);
    if (pairs->count > MAX_PAIRS)
        pairs->count = MAX_PAIRS;
}

static void keep_proved_pairs(Pairs *pairs, Prover *p, const Circuit *c) {
    Claims claims = {0};
    for (size_t i = 0; i < pairs->count; i++) {
        U32Vector both = {.items = (uint32_t[]){pairs->items[i].a, pairs->items[i].b}, .count = 2};
        mutex_claim(&both, p, c, vector_extend(&claims, 1), NULL);
    }
    prover_check(p, claims.items, claims.count, PROVER_MOVES);
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; i++)
        if (claims.items[i].holds) {
            prover_add_fact(p, claims.items[i].assumed);
            pairs->items[kept++] = pairs->items[i];
        }
    pairs->count = kept;
    vector_free(&claims);
}

typedef struct {
    uint64_t *excludes; /* bit matrix over loose fluents: the pair is proved mutually exclusive */
    uint64_t *grouped;  /* bit matrix over loose fluents: the pair is in a group already */
    uint32_t *row_of;   /* by fluent: its row in the matrices */
    size_t words;       /* 64-bit words per row of a matrix */
} Matrix;

static bool excludes_all(const Matrix *m, uint32_t row, const U32Vector *rows) {
    for (size_t i = 0; i < rows->count; i++)
        if (!bitset_get(m->excludes + row * m->words, rows->items[i]))
            return false;
    return true;
}

/* Extends a pair to a group to which no loose fluent can be added. */
static void add_group(MutexGroups *groups, Matrix *m, const U32Vector *loose, const Pair *pair) {
    assert(pair->a != pair->b);
    U32Vector rows = {0};
    MutexGroup group = {.at_most_one = CERTAINTY_PROVED};
    vector_push(&rows, m->row_of[pair->a]);
    vector_push(&rows, m->row_of[pair->b]);
    for (uint32_t row = 0; row < loose->count; row++)
        if (excludes_all(m, row, &rows))
            vector_push(&rows, row);
    for (uint32_t row = 0; row < loose->count; row++)
        if (u32_contains(&rows, row))
            vector_push(&group.fluents, loose->items[row]);
    for (size_t i = 0; i < rows.count; i++)
        for (size_t j = 0; j < rows.count; j++)
            bitset_set(m->grouped + rows.items[i] * m->words, rows.items[j]);
    vector_push(groups, group);
    vector_free(&rows);
}

static void group_pairs(MutexGroups *groups, const Samples *s, const U32Vector *loose,
                        const Pairs *pairs) {
    Matrix m = {.words = bitset_words(loose->count)};
    m.excludes = memory_zalloc((loose->count * m.words + 1) * sizeof *m.excludes);
    m.grouped = memory_zalloc((loose->count * m.words + 1) * sizeof *m.grouped);
    m.row_of = memory_zalloc((s->fluent_count + 1) * sizeof *m.row_of);
    for (uint32_t i = 0; i < loose->count; i++)
        m.row_of[loose->items[i]] = i;
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t a = m.row_of[pairs->items[i].a], b = m.row_of[pairs->items[i].b];
        bitset_set(m.excludes + a * m.words, b);
        bitset_set(m.excludes + b * m.words, a);
    }
    for (size_t i = 0; i < pairs->count; i++) {
        const Pair *pair = &pairs->items[i];
        if (!bitset_get(m.grouped + m.row_of[pair->a] * m.words, m.row_of[pair->b]))
            add_group(groups, &m, loose, pair);
    }
    memory_free(m.excludes, m.grouped, m.row_of);
}

void mutex_prove_pairs(MutexGroups *groups, Prover *p, const Samples *s, const Clocks *clocks) {
    U32Vector loose = {0};
    Pairs pairs = {0};
    find_loose_fluents(groups, s, clocks, &loose);
    find_pairs(s, &loose, &pairs);
    keep_proved_pairs(&pairs, p, s->game->circuit);
    group_pairs(groups, s, &loose, &pairs);
    vectors_free(&loose, &pairs);
}
