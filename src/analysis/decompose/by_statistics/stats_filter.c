/* Filters that tell causes from coincidences among the effects that occurred when a move was
 * played. A move with which a role waits has no effects. The rules must state or imply the effect.
 * Effects that always occur together have the same causes. The likelier of two moves in a joint
 * move is the cause. Effects of every first turn have no cause. */
#include <assert.h>
#include <string.h>

#include "analysis/circuit_index.h"
#include "analysis/decompose/by_statistics/stats_internal.h"
#include "base/bitset.h"
#include "base/graph.h"

/* Number of moves of a role in the rules for next(f), by sign. */
typedef struct {
    uint32_t plain, negated; /* moves that occur without and with a negation */
} RoleUse;

typedef struct {
    StatsMethod *s;
    Statistics *statistics;
    const Circuit *c;
    uint32_t *role_of;     /* by move: its role */
    RoleUse *uses;         /* by role, for the current fluent */
    uint8_t *signs;        /* by move, for the fluent: bit 0 if plain, bit 1 if negated */
    uint32_t *responsible; /* by fluent: number of pairs that no filter has rejected */
    bool *is_opening;      /* by effect: it occurs in all first transitions and in no other */
    Graph by_effect;       /* maps effects to indices of pairs */
    Arena arena;           /* owns all arrays except role_of */
} Filter;

/* Notes that the move of the pair is not responsible for the effect. */
static void reject(Filter *k, EffectPair *pair) {
    if (pair->probability > 0)
        k->responsible[effect_fluent(pair->effect)]--;
    pair->probability = 0;
}

static bool is_wait(const Filter *k, uint32_t move) {
    assert(move < k->c->move_count);
    return k->statistics->wait[k->role_of[move]] == move;
}

/* Finds how moves occur in the rules of up to 512 fluents, each in a lane of its own. */
static void study_uses(StatsMethod *s, const uint32_t *fluents, uint32_t count) {
    assert(count > 0 && count <= LANES);
    Influence *influence = s->d->influence;
    Signal outputs[LANES] = {0};
    for (uint32_t i = 0; i < count; i++) {
        outputs[i] = s->d->circuit->next[fluents[i]];
        s->is_studied[fluents[i]] = true;
    }
    influence_focus(influence, outputs, count);
    for (uint32_t i = 0; i < count; i++)
        influence_confine(influence, i, i, 1);
    influence_evaluate(influence);
    influence_trace(influence);
    const U32Vector *moves = influence_moves(influence);
    for (size_t i = 0; i < moves->count; i++) {
        LaneMask plain = influence_used_move(influence, moves->items[i], true);
        LaneMask negated = influence_used_move(influence, moves->items[i], false);
        for (uint32_t lane = 0; lane < count; lane++) {
            uint32_t signs = (uint32_t)bitset_get(plain.words, lane) |
                             (uint32_t)bitset_get(negated.words, lane) << 1;
            if (signs)
                vector_push(&s->move_uses[fluents[lane]], 4 * moves->items[i] + signs);
        }
    }
}

/* Studies the fluents that were seen to change and are not studied yet. */
static void study_new_fluents(Filter *k) {
    const Statistics *s = k->statistics;
    uint32_t fluents[LANES], count = 0;
    for (uint32_t f = 0; f < k->c->fluent_count; f++) {
        if (k->s->is_studied[f] || !statistics_changed(s, f))
            continue;
        fluents[count++] = f;
        if (count < LANES)
            continue;
        study_uses(k->s, fluents, count);
        count = 0;
    }
    if (count)
        study_uses(k->s, fluents, count);
}

static void recall_rules(Filter *k, uint32_t f, bool *only_waits) {
    const U32Vector *uses = &k->s->move_uses[f];
    memset(k->uses, 0, k->c->role_count * sizeof *k->uses);
    *only_waits = true;
    for (size_t i = 0; i < uses->count; i++) {
        uint32_t m = uses->items[i] / 4;
        k->signs[m] = uses->items[i] & 3;
        k->uses[k->role_of[m]].plain += k->signs[m] & 1;
        k->uses[k->role_of[m]].negated += k->signs[m] >> 1;
        *only_waits &= is_wait(k, m);
    }
}

