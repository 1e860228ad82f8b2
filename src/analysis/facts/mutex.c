/* Groups of which exactly one fluent is true. A group grows from one fluent. If a transition turns
 * the last true member off, some other fluent must turn on; if it turns the first member on, some
 * other must turn off. The fluent that fits these transitions best joins, if it is never true
 * together with the others. The measure is Jaccard's index: common transitions divided by
 * transitions of either. A group is complete when the number of true members never changes. */
#include "analysis/facts/mutex.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

enum {
    MAX_GROUPS_PER_FLUENT = 2, /* groups that may grow from one fluent (untuned) */
    MAX_MEMBERS = 4096         /* fluents per group (untuned) */
};

/* The fluents that become true, or those that become false, in each transition. */
typedef struct {
    U32Vector fluents; /* fluents of all transitions, one transition after the other */
    U32Vector starts;  /* by transition: index of its first fluent; one more entry for the end */
    U32Vector totals;  /* by fluent: number of its transitions */
} Changes;

typedef struct {
    const Samples *s;
    MutexGroups *groups;
    U32Vector transitions; /* samples that have a next sample */
    Changes on, off;
    uint64_t *covered;   /* bitset of samples in which a member of the growing group is true */
    uint32_t *shared;    /* by fluent: transitions in common with the group */
    uint32_t *groups_of; /* by fluent: number of groups it belongs to */
    uint8_t *barred;     /* by fluent: it may not join the group */
    U32Vector met;       /* fluents with a nonzero entry in `shared` */
    Table known;         /* maps the hash of a group's members to the group */
    uint32_t *clock;     /* by fluent: 1 + index of its clock, or 0 */
    uint32_t seed_clock; /* 1 + index of the clock of the growing group, or 0 */
    Arena arena;         /* owns the arrays */
} Growth;

