/* The driver of the statistical method. Playouts are made in batches. After each batch a complete
 * decomposition is attempted from all counts so far. */
#include "analysis/decompose/by_statistics/stats_method.h"

#include <assert.h>
#include <string.h>

#include "analysis/decompose/by_statistics/stats_internal.h"
#include "base/bitset.h"

enum {
    DEFAULT_PLAYOUTS = 10000, /* playouts if the caller gives no number (untuned) */
    BATCH = 1000,             /* playouts before the first attempt (untuned) */
    ENOUGH_AGREEING =
        3, /* number of equal attempts in a row that make the result final (untuned) */
    /* Factor by which batches grow after an attempt that changed something (untuned). It is large,
     * because in Hex one attempt takes as long as 10,000 playouts. */
    GROWTH = 8,
    MAX_ORDERS = 64 /* iterations in which the order of a series is sought (untuned) */
};
#define THIN_EVIDENCE 0.5 /* confidence lost if no effect is confirmed (untuned) */

/* Adds the literals that make the fluent true, and those whose opposite keeps it true. */
static void judge_preconditions(StatsMethod *s, uint32_t f, const U32Vector *literals) {
    Influence *influence = s->d->influence;
    Signal next = s->d->circuit->next[f];
    for (size_t first = 0; first < literals->count; first += LANES / 2) {
        size_t left = literals->count - first, count = left < LANES / 2 ? left : LANES / 2;
        influence_forget(influence);
        for (uint32_t i = 0; i < count; i++) {
            FluentLiteral g = literals->items[first + i];
            for (uint32_t held = 0; held < 2; held++) {
                influence_give_fluent(influence, 2 * i + held, f, held);
                influence_give_fluent(influence, 2 * i + held, g / 2, g & 1);
            }
        }
        influence_evaluate(influence);
        LaneMask may = influence_may_be(influence, next, true);
        LaneMask may_fail = influence_may_be(influence, next, false);
        for (uint32_t i = 0; i < count; i++) {
            FluentLiteral g = literals->items[first + i];
            if (bitset_get(may.words, 2 * i))
                vector_push(&s->preconditions, ((Precondition){g, 2 * f + 1}));
            else if (!bitset_get(may_fail.words, 2 * i + 1))
                vector_push(&s->preconditions, ((Precondition){g ^ 1, 2 * f}));
        }
    }
}

static void find_preconditions(StatsMethod *s) {
    U32Vector literals = {0};
    vector_clear(&s->preconditions);
    for (uint32_t f = 0; f < s->d->circuit->fluent_count; f++) {
        if (!s->is_idle[f])
            continue;
        influence_focus(s->d->influence, &s->d->circuit->next[f], 1);
        influence_evaluate(s->d->influence);
        influence_trace(s->d->influence);
        vector_clear(&literals);
        for (size_t i = 0; i < s->d->premises[f].count; i++)
            for (uint32_t plain = 0; plain < 2; plain++) {
                uint32_t g = s->d->premises[f].items[i];
                LaneMask used = influence_used(s->d->influence, g, plain);
                if (g != f && bitset_get(used.words, 0))
                    vector_push(&literals, 2 * g + plain);
            }
        judge_preconditions(s, f, &literals);
    }
    vector_free(&literals);
}

/* Decides the kind of each fluent. Idle fluents are clocks unless they depend on something that
 * moves change. A fluent that the first turn changes for good, whatever the moves are, is derived
 * unless it starts a clock or a clock changes it. */
