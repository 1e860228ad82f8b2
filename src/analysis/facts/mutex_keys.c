/* Groups by functor and key. The fluents of a functor are divided by their arguments at some
 * positions, the key: `cell` by its square, `control` by nothing. The smallest key is taken whose
 * groups are mutually exclusive in samples and then by induction over the circuit. */
#include <assert.h>

#include "analysis/facts/mutex.h"
#include "circuit/ternary.h"

enum {
    MAX_ARGUMENTS = 5,   /* functors with more arguments are not divided (untuned) */
    MAX_CLAIMED = 200000 /* sum of the sizes of all groups that are proved (untuned) */
};

typedef struct {
    Symbol name;
    uint32_t arity;
    U32Vector fluents;
    bool is_settled; /* a key was chosen for it */
} Functor;

/* The fluents of one functor divided into groups by one key. */
typedef struct {
    uint32_t functor;    /* index of the functor */
    size_t first, count; /* index of its first group among the candidates, and their number */
} Division;

typedef struct {
    const Samples *samples;
    const Terms *terms;
    const Grounding *grounding;
    VECTOR(Functor) functors;
    VECTOR(Division) divisions;
    MutexGroups candidates;
    size_t claimed;
} Search;

static Term term_of(const Search *s, uint32_t fluent) {
    return s->grounding->fluents.items[fluent].term;
}

static void add_to_functor(Search *s, uint32_t fluent) {
    Symbol name = term_symbol(s->terms, term_of(s, fluent));
    uint32_t arity = term_arity(s->terms, term_of(s, fluent));
    size_t i = 0;
    while (i < s->functors.count &&
           (s->functors.items[i].name != name || s->functors.items[i].arity != arity))
        i++;
    if (i == s->functors.count)
        vector_push(&s->functors, ((Functor){.name = name, .arity = arity}));
    vector_push(&s->functors.items[i].fluents, fluent);
}

static bool agree(const Search *s, uint32_t a, uint32_t b, uint32_t key) {
    for (uint32_t i = 0; key >> i; i++)
        if (key >> i & 1 &&
            term_argument(s->terms, term_of(s, a), i) != term_argument(s->terms, term_of(s, b), i))
            return false;
    return true;
}

static uint64_t hash_of_key(const Search *s, uint32_t fluent, uint32_t key) {
    uint64_t hash = key;
    for (uint32_t i = 0; key >> i; i++)
        if (key >> i & 1)
            hash = hash_mix(hash, term_argument(s->terms, term_of(s, fluent), i));
    return hash_finish(hash);
}

/* Sets the group's certainties from the samples. False if two of its fluents were true at once. */
static bool check_in_samples(const Samples *s, MutexGroup *group) {
    group->at_most_one = group->at_least_one = CERTAINTY_OBSERVED;
    for (size_t w = 0; w < s->column_size; w++) {
        uint64_t one = 0, two = 0;
        for (size_t i = 0; i < group->fluents.count; i++) {
            uint64_t column = samples_column(s, group->fluents.items[i])[w];
            two |= one & column;
            one |= column;
        }
        if (two)
            return false;
        size_t left = s->items.count - w * 64;
        uint64_t all = left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
        if (one != all)
            group->at_least_one = CERTAINTY_NONE;
    }
    return true;
}

static void drop_candidates(Search *s, size_t from) {
    for (size_t i = from; i < s->candidates.count; i++)
        vector_free(&s->candidates.items[i].fluents);
    s->candidates.count = from;
}

/* Adds the division as a candidate if all its groups are mutually exclusive in the samples. */
static void divide(Search *s, uint32_t number, uint32_t key) {
    const Functor *functor = &s->functors.items[number];
    Table table = {0};
    size_t first = s->candidates.count;
    for (size_t i = 0; i < functor->fluents.count; i++) {
        uint32_t fluent = functor->fluents.items[i], id, found = UINT32_MAX;
        uint64_t hash = hash_of_key(s, fluent, key);
        for (TableProbe p = table_probe(&table, hash); table_next(&table, &p, &id);)
            if (agree(s, s->candidates.items[id].fluents.items[0], fluent, key))
                found = id;
        if (found == UINT32_MAX) {
            found = (uint32_t)s->candidates.count;
            table_insert(&table, hash, found);
            vector_push(&s->candidates, ((MutexGroup){0}));
        }
        vector_push(&s->candidates.items[found].fluents, fluent);
    }
    table_free(&table);
    bool excludes = s->claimed + functor->fluents.count <= MAX_CLAIMED;
    for (size_t i = first; i < s->candidates.count && excludes; i++)
        excludes = check_in_samples(s->samples, &s->candidates.items[i]);
    if (excludes) {
        s->claimed += functor->fluents.count;
        vector_push(&s->divisions, ((Division){number, first, s->candidates.count - first}));
    } else {
        drop_candidates(s, first);
    }
}

/* Tries keys with few positions first, and never all positions, which leave fluents alone. */
static void divide_functors(Search *s) {
    for (uint32_t i = 0; i < s->functors.count; i++) {
        uint32_t arity = s->functors.items[i].arity;
        if (arity > MAX_ARGUMENTS || s->functors.items[i].fluents.count < 2)
            continue;
        for (uint32_t size = 0; size < arity; size++)
            for (uint32_t key = 0; key < 1u << arity; key++)
                if ((uint32_t)__builtin_popcount(key) == size)
                    divide(s, i, key);
    }
}

static void take_proved(Search *s, Prover *prover, MutexGroups *groups) {
    Claims claims = {0};
    for (size_t i = 0; i < s->candidates.count; i++) {
        const MutexGroup *group = &s->candidates.items[i];
        Claim *claim = vector_extend(&claims, 2);
        mutex_claim(&group->fluents, prover, s->samples->game->circuit, &claim[0], &claim[1]);
        claim[1].holds = group->at_least_one != CERTAINTY_NONE;
    }
    prover_check(prover, claims.items, claims.count, PROVER_MOVES);
    for (size_t d = 0; d < s->divisions.count; d++) {
        const Division *division = &s->divisions.items[d];
        bool holds = !s->functors.items[division->functor].is_settled;
        for (size_t i = division->first; i < division->first + division->count && holds; i++)
            holds = claims.items[2 * i].holds;
        for (size_t i = division->first; i < division->first + division->count && holds; i++) {
            MutexGroup *from = &s->candidates.items[i], group = *from;
            group.at_most_one = CERTAINTY_PROVED;
            group.at_least_one = claims.items[2 * i + 1].holds ? CERTAINTY_PROVED : CERTAINTY_NONE;
            vector_push(groups, group);
            from->fluents = (U32Vector){0};
        }
        s->functors.items[division->functor].is_settled |= holds;
    }
    vector_free(&claims);
}

void mutex_find_by_keys(MutexGroups *groups, const Samples *samples, const Grounding *grounding,
                        const uint8_t *constants, CpuBudget budget) {
    assert(samples->game->circuit && samples->fluent_count == grounding->fluents.count);
    Search s = {.samples = samples, .terms = grounding_terms(grounding), .grounding = grounding};
    for (uint32_t i = 0; i < grounding->fluents.count; i++)
        if (constants[i] == TERNARY_UNKNOWN)
            add_to_functor(&s, i);
    divide_functors(&s);
    Prover *prover = s.divisions.count ? prover_create(samples->game->circuit, budget) : NULL;
    if (prover)
        take_proved(&s, prover, groups);
    prover_free(prover);
    mutex_free(&s.candidates);
    for (size_t i = 0; i < s.functors.count; i++)
        vector_free(&s.functors.items[i].fluents);
    vectors_free(&s.functors, &s.divisions);
}
