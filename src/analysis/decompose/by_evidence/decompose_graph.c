/* The dependency graph. Its vertices are fluents and meta-actions. Links lead from a meta-action to
 * its effects, to the fluents its effects depend on and to the fluents its legality depends on, and
 * from fluents that no move changes to the fluents they depend on. */
#include <assert.h>
#include <string.h>

#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"

void decompose_add_link(Decomposer *d, uint32_t a, uint32_t b, LinkKind kind, double weight) {
    assert(a < d->vertex_count && b < d->vertex_count);
    vector_push(&d->result->links, ((DependencyLink){a, b, kind, (float)weight, false, false}));
}

/* True if the fluent ties things together: it was seen to change and is no turn marker. */
static bool is_tying(const Decomposer *d, uint32_t f) {
    return d->result->kinds[f] != FLUENT_UNSEEN && !d->ignored[f];
}

static void link_action(Decomposer *d, uint32_t id) {
    assert(id < d->result->actions.count);
    const MetaAction *m = &d->result->actions.items[id];
    uint32_t vertex = d->circuit->fluent_count + id;
    for (size_t i = 0; i < m->effects.count; i++)
        decompose_add_link(d, vertex, effect_fluent(m->effects.items[i].effect), LINK_EFFECT,
                           m->effects.items[i].weight);
    for (size_t i = 0; i < m->contexts.count; i++)
        if (is_tying(d, m->contexts.items[i].fluent))
            decompose_add_link(d, vertex, m->contexts.items[i].fluent, LINK_CONTEXT,
                               m->contexts.items[i].weight);
    for (size_t i = 0; i < m->conditions.count; i++)
        if (is_tying(d, m->conditions.items[i]))
            decompose_add_link(d, vertex, m->conditions.items[i], LINK_CONDITION, 1);
}

/* True if the fluent never becomes false again. */
static bool stays_true(const Decomposer *d, uint32_t f) {
    influence_focus(d->influence, &d->circuit->next[f], 1);
    influence_give_fluent(d->influence, 0, f, true);
    influence_evaluate(d->influence);
    LaneMask may_end = influence_may_be(d->influence, d->circuit->next[f], false);
    return !bitset_get(may_end.words, 0);
}

/* True if moves change the fluent at one time of the match only, or if it is written down for good
 * at one time, so that it records the time. */
static bool is_time_stamp(const Decomposer *d, uint32_t f) {
    ClockReadings readings = {0};
    for (size_t i = 0; i < d->premises[f].count; i++) {
        uint32_t g = d->premises[f].items[i];
        bool counts = d->is_clock[g] && !d->ignored[g];
        readings.rounds += counts && d->is_cyclic[g];
        readings.records += counts && !d->is_cyclic[g] && d->is_lasting[g];
        readings.moments += counts && !d->is_cyclic[g] && !d->is_lasting[g];
    }
    return timing_of(&readings) == TIMING_STAMP && (d->is_moved[f] || stays_true(d, f));
}

/* Returns, by fluent, true if another clock depends on it. The caller frees the array. */
static bool *clocks_that_drive(const Decomposer *d) {
    bool *drives = memory_zalloc(d->circuit->fluent_count + 1);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        for (size_t i = 0; i < d->premises[f].count && d->is_clock[f]; i++)
            drives[d->premises[f].items[i]] |= d->premises[f].items[i] != f;
    return drives;
}

/* True if clocks f and g belong together, because f depends on g. A clock that only records whose
 * turn it was, and drives no clock, does not belong with the turn marker. */
static bool are_one_clock(const Decomposer *d, uint32_t f, uint32_t g, const bool *drives) {
    return d->result->kinds[f] == FLUENT_CLOCK && d->result->kinds[g] == FLUENT_CLOCK &&
           (d->is_cyclic[f] || drives[f] || !d->ignored[g]);
}

static void link_premises(Decomposer *d, uint32_t f, const bool *drives) {
    FluentKind kind = d->result->kinds[f];
    bool is_stamp = kind == FLUENT_DERIVED && is_time_stamp(d, f);
    for (size_t i = 0; i < d->premises[f].count; i++) {
        uint32_t g = d->premises[f].items[i];
        bool derived = kind == FLUENT_DERIVED && d->result->kinds[g] != FLUENT_UNSEEN &&
                       !d->ignored[g] && !(is_stamp && d->is_clock[g]);
        if (g != f && (derived || are_one_clock(d, f, g, drives)))
            decompose_add_link(d, f, g, LINK_PREMISE, 1);
        /* A record of the time that no move writes is the clock's own; whoever looks at it, looks
         * at the clock. */
        if (is_stamp && !d->is_moved[f] && d->is_clock[g] && !d->ignored[g])
            d->is_recorded[g] |= d->in_terminal[f] || d->in_goal[f];
    }
}

/* True if clock g changes whenever clock f does. */
static bool moves_with(const Decomposer *d, uint32_t f, uint32_t g) {
    const Evidence *e = d->evidence;
    for (size_t t = 1; t < e->trajectory.count; t++) {
        const uint64_t *before = e->trajectory.items[t - 1], *now = e->trajectory.items[t];
        if (bitset_get(before, f) != bitset_get(now, f) &&
            bitset_get(before, g) == bitset_get(now, g))
            return false;
    }
    return true;
}

/* Links turn markers that moves pass on: without common premises no other link ties them. */
static void link_turns(Decomposer *d) {
    uint32_t last = UINT32_MAX;
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        if (!d->is_cyclic[f] || d->is_autonomous[f])
            continue;
        if (last != UINT32_MAX && moves_with(d, f, last))
            decompose_add_link(d, f, last, LINK_PREMISE, 1);
        last = f;
    }
}

void decompose_link_actions(Decomposer *d) {
    vector_clear(&d->result->links);
    d->vertex_count = d->circuit->fluent_count + (uint32_t)d->result->actions.count;
    free(d->parent);
    d->parent = memory_alloc((d->vertex_count + 1) * sizeof *d->parent);
    for (uint32_t id = 0; id < d->result->actions.count; id++)
        link_action(d, id);
}

void decompose_build_links(Decomposer *d) {
    decompose_link_actions(d);
    bool *drives = clocks_that_drive(d);
    memset(d->is_recorded, 0, d->circuit->fluent_count);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        link_premises(d, f, drives);
    free(drives);
    link_turns(d);
}

void decompose_join(Decomposer *d) {
    assert(d->parent);
    sets_init(d->parent, d->vertex_count);
    for (size_t i = 0; i < d->result->links.count; i++) {
        const DependencyLink *link = &d->result->links.items[i];
        if (!link->is_cut)
            sets_join(d->parent, link->a, link->b);
    }
}

bool *decompose_acted_sets(Decomposer *d) {
    bool *acted = memory_zalloc(d->vertex_count + 1);
    bool *has_fluent = memory_zalloc(d->vertex_count + 1);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        has_fluent[sets_find(d->parent, f)] = true;
    for (uint32_t v = d->circuit->fluent_count; v < d->vertex_count; v++) {
        uint32_t set = sets_find(d->parent, v);
        acted[set] = has_fluent[set];
    }
    free(has_fluent);
    return acted;
}

uint32_t decompose_count_acted(Decomposer *d) {
    bool *acted = decompose_acted_sets(d);
    uint32_t count = 0;
    for (uint32_t v = 0; v < d->vertex_count; v++)
        count += acted[v];
    free(acted);
    return count;
}