static void classify(StatsMethod *s) {
    Decomposer *d = s->d;
    FluentKind *kinds = d->result->kinds;
    for (size_t i = 0; i < s->preconditions.count; i++) {
        const Precondition *p = &s->preconditions.items[i];
        s->is_spent[p->premise / 2] = false;
        if (s->is_idle[p->premise / 2] && (p->result & 1) &&
            s->statistics->of_effect[p->result].count)
            s->is_spent[p->result / 2] = false;
    }
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        kinds[f] = s->is_idle[f] ? FLUENT_CLOCK : FLUENT_ACTED;
        if (!statistics_changed(s->statistics, f))
            kinds[f] = FLUENT_UNSEEN;
        if (s->is_spent[f])
            kinds[f] = FLUENT_DERIVED;
        d->is_clock[f] = s->is_idle[f];
        d->is_cyclic[f] = s->comes_round[f];
        d->ignored[f] = s->has_control ? s->is_control[f] : s->is_idle[f] && !s->is_spent[f];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < s->preconditions.count; i++) {
            uint32_t f = s->preconditions.items[i].result / 2;
            FluentKind behind = kinds[s->preconditions.items[i].premise / 2];
            if (kinds[f] != FLUENT_CLOCK || (behind != FLUENT_ACTED && behind != FLUENT_DERIVED))
                continue;
            kinds[f] = FLUENT_DERIVED;
            changed = true;
        }
    }
}

/* Links fluents to their preconditions. Turn markers are linked to turn markers only. */
static void link_preconditions(StatsMethod *s) {
    for (size_t i = 0; i < s->preconditions.count; i++) {
        uint32_t g = s->preconditions.items[i].premise / 2;
        uint32_t f = s->preconditions.items[i].result / 2;
        if (statistics_changed(s->statistics, g) && s->is_control[f] == s->is_control[g])
            decompose_add_link(s->d, f, g, LINK_PREMISE, 1);
    }
}

static bool holds_fluent(const Crossing *crossing, uint32_t f) {
    for (size_t i = 0; i < crossing->literals.count; i++)
        if (crossing->literals.items[i] / 2 == f)
            return true;
    return false;
}

/* Marks the fluents that the crossing point leads to and the meta-actions with such a move. */
static void mark_opened(const StatsMethod *s, const Crossing *crossing, bool *opened) {
    const Circuit *c = s->d->circuit;
    assert(crossing->literals.count > 0);
    bool *moves = memory_zalloc(c->move_count + 1);
    memset(opened, false, s->d->vertex_count);
    for (size_t i = 0; i < crossing->opens.count; i++) {
        uint32_t v = crossing->opens.items[i];
        assert(v < 2 * c->fluent_count + c->move_count);
        if (v < 2 * c->fluent_count)
            opened[v / 2] = true;
        else
            moves[v - 2 * c->fluent_count] = true;
    }
    for (uint32_t id = 0; id < s->d->result->actions.count; id++) {
        const MetaAction *m = &s->d->result->actions.items[id];
        for (size_t i = 0; i < m->moves.count; i++)
            opened[c->fluent_count + id] |= moves[m->moves.items[i]];
    }
    free(moves);
}

static void cut_at_crossings(StatsMethod *s) {
    Decomposer *d = s->d;
    bool *opened = memory_alloc(d->vertex_count + 1);
    for (size_t k = 0; k < s->crossings.count; k++) {
        mark_opened(s, &s->crossings.items[k], opened);
        for (size_t i = 0; i < s->crossings.items[k].stops.count; i++)
            opened[s->crossings.items[k].stops.items[i] / 2] = true;
        for (size_t i = 0; i < d->result->links.count; i++) {
            DependencyLink *link = &d->result->links.items[i];
            if (link->kind != LINK_EFFECT && opened[link->a] &&
                holds_fluent(&s->crossings.items[k], link->b)) /* b is the premise of the link */
                link->is_cut = true;
        }
    }
    free(opened);
}

/* Joins fluents that are left alone when all their links are cut, such as a record that a game has
 * ended. It joins the only acted set that it depends on, else the only autonomous one. */