static void forget_rules(Filter *k, uint32_t f) {
    for (size_t i = 0; i < k->s->move_uses[f].count; i++)
        k->signs[k->s->move_uses[f].items[i] / 4] = 0;
}

bool stats_rules_allow(bool appears, bool plain, bool negated, uint32_t other_plain,
                       uint32_t other_negated) {
    return appears ? plain || other_negated : negated || other_plain;
}

static bool is_allowed(const Filter *k, const EffectPair *pair) {
    uint8_t sign = k->signs[pair->move];
    const RoleUse *use = &k->uses[k->role_of[pair->move]];
    return stats_rules_allow(pair->effect & 1, sign & 1, sign >> 1, use->plain - (sign & 1),
                             use->negated - (sign >> 1));
}

static void filter_by_rules(Filter *k, bool alternates) {
    Statistics *s = k->statistics;
    study_new_fluents(k);
    for (size_t first = 0, end; first < s->pairs.count; first = end) {
        uint32_t f = effect_fluent(s->pairs.items[k->by_effect.targets[first]].effect);
        bool only_waits;
        recall_rules(k, f, &only_waits);
        for (end = first; end < s->pairs.count &&
                          effect_fluent(s->pairs.items[k->by_effect.targets[end]].effect) == f;
             end++) {
            EffectPair *pair = &s->pairs.items[k->by_effect.targets[end]];
            bool waits = alternates && (only_waits || is_wait(k, pair->move));
            if (waits || !is_allowed(k, pair))
                reject(k, pair);
        }
        forget_rules(k, f);
    }
}

/* Rejects effects of all first turns and no others. In games of few turns this says nothing. */
static void filter_openings(Filter *k) {
    Statistics *s = k->statistics;
    if (2 * s->first_transitions > s->transitions)
        return;
    for (Effect x = 0; x < 2 * k->c->fluent_count; x++)
        k->is_opening[x] = s->of_effect[x].count && s->first_count[x] == s->first_transitions &&
                           s->of_effect[x].count == s->first_transitions;
    for (size_t i = 0; i < s->pairs.count; i++)
        if (k->is_opening[s->pairs.items[i].effect])
            reject(k, &s->pairs.items[i]);
}

/* True if another effect always occurs with this one and the move is not responsible for it. */
static bool lacks_companion(const Filter *k, const EffectPair *pair) {
    const Companions *all = &k->statistics->of_effect[pair->effect];
    if (all->count <= k->s->parameters->psi)
        return false;
    for (size_t i = 0; i < all->together.count; i++) {
        Effect g = all->together.items[i];
        bool counts = g != pair->effect && k->responsible[effect_fluent(g)] && !k->is_opening[g];
        if (counts && statistics_probability(k->statistics, pair->move, g) <= 0)
            return true;
    }
    return false;
}

static void filter_by_companions(Filter *k) {
    Statistics *s = k->statistics;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < s->pairs.count; i++) {
            EffectPair *pair = &s->pairs.items[i];
            if (pair->probability <= 0 || !lacks_companion(k, pair))
                continue;
            reject(k, pair);
            changed = true;
        }
    }
}

/* True if another effect of the move, often enough together with this one, confirms the pair. */
static bool is_confirmed_by(const Filter *k, const EffectPair *pair, const Companions *c,
                            uint32_t more_than) {
    if (c->count <= more_than)
        return false;
    for (size_t i = 0; i < c->together.count; i++)
        if (c->together.items[i] != pair->effect &&
            statistics_probability(k->statistics, pair->move, c->together.items[i]) > 0)
            return true;
    return false;
}

