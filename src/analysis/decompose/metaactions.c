/* For every effect, the moves that cause it are divided by context: the fluents that the effect
 * still depends on once the move is given. A union of smaller sets passes its effects on to them:
 * "a becomes clear" to "b is taken off a" and "c is taken off a". */
#include "analysis/decompose/metaactions.h"

#include <assert.h>
#include <string.h>

#include "analysis/circuit_index.h"

#include "base/bitset.h"

typedef struct {
    uint32_t role;
    Effect effect;
    uint32_t move;
    double probability;
    uint64_t context;    /* hash of the context */
    uint32_t context_at; /* index into Contexts.lists */
    Timing timing;
} Link;

typedef VECTOR(Link) Links;

typedef struct {
    const MetaActionStudy *study;
    Links links;
    uint32_t *role_of; /* by move: its role */
    Table sets;        /* maps a set of moves to its meta-action */
} Finder;

static void free_metaaction(MetaAction *m) {
    vectors_free(&m->moves, &m->effects, &m->contexts, &m->conditions);
}

void metaactions_free(MetaActions *actions) {
    for (size_t i = 0; i < actions->count; i++)
        free_metaaction(&actions->items[i]);
    vector_free(actions);
}

void contexts_free(Contexts *c) {
    table_free(&c->table);
    vectors_free(&c->known, &c->lists);
    *c = (Contexts){0};
}

/* Forgets all contexts if a fluent has changed its kind, because they are then no longer valid. */
static void forget_other_kinds(const MetaActionStudy *s) {
    uint64_t kinds = 1;
    for (uint32_t f = 0; f < s->circuit->fluent_count; f++)
        kinds = hash_mix(kinds, 2U * s->ignored[f] + (!s->by_neighbours && s->clocks[f]));
    if (s->contexts->kinds != kinds)
        contexts_free(s->contexts);
    s->contexts->kinds = kinds;
}

static uint64_t context_key(uint32_t fluent, uint32_t move) {
    return hash_finish(hash_mix(fluent, move));
}

static const KnownContext *find_known(const Contexts *c, uint32_t fluent, uint32_t move) {
    uint32_t id;
    for (TableProbe p = table_probe(&c->table, context_key(fluent, move));
         table_next(&c->table, &p, &id);)
        if (c->known.items[id].fluent == fluent && c->known.items[id].move == move)
            return &c->known.items[id];
    return NULL;
}

const uint32_t *contexts_of(const Contexts *c, uint32_t fluent, uint32_t move) {
    const KnownContext *known = find_known(c, fluent, move);
    return known ? &c->lists.items[known->at] : NULL;
}

/* Number of fluents studied together, because they share gates (untuned). */
enum { BATCH_FLUENTS = 64 };

/* Up to 512 pairs of a fluent and a move that changes it, one per lane. */
typedef struct {
    uint32_t first; /* index in Contexts.known of the first pair; the others follow it */
    size_t count;
    uint64_t hashes[LANES];        /* hash of the literals that tell moves apart */
    uint64_t list_hashes[LANES];   /* hash of all literals in the list */
    ClockReadings readings[LANES]; /* number of clocks among the literals, by kind */
    U32Vector lists[LANES];        /* literals: 2 * fluent + 1 if plain, 2 * fluent if negated */
} Batch;

Timing timing_of(const ClockReadings *r) {
    uint32_t once = r->moments ? r->moments : r->records;
    if (r->rounds || once > 1)
        return TIMING_SWITCH;
    return once ? TIMING_STAMP : TIMING_NONE;
}

static void count_reading(const MetaActionStudy *s, uint32_t clock, ClockReadings *readings) {
    if (s->cyclic[clock])
        readings->rounds++;
    else if (s->lasting[clock])
        readings->records++;
    else
        readings->moments++;
}

/* Counts the clock in all lanes in which the last trace found it. */
static void count_readings(const MetaActionStudy *s, uint32_t clock, Batch *b) {
    LaneMask used = influence_uses(s->influence, clock);
    for (size_t lane = bitset_next(used.words, LANE_WORDS, 0); lane < b->count;
         lane = bitset_next(used.words, LANE_WORDS, lane + 1))
        count_reading(s, clock, &b->readings[lane]);
}