static void rejoin_what_is_left(StatsMethod *s) {
    const uint32_t NONE = UINT32_MAX, SEVERAL = UINT32_MAX - 1;
    Decomposer *d = s->d;
    uint32_t fluents = d->circuit->fluent_count;
    uint32_t *sizes = memory_zalloc((d->vertex_count + 1) * sizeof *sizes);
    /* By fluent: the autonomous set, and the set with actions, that it depends on. */
    uint32_t *from[2];
    bool *acted = decompose_acted_sets(d);
    for (int moved = 0; moved < 2; moved++)
        from[moved] = u32_none(fluents);
    for (uint32_t v = 0; v < d->vertex_count; v++)
        sizes[sets_find(d->parent, v)]++;
    for (size_t i = 0; i < s->preconditions.count; i++) {
        uint32_t f = s->preconditions.items[i].result / 2;
        uint32_t set = sets_find(d->parent, s->preconditions.items[i].premise / 2);
        uint32_t *known = &from[acted[set]][f];
        if ((s->preconditions.items[i].result & 1) && set != sets_find(d->parent, f))
            *known = *known == NONE || *known == set ? set : SEVERAL;
    }
    for (uint32_t f = 0; f < fluents; f++) {
        uint32_t set = from[1][f] != NONE ? from[1][f] : from[0][f];
        if (sizes[sets_find(d->parent, f)] == 1 && set < SEVERAL)
            decompose_add_link(d, f, set, LINK_PREMISE, 1);
    }
    decompose_join(d);
    for (int moved = 0; moved < 2; moved++)
        free(from[moved]);
    memory_free(sizes, acted);
}

/* Finds the place of subgames in a series: after those whose crossing points lead to them. */
static void order_series(StatsMethod *s) {
    Decomposer *d = s->d;
    uint32_t *order = memory_zalloc((d->vertex_count + 1) * sizeof *order);
    bool *opened = memory_alloc(d->vertex_count + 1), *acted = decompose_acted_sets(d);
    bool changed = true;
    for (int round = 0; round < MAX_ORDERS && changed; round++) {
        changed = false;
        for (size_t k = 0; k < s->crossings.count; k++) {
            uint32_t from = sets_find(d->parent, s->crossings.items[k].literals.items[0] / 2);
            mark_opened(s, &s->crossings.items[k], opened);
            for (uint32_t v = d->circuit->fluent_count; v < d->vertex_count && acted[from]; v++) {
                uint32_t to = sets_find(d->parent, v);
                if (!opened[v] || to == from || order[to] > order[from])
                    continue;
                order[from] = order[from] ? order[from] : 1;
                order[to] = order[from] + 1;
                changed = true;
            }
        }
    }
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        d->stage[f] = changed ? 0 : order[sets_find(d->parent, f)]; /* a cycle has no order */
    memset(d->leads_on, false, d->circuit->fluent_count);
    for (size_t k = 0; k < s->crossings.count; k++)
        for (size_t i = 0; i < s->crossings.items[k].literals.count; i++) {
            uint32_t f = s->crossings.items[k].literals.items[i] / 2;
            d->leads_on[f] = s->is_idle[f];
        }
    memory_free(order, opened, acted);
}

static void list_crossings(StatsMethod *s) {
    for (size_t k = 0; k < s->crossings.count; k++) {
        U32Vector literals = {0};
        u32_append(&literals, &s->crossings.items[k].literals);
        vector_push(&s->d->result->crossings, literals);
    }
}

static void attempt(Decomposer *d, void *context) {
    StatsMethod *s = context;
    Decomposition *r = d->result;
    uint32_t fluents = d->circuit->fluent_count;
    double t = clock_thread_cpu_seconds();
    stats_filter(s);
    find_preconditions(s);
    stats_choose_controls(s);
    classify(s);
    decompose_find_actions(d, true);
    if (d->is_cut_short)
        return;
    metaactions_find_conditions(&r->actions, &d->legality, d->ignored, fluents);
    t = decomposer_lap(d, STEP_ACTIONS, t);
    decompose_link_actions(d);
    link_preconditions(s);
    stats_find_crossings(s, d->deadline);
    if (decomposer_is_late(d)) /* some crossing points may then be wrong */
        return;
    list_crossings(s);
    cut_at_crossings(s);
    decompose_join(d);
    rejoin_what_is_left(s);
    t = decomposer_lap(d, STEP_GRAPH, t);
    decompose_regroup(d);
    decompose_join_by_views(d);
    decompose_attach(d, false);
    order_series(s);
    memcpy(d->ignored, s->is_control, fluents);
    decomposer_list_unplayed(d, s->statistics->is_played);
    decompose_label(d);
    decomposer_lap(d, STEP_CHECKS, t);
}

