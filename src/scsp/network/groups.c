/* Fluents with the same functor are cut into sets by the arguments at some places, the key: `cell`
 * by its square, `control` by nothing. The smallest key whose sets all exclude in random matches,
 * and then by induction over the circuit, is taken. What cannot be proven stays a variable of its
 * own: that is always right, if less compact. */
#include <string.h>

#include "analysis/facts/prover.h"
#include "analysis/samples.h"
#include "circuit/ternary.h"
#include "scsp/network/template.h"

enum { MOST_ARGUMENTS = 5, MATCHES = 200, MOST_CLAIMED = 200000 };

typedef struct {
    U32Vector fluents;
    bool is_exact; /* one of them was true in all samples */
} KeyedSet;

/* One way to cut the fluents of a functor into sets. */
typedef struct {
    uint32_t functor;    /* number of the family */
    uint32_t key;        /* mask of argument places */
    size_t first, count; /* sets */
} Cut;

typedef struct {
    Symbol name;
    uint32_t arity;
    U32Vector fluents;
    bool is_settled;
} Family;

typedef struct {
    Game *game;
    const Terms *terms;
    const Grounding *grounding;
    Samples *samples;
    VECTOR(Family) families;
    VECTOR(Cut) cuts;
    VECTOR(KeyedSet) sets;
    size_t claimed;
} Finder;

static void add_to_family(Finder *f, uint32_t fluent) {
    Term term = f->grounding->fluents.items[fluent].term;
    Symbol name = term_symbol(f->terms, term);
    uint32_t arity = term_arity(f->terms, term);
    size_t i = 0;
    while (i < f->families.count &&
           (f->families.items[i].name != name || f->families.items[i].arity != arity))
        i++;
    if (i == f->families.count) {
        Family family = {.name = name, .arity = arity};
        vector_push(&f->families, family);
    }
    vector_push(&f->families.items[i].fluents, fluent);
}

static bool agree(const Finder *f, uint32_t a, uint32_t b, uint32_t key) {
    Term x = f->grounding->fluents.items[a].term, y = f->grounding->fluents.items[b].term;
    uint32_t arity = term_arity(f->terms, x);
    for (uint32_t i = 0; i < arity; i++)
        if (key >> i & 1 && term_argument(f->terms, x, i) != term_argument(f->terms, y, i))
            return false;
    return true;
}

static uint64_t hash_of_key(const Finder *f, uint32_t fluent, uint32_t key) {
    Term term = f->grounding->fluents.items[fluent].term;
    uint64_t hash = key;
    for (uint32_t i = 0; key >> i; i++)
        if (key >> i & 1)
            hash = hash_mix(hash, term_argument(f->terms, term, i));
    return hash_finish(hash);
}

/* Whether never two of the set held in a sample; says also whether always one did. */
static bool excludes_in_samples(const Finder *f, KeyedSet *set) {
    const Samples *s = f->samples;
    set->is_exact = true;
    for (size_t w = 0; w < s->column_size; w++) {
        uint64_t one = 0, two = 0;
        for (size_t i = 0; i < set->fluents.count; i++) {
            uint64_t column = samples_column(s, set->fluents.items[i])[w];
            two |= one & column;
            one |= column;
        }
        if (two)
            return false;
        size_t left = s->items.count - w * 64;
        uint64_t all = left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
        set->is_exact = set->is_exact && one == all;
    }
    return true;
}

static void drop_sets(Finder *f, size_t from) {
    while (f->sets.count > from) {
        vector_free(&vector_last(&f->sets).fluents);
        f->sets.count--;
    }
}

static void cut_family(Finder *f, uint32_t number, uint32_t key) {
    const Family *family = &f->families.items[number];
    Table table = {0};
    Cut cut = {number, key, f->sets.count, 0};
    for (size_t i = 0; i < family->fluents.count; i++) {
        uint32_t fluent = family->fluents.items[i], id, found = UINT32_MAX;
        uint64_t hash = hash_of_key(f, fluent, key);
        for (TableProbe p = table_probe(&table, hash); table_next(&table, &p, &id);)
            if (agree(f, f->sets.items[id].fluents.items[0], fluent, key))
                found = id;
        if (found == UINT32_MAX) {
            found = (uint32_t)f->sets.count;
            table_insert(&table, hash, found);
            KeyedSet set = {0};
            vector_push(&f->sets, set);
        }
        vector_push(&f->sets.items[found].fluents, fluent);
    }
    table_free(&table);
    bool excludes = true;
    for (size_t i = cut.first; i < f->sets.count && excludes; i++)
        excludes = excludes_in_samples(f, &f->sets.items[i]);
    cut.count = f->sets.count - cut.first;
    if (excludes && f->claimed + family->fluents.count <= MOST_CLAIMED) {
        f->claimed += family->fluents.count;
        vector_push(&f->cuts, cut);
    } else {
        drop_sets(f, cut.first);
    }
}