/* Returns the timing by the clocks among the literals. A clock with both signs counts once. */
static Timing timing_of_list(const MetaActionStudy *s, const uint32_t *literals) {
    ClockReadings readings = {0};
    for (uint32_t last = UINT32_MAX; *literals != UINT32_MAX; last = *literals++ / 2)
        if (*literals / 2 != last && s->clocks[*literals / 2] && !s->ignored[*literals / 2])
            count_reading(s, *literals / 2, &readings);
    return timing_of(&readings);
}

/* Adds the fluents found by the last trace to the hashes and lists of the lanes: either the clocks
 * or all other fluents. With `by_neighbours` it adds all of them. */
static void add_contexts(const MetaActionStudy *s, bool clocks, Batch *b) {
    const U32Vector *fluents = influence_fluents(s->influence);
    for (size_t i = 0; i < fluents->count; i++) {
        uint32_t g = fluents->items[i];
        if (!s->by_neighbours && (s->ignored[g] || s->clocks[g] != clocks))
            continue;
        if (!s->by_neighbours && clocks)
            count_readings(s, g, b);
        for (int plain = 0; plain < 2; plain++) {
            LaneMask used = influence_used(s->influence, g, plain);
            uint64_t code = hash_finish(hash_mix(g, 2 + (uint64_t)plain));
            for (size_t lane = bitset_next(used.words, LANE_WORDS, 0); lane < b->count;
                 lane = bitset_next(used.words, LANE_WORDS, lane + 1)) {
                b->hashes[lane] ^= s->ignored[g] ? 0 : code;
                b->list_hashes[lane] ^= code;
                vector_push(&b->lists[lane], 2 * g + (uint32_t)plain);
            }
        }
    }
}

static uint32_t store_list(Contexts *c, const U32Vector *list) {
    uint32_t at = (uint32_t)c->lists.count;
    u32_append(&c->lists, list);
    vector_push(&c->lists, UINT32_MAX);
    return at;
}

static void store_batch(Contexts *c, Batch *b) {
    KnownContext *known = &c->known.items[b->first];
    for (size_t lane = 0; lane < b->count; lane++) {
        size_t like = 0;
        while (b->list_hashes[like] != b->list_hashes[lane])
            like++;
        known[lane].hash = b->hashes[lane];
        known[lane].timing = timing_of(&b->readings[lane]);
        known[lane].at = like < lane ? known[like].at : store_list(c, &b->lists[lane]);
        vector_free(&b->lists[lane]);
    }
}

/* Focuses on the next values of the fluents, each only in the lanes of its own moves. */
static void focus_batch(const MetaActionStudy *s, const KnownContext *known, size_t count) {
    assert(count > 0);
    Signal outputs[BATCH_FLUENTS] = {0};
    uint32_t first_lane[BATCH_FLUENTS + 1], fluents = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        if (lane > 0 && known[lane].fluent == known[lane - 1].fluent)
            continue;
        assert(fluents < BATCH_FLUENTS);
        outputs[fluents] = s->circuit->next[known[lane].fluent];
        first_lane[fluents++] = lane;
    }
    first_lane[fluents] = (uint32_t)count;
    influence_focus(s->influence, outputs, fluents);
    for (uint32_t i = 0; i < fluents; i++)
        influence_confine(s->influence, i, first_lane[i], first_lane[i + 1] - first_lane[i]);
}

static void study_batch(const MetaActionStudy *s, Batch *b) {
    assert(b->count > 0 && b->count <= LANES);
    const KnownContext *known = &s->contexts->known.items[b->first];
    memset(b->hashes, 0, sizeof b->hashes);
    memset(b->list_hashes, 0, sizeof b->list_hashes);
    memset(b->readings, 0, sizeof b->readings);
    focus_batch(s, known, b->count);
    for (uint32_t lane = 0; lane < b->count; lane++)
        influence_give_move(s->influence, lane, known[lane].move);
    influence_evaluate(s->influence);
    if (!s->by_neighbours) {
        influence_trace(s->influence);
        add_contexts(s, false, b);
    }
    influence_trace_beside(s->influence, s->by_neighbours);
    add_contexts(s, true, b);
    store_batch(s->contexts, b);
    b->count = 0;
}