static void filter_joint_moves(Filter *k) {
    Statistics *s = k->statistics;
    bool *loses = memory_zalloc(s->pairs.count + 1);
    for (size_t i = 0; i < s->joint_effects.count; i++) {
        const JointEffect *e = &s->joint_effects.items[i];
        const uint32_t *moves = s->joint_moves.items + (size_t)e->joint * s->role_count;
        double most = 0;
        for (uint32_t r = 0; r < s->role_count; r++) {
            double p = statistics_probability(s, moves[r], e->effect);
            most = p > most ? p : most;
        }
        for (uint32_t r = 0; r < s->role_count && most > 0; r++) {
            const EffectPair *pair = statistics_pair(s, moves[r], e->effect);
            assert(pair);
            if (pair->probability > 0 && most >= k->s->parameters->phi * pair->probability)
                loses[pair - s->pairs.items] = true;
        }
    }
    for (size_t i = 0; i < s->pairs.count; i++)
        if (loses[i])
            reject(k, &s->pairs.items[i]);
    free(loses);
}

/* Sorts the pairs by their effects. */
static void sort_pairs(Filter *k) {
    Edges edges = {0};
    for (uint32_t i = 0; i < k->statistics->pairs.count; i++)
        vector_push(&edges, ((Edge){k->statistics->pairs.items[i].effect, i}));
    graph_build(&k->by_effect, 2 * k->c->fluent_count, &edges);
    vector_free(&edges);
}

static void filter_open(Filter *k, StatsMethod *stats) {
    const Circuit *c = stats->d->circuit;
    *k = (Filter){.s = stats, .statistics = stats->statistics, .c = c};
    k->role_of = circuit_roles_of_moves(c);
    k->uses = arena_zalloc(&k->arena, (c->role_count + 1) * sizeof *k->uses);
    k->signs = arena_zalloc(&k->arena, c->move_count + 1);
    k->responsible = arena_zalloc(&k->arena, (c->fluent_count + 1) * sizeof *k->responsible);
    k->is_opening = arena_zalloc(&k->arena, 2 * (size_t)c->fluent_count + 1);
    sort_pairs(k);
    for (size_t i = 0; i < k->statistics->pairs.count; i++)
        k->responsible[effect_fluent(k->statistics->pairs.items[i].effect)] +=
            k->statistics->pairs.items[i].probability > 0;
}

/* Fills in the idle and spent fluents and the effects. */
static void take_results(Filter *k) {
    StatsMethod *stats = k->s;
    const Statistics *s = k->statistics;
    for (uint32_t f = 0; f < k->c->fluent_count; f++) {
        stats->is_idle[f] = statistics_changed(s, f) && !k->responsible[f];
        stats->is_spent[f] = stats->is_idle[f];
        for (Effect x = 2 * f; x < 2 * f + 2; x++)
            stats->is_spent[f] &= !s->of_effect[x].count || k->is_opening[x];
        stats->is_spent[f] |= stats->is_idle[f] && k->c->next[f] == SIGNAL_FALSE;
    }
    vector_clear(&stats->d->effects);
    stats->unconfirmed = 0;
    for (size_t i = 0; i < s->pairs.count; i++) {
        const EffectPair *pair = &s->pairs.items[i];
        if (pair->probability <= 0)
            continue;
        vector_push(&stats->d->effects,
                    ((ActionEffect){pair->move, pair->effect, pair->probability}));
        stats->unconfirmed +=
            !is_confirmed_by(k, pair, &s->of_effect[pair->effect], stats->parameters->psi) &&
            !is_confirmed_by(k, pair, &pair->companions, stats->parameters->theta);
    }
}

void stats_filter(StatsMethod *stats) {
    Filter k;
    statistics_weigh(stats->statistics);
    filter_open(&k, stats);
    bool alternates = statistics_alternates(stats->statistics);
    stats_weigh_controls(stats);
    filter_by_rules(&k, alternates);
    filter_openings(&k);
    filter_by_companions(&k);
    filter_joint_moves(&k);
    take_results(&k);
    graph_free(&k.by_effect);
    free(k.role_of);
    arena_free(&k.arena);
}
