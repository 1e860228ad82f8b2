/* A group grows from one fluent. Transitions that take its last true member away need another
 * member that turns on at that moment, and those that bring a first one need one that turns off;
 * the fluent that fits these moments best joins, if it is never true together with the others. The
 * measure is Jaccard's: moments shared, divided by moments of either. A group is complete when no
 * transition changes how many of it are true. */
#include "analysis/facts/mutex.h"

#include <string.h>

#include "base/bitset.h"

enum { MOST_GROUPS_OF_A_FLUENT = 2, MOST_MEMBERS = 4096 };

/* Fluents that change in each transition, as rows over one list. */
typedef struct {
    U32Vector fluents;
    U32Vector starts; /* by transition, and one more */
    U32Vector totals; /* by fluent: in how many transitions */
} Changes;

typedef struct {
    const Samples *s;
    MutexGroups *groups;
    U32Vector transitions; /* samples with a next one */
    Changes on, off;
    U32Vector groups_of; /* by fluent: how many groups it is in */
    uint64_t *covered;   /* samples in which a member of the growing group is true */
    uint32_t *shared;    /* scratch by fluent: moments shared with the group */
    uint8_t *barred;     /* by fluent: not to join */
    U32Vector met;       /* scratch: fluents with a share */
    Table known;         /* by hash of the members */
    uint32_t *clock;     /* by fluent: 1 + its clock, or 0 */
    uint32_t seed_clock; /* that of the growing group */
} Growth;

static void collect_changes(Growth *g, Changes *changes, bool on) {
    const Samples *s = g->s;
    for (uint32_t f = 0; f < s->fluent_count; f++)
        vector_push(&changes->totals, 0);
    for (size_t t = 0; t < g->transitions.count; t++) {
        size_t i = g->transitions.items[t];
        const State *from = &s->items.items[i + !on].state, *to = &s->items.items[i + on].state;
        vector_push(&changes->starts, (uint32_t)changes->fluents.count);
        for (uint32_t w = 0; w < to->word_count; w++) {
            uint64_t fresh = to->words[w] & ~(w < from->word_count ? from->words[w] : 0);
            for (; fresh; fresh &= fresh - 1) {
                uint32_t f = w * 64 + (uint32_t)__builtin_ctzll(fresh);
                vector_push(&changes->fluents, f);
                changes->totals.items[f]++;
            }
        }
    }
    vector_push(&changes->starts, (uint32_t)changes->fluents.count);
}

static void changes_free(Changes *changes) {
    vector_free(&changes->fluents);
    vector_free(&changes->starts);
    vector_free(&changes->totals);
}

static void count_shared(Growth *g, const Changes *changes, size_t transition) {
    for (uint32_t i = changes->starts.items[transition]; i < changes->starts.items[transition + 1];
         i++) {
        uint32_t f = changes->fluents.items[i];
        if (g->barred[f] || g->clock[f] != g->seed_clock)
            continue;
        if (!g->shared[f]++)
            vector_push(&g->met, f);
    }
}

/* Moments at which the group becomes empty or stops being so; what changes then is counted. */
static uint32_t count_moments(Growth *g) {
    uint32_t moments = 0;
    for (size_t t = 0; t < g->transitions.count; t++) {
        size_t i = g->transitions.items[t];
        bool before = bitset_get(g->covered, i), after = bitset_get(g->covered, i + 1);
        if (before == after)
            continue;
        moments++;
        count_shared(g, before ? &g->on : &g->off, t);
    }
    return moments;
}

static bool is_disjoint(const Growth *g, uint32_t fluent) {
    const uint64_t *column = samples_column(g->s, fluent);
    for (size_t w = 0; w < g->s->column_size; w++)
        if (column[w] & g->covered[w])
            return false;
    return true;
}

static void add_member(Growth *g, U32Vector *members, uint32_t fluent) {
    vector_push(members, fluent);
    bitset_or(g->covered, samples_column(g->s, fluent), g->s->column_size);
    g->barred[fluent] = 1;
}