static void collect_changes(Growth *g, Changes *changes, bool on) {
    const Samples *s = g->s;
    memset(vector_extend(&changes->totals, s->fluent_count + 1), 0,
           (s->fluent_count + 1) * sizeof(uint32_t));
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
    vectors_free(&changes->fluents, &changes->starts, &changes->totals);
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

/* Counts transitions into and out of the empty group, and other fluents that change in them. */
static uint32_t count_open_transitions(Growth *g) {
    uint32_t open = 0;
    for (size_t t = 0; t < g->transitions.count; t++) {
        size_t i = g->transitions.items[t];
        bool before = bitset_get(g->covered, i), after = bitset_get(g->covered, i + 1);
        if (before == after)
            continue;
        open++;
        count_shared(g, before ? &g->on : &g->off, t);
    }
    return open;
}

static void add_member(Growth *g, U32Vector *members, uint32_t fluent) {
    vector_push(members, fluent);
    bitset_or(g->covered, samples_column(g->s, fluent), g->s->column_size);
    g->barred[fluent] = 1;
}

static void forget_shared(Growth *g) {
    for (size_t i = 0; i < g->met.count; i++)
        g->shared[g->met.items[i]] = 0;
    vector_clear(&g->met);
}

/* Returns the fluent that fits best among those met; UINT32_MAX if none can join. */
static uint32_t best_fit(Growth *g, uint32_t open) {
    uint32_t best = UINT32_MAX;
    double best_fit = 0;
    for (size_t i = 0; i < g->met.count; i++) {
        uint32_t f = g->met.items[i];
        uint32_t either = open + g->on.totals.items[f] + g->off.totals.items[f] - g->shared[f];
        double fit = (double)g->shared[f] / either;
        if ((fit > best_fit || (fit == best_fit && f < best)) &&
            !bitset_overlaps(samples_column(g->s, f), g->covered, g->s->column_size)) {
            best = f;
            best_fit = fit;
        }
    }
    forget_shared(g);
    return best;
}

/* Grows a group from one fluent. True if it becomes complete. */
static bool grow(Growth *g, uint32_t seed, U32Vector *members) {
    assert(g->met.count == 0);
    vector_clear(members);
    memset(g->covered, 0, g->s->column_size * sizeof *g->covered);
    g->seed_clock = g->clock[seed];
    add_member(g, members, seed);
    uint32_t open = 0;
    while (members->count < MAX_MEMBERS && (open = count_open_transitions(g)) > 0) {
        uint32_t next = best_fit(g, open);
        if (next == UINT32_MAX)
            break;
        add_member(g, members, next);
    }
    forget_shared(g);
    return open == 0;
}

static bool is_known(const Growth *g, const U32Vector *members, uint64_t hash) {
    uint32_t id;
    for (TableProbe p = table_probe(&g->known, hash); table_next(&g->known, &p, &id);)
        if (u32_equal(&g->groups->items[id].fluents, members))
            return true;
    return false;
}

static void add_group(Growth *g, U32Vector *members) {
    vector_sort(members, u32_compare);
    uint64_t hash = hash_bytes(members->items, members->count * sizeof *members->items);
    if (is_known(g, members, hash))
        return;
    table_insert(&g->known, hash, (uint32_t)g->groups->count);
    MutexGroup group = {.at_most_one = CERTAINTY_OBSERVED, .at_least_one = CERTAINTY_OBSERVED};
    u32_append(&group.fluents, members);
    for (size_t i = 0; i < members->count; i++)
        g->groups_of[members->items[i]]++;
    vector_push(g->groups, group);
}

/* Bars or admits all fluents that are in a group with this one. */
static void bar_companions(Growth *g, uint32_t fluent, uint8_t barred) {
    for (size_t i = 0; i < g->groups->count; i++) {
        const U32Vector *members = &g->groups->items[i].fluents;
        for (size_t m = 0; m < members->count && u32_sorted_contains(members, fluent); m++)
            g->barred[members->items[m]] = barred;
    }
}

/* Finds complete groups around a fluent. Each group avoids the members of the earlier ones. */
static void find_complete_groups(Growth *g, uint32_t seed, U32Vector *members) {
    while (g->groups_of[seed] < MAX_GROUPS_PER_FLUENT) {
        bar_companions(g, seed, 1);
        uint32_t before = g->groups_of[seed];
        bool complete = grow(g, seed, members);
        for (size_t i = 0; i < members->count; i++)
            g->barred[members->items[i]] = 0;
        bar_companions(g, seed, 0);
        if (complete && members->count > 1 && bitset_get(g->covered, 0))
            add_group(g, members);
        if (g->groups_of[seed] == before)
            return;
    }
}

void mutex_observe(MutexGroups *groups, const Samples *s, const Clocks *clocks, CpuBudget budget) {
    Growth g = {.s = s, .groups = groups};
    for (size_t i = 0; i < s->items.count; i++)
        if (s->items.items[i].has_next)
            vector_push(&g.transitions, (uint32_t)i);
    collect_changes(&g, &g.on, true);
    collect_changes(&g, &g.off, false);
    g.covered = arena_zalloc(&g.arena, (s->column_size + 1) * sizeof *g.covered);
    g.shared = arena_zalloc(&g.arena, (s->fluent_count + 1) * sizeof *g.shared);
    g.groups_of = arena_zalloc(&g.arena, (s->fluent_count + 1) * sizeof *g.groups_of);
    g.barred = arena_zalloc(&g.arena, s->fluent_count + 1);
    g.clock = arena_zalloc(&g.arena, (s->fluent_count + 1) * sizeof *g.clock);
    for (size_t i = 0; i < clocks->items.count; i++)
        for (size_t f = 0; f < clocks->items.items[i].fluents.count; f++)
            g.clock[clocks->items.items[i].fluents.items[f]] = (uint32_t)i + 1;
    U32Vector members = {0};
    for (uint32_t f = 0; f < s->fluent_count && !cpu_budget_spent(budget); f++)
        if (g.on.totals.items[f] || g.off.totals.items[f])
            find_complete_groups(&g, f, &members);
    vectors_free(&members, &g.transitions, &g.met);
    changes_free(&g.on);
    changes_free(&g.off);
    table_free(&g.known);
    arena_free(&g.arena);
}

/* True if the group consists of proved clocks of which exactly one is true at every time. */
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

void mutex_claim(const U32Vector *fluents, Prover *p, const Circuit *c, Claim *at_most_one,
                 Claim *at_least_one) {
    U32Vector now = {0}, then = {0};
    for (size_t i = 0; i < fluents->count; i++) {
        assert(fluents->items[i] < c->fluent_count);
        vector_push(&now, prover_signal(p, c->fluents[fluents->items[i]]));
        vector_push(&then, prover_signal(p, c->next[fluents->items[i]]));
    }
    Signal one_now, two_now, one_then, two_then;
    aig_count(prover_aig(p), now.items, now.count, &one_now, &two_now);
    aig_count(prover_aig(p), then.items, then.count, &one_then, &two_then);
    *at_most_one = (Claim){.violated = two_then, .assumed = signal_not(two_now), .holds = true};
    if (at_least_one)
        *at_least_one =
            (Claim){.violated = signal_not(one_then), .assumed = one_now, .holds = true};
    vectors_free(&now, &then);
}

void mutex_prove(MutexGroups *groups, Prover *p, const Samples *s, const Clocks *clocks) {
    assert(p && s->game->circuit);
    Claims claims = {0};
    for (size_t i = 0; i < groups->count; i++) {
        Claim *claim = vector_extend(&claims, 2);
        mutex_claim(&groups->items[i].fluents, p, s->game->circuit, &claim[0], &claim[1]);
        for (int k = 0; k < 2 && is_proved_by_clocks(&groups->items[i], clocks); k++) {
            prover_add_fact(p, claim[k].assumed);
            claim[k].violated = SIGNAL_FALSE;
        }
    }
    prover_check(p, claims.items, claims.count, PROVER_MOVES);
    for (size_t i = 0; i < claims.count; i++) {
        MutexGroup *group = &groups->items[i / 2];
        if (!claims.items[i].holds)
            continue;
        *(i % 2 ? &group->at_least_one : &group->at_most_one) = CERTAINTY_PROVED;
        prover_add_fact(p, claims.items[i].assumed);
    }
    vector_free(&claims);
    mutex_prove_pairs(groups, p, s, clocks);
}

void mutex_free(MutexGroups *groups) {
    for (size_t i = 0; i < groups->count; i++)
        vector_free(&groups->items[i].fluents);
    vector_free(groups);
}