/* True if there may be only one subgame for lack of playouts: moves that were rarely played seem to
 * cause everything that happened in the same turns. */
static bool may_be_tied_by_chance(const StatsMethod *s) {
    return s->unconfirmed && decomposition_counts(s->d->result).with_actions == 1;
}

static void collect(StatsMethod *s, uint64_t count) {
    double begun = clock_thread_cpu_seconds();
    statistics_collect(s->statistics, s->d->observer, s->d->options->start, count, s->d->deadline);
    decomposer_lap(s->d, STEP_PLAYOUTS, begun);
}

/* Plays batches until attempts agree. If the result may be due to chance, plays all remaining
 * playouts. A batch grows after an attempt that changed something. */
static void iterate(StatsMethod *s) {
    Decomposer *d = s->d;
    Decomposition *r = d->result;
    uint64_t wanted = d->options->playouts ? d->options->playouts : DEFAULT_PLAYOUTS;
    uint64_t begun = 0, batch = BATCH, last = 0;
    uint32_t agreeing = 0;
    bool lists = d->options->lists_attempts;
    while (begun < wanted && (lists || agreeing < ENOUGH_AGREEING || may_be_tied_by_chance(s)) &&
           d->is_studied) {
        bool is_first = begun == 0;
        uint64_t left = wanted - begun,
                 count = (lists || agreeing < ENOUGH_AGREEING) && batch < left ? batch : left;
        collect(s, count);
        begun += count;
        if (!decomposer_attempt(d, attempt, s))
            break;
        uint64_t hash = hash_mix(decomposer_hash(d), r->unplayed.count);
        agreeing = !is_first && hash == last ? agreeing + 1 : 1;
        batch *= !is_first && agreeing == 1 && !lists ? GROWTH : 1;
        last = hash;
        if (lists)
            vector_push(&r->attempts, ((DecomposeAttemptResult){s->statistics->counts.playouts,
                                                                decomposition_counts(r)}));
    }
    decomposer_conclude(d, s->statistics->counts.playouts, agreeing);
    double thin = d->effects.count ? (double)s->unconfirmed / (double)d->effects.count : 0;
    r->confidence *= 1 - THIN_EVIDENCE * thin;
}

Decomposition *stats_decompose(Game *game, const DecomposeOptions *options,
                               const StatsParameters *parameters) {
    assert(options && parameters);
    StatsMethod s = {.d = decomposer_open(game, options), .parameters = parameters};
    if (!s.d)
        return NULL;
    uint32_t fluents = s.d->circuit->fluent_count;
    s.d->weak_effect = parameters->omega;
    s.statistics = statistics_create(game);
    bool **const flags[] = {&s.is_idle, &s.is_spent, &s.is_control, &s.comes_round, &s.is_studied};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = arena_zalloc(&s.arena, fluents + 1);
    s.wait_weights = arena_zalloc(&s.arena, (fluents + 1) * sizeof *s.wait_weights);
    s.move_uses = memory_zalloc((fluents + 1) * sizeof *s.move_uses);
    iterate(&s);
    stats_clear_crossings(&s);
    vectors_free(&s.crossings, &s.preconditions);
    u32_free_lists(s.move_uses, fluents);
    arena_free(&s.arena);
    statistics_free(s.statistics);
    return decomposer_close(s.d);
}