static int compare_by_effect(const void *a, const void *b) {
    const Link *x = a, *y = b;
    if (x->effect != y->effect)
        return (x->effect > y->effect) - (x->effect < y->effect);
    return (x->move > y->move) - (x->move < y->move);
}

static void collect_links(Finder *k, const ActionEffects *effects) {
    for (size_t i = 0; i < effects->count; i++) {
        const ActionEffect *e = &effects->items[i];
        assert(e->move < k->study->circuit->move_count);
        vector_push(&k->links, ((Link){.role = k->role_of[e->move],
                                       .effect = e->effect,
                                       .move = e->move,
                                       .probability = e->probability}));
    }
    vector_sort(&k->links, compare_by_effect);
}

/* Studies the pairs that are not known yet. A pair occurs twice if the move can make the fluent
 * true and false. Returns false if time ran out. */
static bool study_links(const MetaActionStudy *s, const Links *links) {
    Contexts *c = s->contexts;
    Batch *batch = memory_zalloc(sizeof *batch);
    uint32_t last = UINT32_MAX;
    size_t fluents = 0;
    bool in_time = true;
    for (size_t i = 0; i < links->count && in_time; i++) {
        uint32_t f = effect_fluent(links->items[i].effect), move = links->items[i].move;
        if (find_known(c, f, move))
            continue;
        bool is_full = batch->count == LANES || (f != last && fluents == BATCH_FLUENTS);
        if (is_full)
            study_batch(s, batch);
        fluents = is_full ? 1 : fluents + (f != last);
        last = f;
        uint32_t id = (uint32_t)c->known.count;
        batch->first = batch->count ? batch->first : id;
        batch->count++;
        table_insert(&c->table, context_key(f, move), id);
        vector_push(&c->known, ((KnownContext){.fluent = f, .move = move}));
        in_time = !is_full || !deadline_passed(s->deadline);
    }
    if (batch->count)
        study_batch(s, batch);
    free(batch);
    return in_time;
}

/* Finds the context of every link. False if time ran out. */
static bool study_effects(Finder *k) {
    if (!study_links(k->study, &k->links))
        return false;
    const MetaActionStudy *s = k->study;
    for (size_t i = 0; i < k->links.count; i++) {
        Link *link = &k->links.items[i];
        const KnownContext *known =
            find_known(s->contexts, effect_fluent(link->effect), link->move);
        assert(known);
        link->context = known->hash;
        link->context_at = known->at;
        link->timing = s->by_neighbours ? timing_of_list(s, &s->contexts->lists.items[known->at])
                                        : known->timing;
    }
    return true;
}

static int compare_links(const void *a, const void *b) {
    const Link *x = a, *y = b;
    if (x->role != y->role)
        return (x->role > y->role) - (x->role < y->role);
    if (x->effect != y->effect)
        return (x->effect > y->effect) - (x->effect < y->effect);
    if (x->context != y->context)
        return (x->context > y->context) - (x->context < y->context);
    return (x->move > y->move) - (x->move < y->move);
}

static bool same_set(const Link *x, const Link *y) {
    return x->role == y->role && x->effect == y->effect && x->context == y->context;
}

/* Returns the meta-action with the moves of the links, which is created if there is none. */
static MetaAction *meta_action_of(Finder *k, MetaActions *found, const Link *links, size_t count) {
    uint64_t hash = links[0].role;
    for (size_t i = 0; i < count; i++)
        hash = hash_mix(hash, links[i].move);
    hash = hash_finish(hash);
    uint32_t id;
    for (TableProbe p = table_probe(&k->sets, hash); table_next(&k->sets, &p, &id);) {
        const U32Vector *moves = &found->items[id].moves;
        size_t i = 0;
        while (moves->count == count && i < count && moves->items[i] == links[i].move)
            i++;
        if (i == count && moves->count == count)
            return &found->items[id];
    }
    MetaAction made = {.role = links[0].role};
    for (size_t i = 0; i < count; i++)
        vector_push(&made.moves, links[i].move);
    table_insert(&k->sets, hash, (uint32_t)found->count);
    vector_push(found, made);
    return &vector_last(found);
}