/* The fluent that fits best among those met; UINT32_MAX if none can join. */
static uint32_t best_fit(Growth *g, uint32_t moments) {
    uint32_t best = UINT32_MAX;
    double best_fit = 0;
    for (size_t i = 0; i < g->met.count; i++) {
        uint32_t f = g->met.items[i];
        uint32_t either = moments + g->on.totals.items[f] + g->off.totals.items[f] - g->shared[f];
        double fit = (double)g->shared[f] / either;
        if ((fit > best_fit || (fit == best_fit && f < best)) && is_disjoint(g, f)) {
            best = f;
            best_fit = fit;
        }
    }
    for (size_t i = 0; i < g->met.count; i++)
        g->shared[g->met.items[i]] = 0;
    vector_clear(&g->met);
    return best;
}

/* Answers whether the group is complete. */
static bool grow(Growth *g, uint32_t seed, U32Vector *members) {
    vector_clear(members);
    memset(g->covered, 0, g->s->column_size * sizeof *g->covered);
    g->seed_clock = g->clock[seed];
    add_member(g, members, seed);
    uint32_t moments = 0;
    while (members->count < MOST_MEMBERS && (moments = count_moments(g)) > 0) {
        uint32_t next = best_fit(g, moments);
        if (next == UINT32_MAX)
            break;
        add_member(g, members, next);
    }
    for (size_t i = 0; i < g->met.count; i++)
        g->shared[g->met.items[i]] = 0;
    vector_clear(&g->met);
    return moments == 0;
}

static bool is_known(const Growth *g, const U32Vector *members, uint64_t hash) {
    uint32_t id;
    for (TableProbe p = table_probe(&g->known, hash); table_next(&g->known, &p, &id);) {
        const U32Vector *known = &g->groups->items[id].fluents;
        if (known->count == members->count &&
            memcmp(known->items, members->items, members->count * sizeof(uint32_t)) == 0)
            return true;
    }
    return false;
}

static void add_group(Growth *g, U32Vector *members) {
    vector_sort(members, u32_compare);
    uint64_t hash = hash_bytes(members->items, members->count * sizeof *members->items);
    if (is_known(g, members, hash))
        return;
    table_insert(&g->known, hash, (uint32_t)g->groups->count);
    MutexGroup group = {.at_most_one = CERTAINTY_OBSERVED, .at_least_one = CERTAINTY_OBSERVED};
    for (size_t i = 0; i < members->count; i++) {
        vector_push(&group.fluents, members->items[i]);
        g->groups_of.items[members->items[i]]++;
    }
    vector_push(g->groups, group);
}

/* Bars or frees everything that shares a group with the fluent. */
static void bar_companions(Growth *g, uint32_t fluent, uint8_t barred) {
    for (size_t i = 0; i < g->groups->count; i++) {
        const U32Vector *members = &g->groups->items[i].fluents;
        if (!bsearch(&fluent, members->items, members->count, sizeof fluent, u32_compare))
            continue;
        for (size_t m = 0; m < members->count; m++)
            g->barred[members->items[m]] = barred;
    }
}

/* Groups of a fluent with exactly one true; each further one avoids the companions of the former.
 */
static void find_complete_groups(Growth *g, uint32_t seed, U32Vector *members) {
    while (g->groups_of.items[seed] < MOST_GROUPS_OF_A_FLUENT) {
        bar_companions(g, seed, 1);
        uint32_t before = g->groups_of.items[seed];
        bool complete = grow(g, seed, members);
        for (size_t i = 0; i < members->count; i++)
            g->barred[members->items[i]] = 0;
        bar_companions(g, seed, 0);
        if (complete && members->count > 1 && bitset_get(g->covered, 0))
            add_group(g, members);
        if (g->groups_of.items[seed] == before)
            return;
    }
}

static bool changes(const Growth *g, uint32_t fluent) {
    return g->on.totals.items[fluent] || g->off.totals.items[fluent];
}