/* Keys with few places first; the key with all of them says nothing. */
static void cut_families(Finder *f) {
    for (uint32_t i = 0; i < f->families.count; i++) {
        uint32_t arity = f->families.items[i].arity;
        if (arity > MOST_ARGUMENTS || f->families.items[i].fluents.count < 2)
            continue;
        for (uint32_t size = 0; size < arity; size++)
            for (uint32_t key = 0; key < 1u << arity; key++)
                if ((uint32_t)__builtin_popcount(key) == size)
                    cut_family(f, i, key);
    }
}

static void claim_set(const KeyedSet *set, Prover *p, const Circuit *c, Claims *claims) {
    U32Vector now = {0}, then = {0};
    for (size_t i = 0; i < set->fluents.count; i++) {
        vector_push(&now, prover_signal(p, c->fluents[set->fluents.items[i]]));
        vector_push(&then, prover_signal(p, c->next[set->fluents.items[i]]));
    }
    Signal one_now, two_now, one_then, two_then;
    aig_count(prover_aig(p), now.items, now.count, &one_now, &two_now);
    aig_count(prover_aig(p), then.items, then.count, &one_then, &two_then);
    Claim most = {.violated = two_then, .assumed = signal_not(two_now), .holds = true};
    Claim least = {.violated = signal_not(one_then), .assumed = one_now, .holds = set->is_exact};
    vector_push(claims, most);
    vector_push(claims, least);
    vector_free(&now);
    vector_free(&then);
}

static void take_cut(Finder *f, const Cut *cut, const Claims *claims, FluentGroups *groups,
                     uint8_t *is_taken) {
    for (size_t i = cut->first; i < cut->first + cut->count; i++) {
        FluentGroup group = {.is_never_none = claims->items[2 * i + 1].holds};
        for (size_t j = 0; j < f->sets.items[i].fluents.count; j++) {
            uint32_t fluent = f->sets.items[i].fluents.items[j];
            vector_push(&group.fluents, fluent);
            is_taken[fluent] = 1;
        }
        vector_push(groups, group);
    }
    f->families.items[cut->functor].is_settled = true;
}

static void take_proven(Finder *f, CpuBudget budget, FluentGroups *groups, uint8_t *is_taken) {
    Prover *prover = f->cuts.count ? prover_create(f->game->circuit, budget) : NULL;
    if (!prover)
        return;
    Claims claims = {0};
    for (size_t i = 0; i < f->sets.count; i++)
        claim_set(&f->sets.items[i], prover, f->game->circuit, &claims);
    prover_keep_what_holds(prover, claims.items, claims.count, PROVER_MOVES);
    for (size_t c = 0; c < f->cuts.count; c++) {
        const Cut *cut = &f->cuts.items[c];
        bool holds = !f->families.items[cut->functor].is_settled;
        for (size_t i = cut->first; i < cut->first + cut->count && holds; i++)
            holds = claims.items[2 * i].holds;
        if (holds)
            take_cut(f, cut, &claims, groups, is_taken);
    }
    vector_free(&claims);
    prover_free(prover);
}

static void finder_free(Finder *f) {
    drop_sets(f, 0);
    vector_free(&f->sets);
    for (size_t i = 0; i < f->families.count; i++)
        vector_free(&f->families.items[i].fluents);
    vector_free(&f->families);
    vector_free(&f->cuts);
    samples_free(f->samples);
}

void groups_find(FluentGroups *groups, Game *game, const Grounding *grounding,
                 const uint8_t *constants, CpuBudget budget) {
    SampleOptions sampling = {
        .matches = MATCHES, .seed = 1, .budget = cpu_budget_share(budget, 0.3)};
    Finder f = {.game = game,
                .terms = grounding_terms(grounding),
                .grounding = grounding,
                .samples = samples_take(game, &sampling)};
    uint32_t count = (uint32_t)grounding->fluents.count;
    uint8_t *is_taken = memory_zalloc(count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (constants[i] == TERNARY_UNKNOWN)
            add_to_family(&f, i);
    cut_families(&f);
    take_proven(&f, budget, groups, is_taken);
    for (uint32_t i = 0; i < count; i++) {
        FluentGroup alone = {0};
        if (is_taken[i] || constants[i] != TERNARY_UNKNOWN)
            continue;
        vector_push(&alone.fluents, i);
        vector_push(groups, alone);
    }
    finder_free(&f);
    free(is_taken);
}

void groups_free(FluentGroups *groups) {
    for (size_t i = 0; i < groups->count; i++)
        vector_free(&groups->items[i].fluents);
    vector_free(groups);
}