static void add_link_set(Finder *k, MetaActions *found, const Link *links, size_t count) {
    assert(count > 0);
    MetaAction *m = meta_action_of(k, found, links, count);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += links[i].probability;
    vector_push(&m->effects,
                ((WeighedEffect){links[0].effect, sum / (double)count, links[0].timing}));
    vector_push(&m->contexts, ((WeighedContext){links[0].context_at, sum / (double)count}));
}

/* Replaces the contexts of meta-actions, which are indices of lists while sets are made, by the
 * fluents of these lists, each with its greatest weight. */
static void read_context_lists(Finder *k, MetaActions *found) {
    const U32Vector *lists = &k->study->contexts->lists;
    double *weights = memory_zalloc((k->study->circuit->fluent_count + 1) * sizeof *weights);
    U32Vector fluents = {0};
    for (size_t i = 0; i < found->count; i++) {
        MetaAction *m = &found->items[i];
        vector_clear(&fluents);
        for (size_t c = 0; c < m->contexts.count; c++)
            for (const uint32_t *x = &lists->items[m->contexts.items[c].fluent]; *x != UINT32_MAX;
                 x++) {
                uint32_t f = *x / 2;
                if (k->study->ignored[f])
                    continue;
                if (weights[f] == 0)
                    vector_push(&fluents, f);
                if (m->contexts.items[c].weight > weights[f])
                    weights[f] = m->contexts.items[c].weight;
            }
        vector_clear(&m->contexts);
        for (size_t c = 0; c < fluents.count; c++) {
            vector_push(&m->contexts,
                        ((WeighedContext){fluents.items[c], weights[fluents.items[c]]}));
            weights[fluents.items[c]] = 0;
        }
    }
    vector_free(&fluents);
    free(weights);
}

typedef struct {
    MetaActions *found;
    U32Vector *sets_of_move; /* by move: the kept meta-actions that contain it */
    uint32_t *hits;          /* by meta-action: number of moves it shares with the current one */
    U32Vector touched;
    uint32_t *covered; /* by move: 1 + the last meta-action whose subsets covered it */
} Unions;

static int compare_sizes(const void *a, const void *b) {
    const MetaAction *x = a, *y = b;
    if (x->moves.count != y->moves.count)
        return (x->moves.count > y->moves.count) - (x->moves.count < y->moves.count);
    return (x->moves.items[0] > y->moves.items[0]) - (x->moves.items[0] < y->moves.items[0]);
}

/* Leaves in `touched` the kept proper subsets of this set. True if it is their union. */
static bool is_union(Unions *u, uint32_t id) {
    const MetaAction *m = &u->found->items[id];
    vector_clear(&u->touched);
    for (size_t i = 0; i < m->moves.count; i++) {
        const U32Vector *sets = &u->sets_of_move[m->moves.items[i]];
        for (size_t s = 0; s < sets->count; s++)
            if (u->hits[sets->items[s]]++ == 0)
                vector_push(&u->touched, sets->items[s]);
    }
    size_t covered = 0, parts = 0;
    for (size_t t = 0; t < u->touched.count; t++) {
        uint32_t part = u->touched.items[t];
        const U32Vector *moves = &u->found->items[part].moves;
        bool inside = u->hits[part] == moves->count && moves->count < m->moves.count;
        u->hits[part] = 0;
        if (!inside)
            continue;
        u->touched.items[parts++] = part;
        for (size_t i = 0; i < moves->count; i++)
            if (u->covered[moves->items[i]] != id + 1) {
                u->covered[moves->items[i]] = id + 1;
                covered++;
            }
    }
    u->touched.count = parts;
    return covered == m->moves.count;
}

static void hand_over(MetaAction *from, MetaAction *to) {
    vector_append(&to->effects, from->effects.items, from->effects.count);
    vector_append(&to->contexts, from->contexts.items, from->contexts.count);
}