void mutex_observe(MutexGroups *groups, const Samples *s, const Clocks *clocks, CpuBudget budget) {
    Growth g = {.s = s, .groups = groups};
    for (size_t i = 0; i < s->items.count; i++)
        if (s->items.items[i].has_next)
            vector_push(&g.transitions, (uint32_t)i);
    collect_changes(&g, &g.on, true);
    collect_changes(&g, &g.off, false);
    g.covered = memory_zalloc((s->column_size + 1) * sizeof *g.covered);
    g.shared = memory_zalloc((s->fluent_count + 1) * sizeof *g.shared);
    g.barred = memory_zalloc(s->fluent_count + 1);
    g.clock = memory_zalloc((s->fluent_count + 1) * sizeof *g.clock);
    for (size_t i = 0; i < clocks->items.count; i++)
        for (size_t f = 0; f < clocks->items.items[i].fluents.count; f++)
            g.clock[clocks->items.items[i].fluents.items[f]] = (uint32_t)i + 1;
    for (uint32_t f = 0; f < s->fluent_count; f++)
        vector_push(&g.groups_of, 0);
    U32Vector members = {0};
    for (uint32_t f = 0; f < s->fluent_count && !cpu_budget_spent(budget); f++)
        if (changes(&g, f))
            find_complete_groups(&g, f, &members);
    vector_free(&members);
    changes_free(&g.on);
    changes_free(&g.off);
    vector_free(&g.transitions);
    vector_free(&g.groups_of);
    vector_free(&g.met);
    table_free(&g.known);
    free(g.covered);
    free(g.shared);
    free(g.barred);
    free(g.clock);
}

/* The values of proved clocks are all there in their history. */
static bool is_proved_by_clocks(const MutexGroup *group, const Clocks *clocks) {
    if (clocks->certainty != CERTAINTY_PROVED)
        return false;
    for (uint32_t t = 0; t < clocks->times; t++) {
        uint32_t count = 0;
        for (size_t i = 0; i < group->fluents.count; i++) {
            if (!bitset_get(clocks->fluents, group->fluents.items[i]))
                return false;
            count += bitset_get(clocks_at(clocks, t), group->fluents.items[i]);
        }
        if (count != 1)
            return false;
    }
    return true;
}

/* Two claims a group: at most one, and at least one if that was observed. What clocks prove already
 * becomes a fact at once. */
static void add_claims(const MutexGroup *group, Prover *p, const Circuit *c, const Clocks *clocks,
                       Claims *claims) {
    U32Vector now = {0}, then = {0};
    for (size_t i = 0; i < group->fluents.count; i++) {
        vector_push(&now, prover_signal(p, c->fluents[group->fluents.items[i]]));
        vector_push(&then, prover_signal(p, c->next[group->fluents.items[i]]));
    }
    Signal one_now, two_now, one_then, two_then;
    aig_count(prover_aig(p), now.items, now.count, &one_now, &two_now);
    aig_count(prover_aig(p), then.items, then.count, &one_then, &two_then);
    Claim most = {.violated = two_then, .assumed = signal_not(two_now), .holds = true};
    Claim least = {.violated = signal_not(one_then), .assumed = one_now, .holds = true};
    if (is_proved_by_clocks(group, clocks)) {
        prover_add_fact(p, most.assumed);
        prover_add_fact(p, least.assumed);
        most.violated = least.violated = SIGNAL_FALSE;
    }
    vector_push(claims, most);
    vector_push(claims, least);
    vector_free(&now);
    vector_free(&then);
}

void mutex_prove(MutexGroups *groups, Prover *p, const Samples *s, const Clocks *clocks) {
    Claims claims = {0};
    for (size_t i = 0; i < groups->count; i++)
        add_claims(&groups->items[i], p, s->game->circuit, clocks, &claims);
    prover_keep_what_holds(p, claims.items, claims.count, PROVER_MOVES);
    for (size_t i = 0; i < groups->count; i++) {
        if (claims.items[2 * i].holds) {
            groups->items[i].at_most_one = CERTAINTY_PROVED;
            prover_add_fact(p, claims.items[2 * i].assumed);
        }
        if (claims.items[2 * i + 1].holds) {
            groups->items[i].at_least_one = CERTAINTY_PROVED;
            prover_add_fact(p, claims.items[2 * i + 1].assumed);
        }
    }
    vector_free(&claims);
    mutex_prove_pairs(groups, p, s, clocks);
}

void mutex_free(MutexGroups *groups) {
    for (size_t i = 0; i < groups->count; i++)
        vector_free(&groups->items[i].fluents);
    vector_free(groups);
}