static void dissolve_unions(MetaActions *found, uint32_t move_count) {
    Unions u = {.found = found,
                .sets_of_move = memory_zalloc((move_count + 1) * sizeof *u.sets_of_move),
                .hits = memory_zalloc((found->count + 1) * sizeof *u.hits),
                .covered = memory_zalloc((move_count + 1) * sizeof *u.covered)};
    vector_sort(found, compare_sizes);
    bool *dropped = memory_zalloc(found->count + 1);
    for (uint32_t id = 0; id < found->count; id++) {
        MetaAction *m = &found->items[id];
        dropped[id] = is_union(&u, id);
        if (dropped[id]) {
            for (size_t t = 0; t < u.touched.count; t++)
                hand_over(m, &found->items[u.touched.items[t]]);
            continue;
        }
        for (size_t i = 0; i < m->moves.count; i++)
            vector_push(&u.sets_of_move[m->moves.items[i]], id);
    }
    size_t kept = 0;
    for (size_t id = 0; id < found->count; id++) {
        if (dropped[id])
            free_metaaction(&found->items[id]);
        else
            found->items[kept++] = found->items[id];
    }
    found->count = kept;
    u32_free_lists(u.sets_of_move, move_count);
    vector_free(&u.touched);
    memory_free(u.hits, u.covered, dropped);
}

/* True if a clock switches an effect, or if all effects are time stamps. */
static bool is_ruled_by_time(const MetaAction *m) {
    bool is_timed = false, has_other = false;
    for (size_t i = 0; i < m->effects.count; i++) {
        if (m->effects.items[i].timing == TIMING_SWITCH)
            return true;
        is_timed |= m->effects.items[i].timing == TIMING_STAMP;
        has_other |= m->effects.items[i].timing == TIMING_NONE;
    }
    return is_timed && !has_other;
}

static void drop_time_stamps(MetaActions *found, const bool *clocks) {
    for (size_t i = 0; i < found->count; i++)
        if (is_ruled_by_time(&found->items[i]))
            return; /* time belongs to the game */
    for (size_t i = 0; i < found->count; i++) {
        MetaAction *m = &found->items[i];
        size_t kept = 0;
        for (size_t k = 0; k < m->contexts.count; k++)
            if (!clocks[m->contexts.items[k].fluent])
                m->contexts.items[kept++] = m->contexts.items[k];
        m->contexts.count = kept;
    }
}

static void make_sets(Finder *k, MetaActions *found) {
    vector_sort(&k->links, compare_links);
    for (size_t first = 0, end; first < k->links.count; first = end) {
        for (end = first;
             end < k->links.count && same_set(&k->links.items[first], &k->links.items[end]);)
            end++;
        add_link_set(k, found, k->links.items + first, end - first);
    }
    dissolve_unions(found, k->study->circuit->move_count);
    read_context_lists(k, found);
    drop_time_stamps(found, k->study->clocks);
}

bool metaactions_find(const MetaActionStudy *study, const ActionEffects *effects,
                      MetaActions *found) {
    assert(found->count == 0);
    Finder k = {.study = study};
    k.role_of = circuit_roles_of_moves(study->circuit);
    forget_other_kinds(study);
    collect_links(&k, effects);
    bool all_known = study_effects(&k);
    if (all_known)
        make_sets(&k, found);
    vector_free(&k.links);
    table_free(&k.sets);
    free(k.role_of);
    return all_known;
}

/* Drops literals that make the move illegal. They occur only in conditions that forbid the move. */
static void drop_contradictions(Influence *influence, Signal legal, U32Vector *literals) {
    size_t kept = 0;
    for (size_t first = 0; first < literals->count; first += LANES) {
        size_t count = literals->count - first < LANES ? literals->count - first : LANES;
        influence_forget(influence);
        for (uint32_t lane = 0; lane < count; lane++) {
            uint32_t literal = literals->items[first + lane];
            influence_give_fluent(influence, lane, literal / 2, literal & 1);
        }
        influence_evaluate(influence);
        LaneMask possible = influence_may_be(influence, legal, true);
        for (uint32_t lane = 0; lane < count; lane++)
            if (bitset_get(possible.words, lane))
                literals->items[kept++] = literals->items[first + lane];
    }
    literals->count = kept;
}

static void find_premises(Influence *influence, Signal legal, U32Vector *literals) {
    influence_focus(influence, &legal, 1);
    influence_evaluate(influence);
    influence_trace(influence);
    const U32Vector *fluents = influence_fluents(influence);
    for (size_t i = 0; i < fluents->count; i++)
        for (uint32_t plain = 0; plain < 2; plain++) {
            LaneMask used = influence_used(influence, fluents->items[i], plain);
            if (bitset_get(used.words, 0))
                vector_push(literals, 2 * fluents->items[i] + plain);
        }
    drop_contradictions(influence, legal, literals);
    vector_sort(literals, u32_compare);
}

Legality legality_study(const Circuit *c, Influence *influence, Deadline deadline) {
    Legality l = {.move_count = c->move_count, .is_complete = true};
    l.premises = memory_zalloc((c->move_count + 1) * sizeof *l.premises);
    for (uint32_t m = 0; m < c->move_count && l.is_complete; m++) {
        find_premises(influence, c->legal[m], &l.premises[m]);
        l.is_complete = !deadline_passed(deadline);
    }
    return l;
}

void legality_free(Legality *l) {
    u32_free_lists(l->premises, l->move_count);
}

typedef struct {
    const Legality *legality;
    const bool *ignored;
    uint32_t *shares; /* by literal: number of moves of the current meta-action that need it */
    U32Vector seen;   /* literals with a nonzero share */
} Conditions;

/* Fills in the premises that all moves of the meta-action have in common. */
static void find_conditions(const Conditions *k, MetaAction *m) {
    assert(m->moves.count);
    U32Vector common = {0};
    const U32Vector *first = &k->legality->premises[m->moves.items[0]];
    for (size_t i = 0; i < first->count; i++)
        if (!k->ignored[first->items[i] / 2])
            vector_push(&common, first->items[i]);
    for (size_t i = 1; i < m->moves.count && common.count; i++)
        u32_intersect(&common, &k->legality->premises[m->moves.items[i]]);
    vector_clear(&m->conditions);
    for (size_t i = 0; i < common.count; i++)
        if (!m->conditions.count || vector_last(&m->conditions) != common.items[i] / 2)
            vector_push(&m->conditions, common.items[i] / 2);
    vector_free(&common);
}

/* Returns the premise that most of the moves have; UINT32_MAX if they have no premises. */
static uint32_t most_shared_literal(Conditions *k, const MetaAction *m) {
    uint32_t best = UINT32_MAX;
    for (size_t i = 0; i < m->moves.count; i++) {
        const U32Vector *premises = &k->legality->premises[m->moves.items[i]];
        for (size_t p = 0; p < premises->count; p++) {
            uint32_t literal = premises->items[p];
            if (k->ignored[literal / 2])
                continue;
            if (k->shares[literal]++ == 0)
                vector_push(&k->seen, literal);
            if (best == UINT32_MAX || k->shares[literal] > k->shares[best])
                best = literal;
        }
    }
    for (size_t i = 0; i < k->seen.count; i++)
        k->shares[k->seen.items[i]] = 0;
    vector_clear(&k->seen);
    return best;
}

/* Splits off the moves with the premise as a meta-action of their own, with the same effects. */
static MetaAction split_off(const Conditions *k, MetaAction *from, uint32_t literal) {
    MetaAction part = {.role = from->role};
    size_t kept = 0;
    for (size_t i = 0; i < from->moves.count; i++) {
        uint32_t move = from->moves.items[i];
        if (u32_sorted_contains(&k->legality->premises[move], literal))
            vector_push(&part.moves, move);
        else
            from->moves.items[kept++] = move;
    }
    from->moves.count = kept;
    hand_over(from, &part);
    return part;
}

void metaactions_find_conditions(MetaActions *actions, const Legality *legality,
                                 const bool *ignored, uint32_t fluent_count) {
    Conditions k = {legality, ignored, NULL, {0}};
    k.shares = memory_zalloc((2 * (size_t)fluent_count + 2) * sizeof *k.shares);
    for (size_t i = 0; i < actions->count; i++) {
        find_conditions(&k, &actions->items[i]);
        while (actions->items[i].conditions.count == 0 && actions->items[i].moves.count > 1) {
            uint32_t literal = most_shared_literal(&k, &actions->items[i]);
            if (literal == UINT32_MAX)
                break;
            MetaAction part = split_off(&k, &actions->items[i], literal);
            find_conditions(&k, &part);
            if (actions->items[i].moves.count == 0) {
                free_metaaction(&actions->items[i]);
                actions->items[i] = part;
                break;
            }
            vector_push(actions, part);
            find_conditions(&k, &actions->items[i]);
        }
    }
    free(k.shares);
    vector_free(&k.seen);
}
