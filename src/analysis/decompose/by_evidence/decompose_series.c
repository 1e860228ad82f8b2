/* Games in series: one begins when another has ended. The stages are found by time: fluents that
 * change only after others have come to rest, in every match, belong to a later stage. A later
 * stage may depend on the outcome of an earlier one without being one game with it. Counters and
 * turn markers of one stage are recognised by their pace: the same steps, one per turn. */
#include <assert.h>
#include <string.h>

#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"
#include "base/disjoint_sets.h"
#include "base/graph.h"

enum {
    MAX_STRANDS = 600, /* games with more strands are not searched for stages (untuned) */
    MAX_STEPS = 1000,  /* longest counter that is recognised (untuned) */
    MIN_STEPS = 3,     /* shortest counter that is recognised (untuned) */
    /* Watched matches that must reach a stage: half of them plus three standard deviations.
     * Otherwise chance would decide if an event of half of the matches is a stage. */
    MAX_MATCHES = LANES / 2 + 34
};

/* A strand is a set of fluents that moves change together, or a chain of fluents without moves. */
typedef struct {
    U32Vector fluents;
    bool has_actions;
    bool is_runner; /* so far it makes one step per turn without a pause, always the same steps */
    Lanes *changed_before;  /* the matches in which it changed in an earlier turn */
    Lanes *changed_now;     /* the matches in which it changes in this turn */
    bool lasts;             /* it changed twice in some match */
    VECTOR(uint64_t) steps; /* hash of the strand's state after each step */
} Strand;

typedef struct {
    Decomposer *d;
    uint32_t *parent;    /* disjoint sets over vertices */
    uint32_t *strand_of; /* by fluent: its strand; UINT32_MAX if it never changed */
    VECTOR(Strand) strands;
    Lanes *rows;        /* two rows of lanes per strand: changed_before and changed_now */
    uint64_t *precedes; /* bit matrix: [a][b] if strand a changed before or with b */
    size_t words;       /* 64-bit words per row of the matrix */
    uint32_t *pace;     /* by strand and lane: number of steps made */
    uint8_t *rest;      /* by strand and lane: 0 not begun, 1 running, 2 at rest */
    uint32_t *stage;    /* by strand: its stage, from 1 on */
    uint32_t stage_count;
    Arena arena; /* owns all arrays except `rows` */
} Series;

static bool has_no_moves(const Series *s, uint32_t v) {
    if (v >= s->d->circuit->fluent_count)
        return false;
    FluentKind kind = s->d->result->kinds[v];
    return kind == FLUENT_DERIVED || kind == FLUENT_CLOCK;
}

/* One fluent hands over to the other, which becomes true whenever the first becomes false. */
typedef struct {
    uint32_t from, to;
    bool is_seen, is_refuted;
} Handover;

typedef VECTOR(Handover) Handovers;

static bool meet(const Lanes *lanes, const LaneMask *mask) {
    return bitset_overlaps((const uint64_t *)lanes, mask->words, LANE_WORDS);
}

static void watch_handovers(void *context, Observer *observer, const ObservedTurn *turn) {
    Handovers *handovers = context;
    (void)observer;
    for (size_t i = 0; i < handovers->count; i++) {
        Handover *h = &handovers->items[i];
        if (h->is_refuted)
            continue;
        Lanes going = turn->state[h->from] & ~turn->next[h->from];
        Lanes without = going & ~(turn->next[h->to] & ~turn->state[h->to]);
        h->is_seen |= meet(&going, &turn->playing);
        h->is_refuted |= meet(&without, &turn->playing);
    }
}

/* Joins fluents that no move changes and that hand over to each other. */
static void tie_chains(Series *s) {
    Decomposer *d = s->d;
    Handovers handovers = {0};
    for (size_t i = 0; i < d->result->links.count; i++) {
        const DependencyLink *link = &d->result->links.items[i];
        if (link->kind == LINK_PREMISE && has_no_moves(s, link->a) && has_no_moves(s, link->b))
            vector_push(&handovers, ((Handover){link->b, link->a, false, false}));
    }
    ObservedCounts counts = {0};
    Visitor visitor = {watch_handovers, &handovers};
    if (handovers.count)
        observer_play(d->observer, d->options->start, LANES, 0, d->deadline, &visitor, &counts);
    for (size_t i = 0; i < handovers.count; i++)
        if (handovers.items[i].is_seen && !handovers.items[i].is_refuted)
            sets_join(s->parent, handovers.items[i].from, handovers.items[i].to);
    vector_free(&handovers);
}

static void find_strands(Series *s) {
    Decomposer *d = s->d;
    uint32_t fluents = d->circuit->fluent_count;
    sets_init(s->parent, d->vertex_count);
    for (size_t i = 0; i < d->result->links.count; i++)
        if (d->result->links.items[i].kind == LINK_EFFECT)
            sets_join(s->parent, d->result->links.items[i].a, d->result->links.items[i].b);
    tie_chains(s);
    uint32_t *number = u32_none(d->vertex_count);
    for (uint32_t f = 0; f < fluents; f++) {
        FluentKind kind = d->result->kinds[f];
        s->strand_of[f] = UINT32_MAX;
        if (kind == FLUENT_UNSEEN)
            continue;
        uint32_t root = sets_find(s->parent, f);
        if (number[root] == UINT32_MAX) {
            number[root] = (uint32_t)s->strands.count;
            vector_push(&s->strands, (Strand){.is_runner = true});
        }
        Strand *strand = &s->strands.items[number[root]];
        vector_push(&strand->fluents, f);
        strand->has_actions |= kind == FLUENT_ACTED;
        s->strand_of[f] = number[root];
    }
    free(number);
}

static void watch_pace(Series *s, uint32_t a, const ObservedTurn *turn) {
    assert(a < s->strands.count);
    Strand *strand = &s->strands.items[a];
    for (size_t lane = bitset_next(turn->playing.words, LANE_WORDS, 0);
         lane != BITSET_END && strand->is_runner;
         lane = bitset_next(turn->playing.words, LANE_WORDS, lane + 1)) {
        uint8_t *rest = &s->rest[a * LANES + lane];
        if (!bitset_get((const uint64_t *)strand->changed_now, lane)) {
            *rest = *rest ? 2 : 0;
            continue;
        }
        uint64_t hash = 1;
        for (size_t i = 0; i < strand->fluents.count; i++)
            hash = hash_mix(
                hash, bitset_get((const uint64_t *)&turn->next[strand->fluents.items[i]], lane));
        uint32_t step = s->pace[a * LANES + lane]++;
        if (step == strand->steps.count && step < MAX_STEPS)
            vector_push(&strand->steps, hash);
        if (*rest == 2 || step >= MAX_STEPS || strand->steps.items[step] != hash)
            strand->is_runner = false;
        *rest = 1;
    }
}

static void watch_turn(void *context, Observer *observer, const ObservedTurn *turn) {
    Series *s = context;
    (void)observer;
    U32Vector active = {0};
    for (uint32_t a = 0; a < s->strands.count; a++) {
        Strand *strand = &s->strands.items[a];
        LaneMask changed = {{0}};
        for (size_t i = 0; i < strand->fluents.count; i++) {
            Lanes difference =
                turn->state[strand->fluents.items[i]] ^ turn->next[strand->fluents.items[i]];
            bitset_or(changed.words, (const uint64_t *)&difference, LANE_WORDS);
        }
        changed = mask_and(&changed, &turn->playing);
        memcpy(strand->changed_now, &changed, sizeof changed);
        strand->lasts |= meet(strand->changed_before, &changed);
        if (mask_any(&changed))
            vector_push(&active, a);
        if (!strand->has_actions)
            watch_pace(s, a, turn);
    }
    for (size_t i = 0; i < active.count; i++) {
        LaneMask now = mask_of(s->strands.items[active.items[i]].changed_now);
        for (uint32_t b = 0; b < s->strands.count; b++) {
            if (bitset_get(s->precedes + b * s->words, active.items[i]))
                continue;
            Lanes seen = *s->strands.items[b].changed_before | *s->strands.items[b].changed_now;
            if (meet(&seen, &now))
                bitset_set(s->precedes + b * s->words, active.items[i]);
        }
    }
    for (size_t i = 0; i < active.count; i++) {
        Strand *strand = &s->strands.items[active.items[i]];
        *strand->changed_before |= *strand->changed_now;
    }
    vector_free(&active);
}

static void watch(Series *s) {
    size_t count = s->strands.count;
    s->rows = lanes_alloc(2 * count);
    for (size_t a = 0; a < count; a++) {
        s->strands.items[a].changed_before = &s->rows[2 * a];
        s->strands.items[a].changed_now = &s->rows[2 * a + 1];
    }
    s->words = bitset_words(count);
    s->precedes = arena_zalloc(&s->arena, (count * s->words + 1) * sizeof *s->precedes);
    s->pace = arena_zalloc(&s->arena, (count + 1) * LANES * sizeof *s->pace);
    s->rest = arena_zalloc(&s->arena, (count + 1) * LANES);
    ObservedCounts counts = {0};
    Visitor visitor = {watch_turn, s};
    observer_play(s->d->observer, s->d->options->start, LANES, 0, s->d->deadline, &visitor,
                  &counts);
}

/* Finds the strongly connected components of "was seen to change before or with" among strands with
 * moves. The last component is the first in time. */
static uint32_t order_strands(Series *s, uint32_t *part) {
    Edges edges = {0};
    for (uint32_t a = 0; a < s->strands.count; a++)
        for (uint32_t b = 0; b < s->strands.count; b++)
            if (s->strands.items[a].has_actions && s->strands.items[b].has_actions &&
                bitset_get(s->precedes + a * s->words, b))
                vector_push(&edges, ((Edge){a, b}));
    uint32_t parts = graph_components((uint32_t)s->strands.count, &edges, part);
    vector_free(&edges);
    return parts;
}

/* Puts a strand without moves into the first stage that it changes before or with. */
static void place_others(Series *s) {
    for (uint32_t a = 0; a < s->strands.count; a++) {
        if (s->strands.items[a].has_actions)
            continue;
        s->stage[a] = s->stage_count;
        for (uint32_t b = 0; b < s->strands.count; b++)
            if (s->strands.items[b].has_actions && s->stage[b] < s->stage[a] &&
                bitset_get(s->precedes + a * s->words, b))
                s->stage[a] = s->stage[b];
    }
}

/* Marks the stages. A stage has moves, lasts more than a turn and is reached in most matches. */
static void mark_stages(const Series *s, const uint32_t *part, uint32_t parts, bool *is_real) {
    bool *is_begun = memory_zalloc(parts + 1);
    Lanes *reached = lanes_alloc(parts + 1);
    for (size_t a = 0; a < s->strands.count; a++) {
        if (!s->strands.items[a].has_actions)
            continue;
        is_real[part[a]] |= s->strands.items[a].lasts || is_begun[part[a]];
        is_begun[part[a]] = true;
        reached[part[a]] |= *s->strands.items[a].changed_before;
    }
    for (uint32_t p = 0; p < parts; p++)
        is_real[p] &= bitset_count((const uint64_t *)&reached[p], LANE_WORDS) >= MAX_MATCHES;
    memory_free(is_begun, reached);
}

/* Numbers the stages. A component that is no stage belongs to the stage before it. */
static void find_stages(Series *s) {
    uint32_t *part = memory_zalloc((s->strands.count + 1) * sizeof *part);
    uint32_t parts = order_strands(s, part);
    bool *is_real = memory_zalloc(parts + 1);
    mark_stages(s, part, parts, is_real);
    for (uint32_t a = 0; a < s->strands.count; a++) {
        uint32_t stage = 0;
        for (uint32_t p = parts; p-- > part[a];)
            stage += is_real[p];
        s->stage[a] = stage ? stage : 1;
    }
    for (uint32_t p = 0; p < parts; p++)
        s->stage_count += is_real[p];
    place_others(s);
    memory_free(is_real, part);
}

/* True for fluents of a counter or turn marker of one stage. It does not belong to the stage. */
static bool is_runner(const Series *s, uint32_t vertex) {
    if (vertex >= s->d->circuit->fluent_count || s->strand_of[vertex] == UINT32_MAX)
        return false;
    const Strand *strand = &s->strands.items[s->strand_of[vertex]];
    return !strand->has_actions && strand->is_runner && strand->fluents.count > 1 &&
           strand->steps.count >= MIN_STEPS;
}

/* Returns the stage of a fluent, or of the first fluent that a meta-action changes, or 0. */
static uint32_t stage_of(const Series *s, uint32_t vertex) {
    assert(vertex < s->d->vertex_count);
    uint32_t fluents = s->d->circuit->fluent_count;
    if (vertex >= fluents)
        vertex =
            effect_fluent(s->d->result->actions.items[vertex - fluents].effects.items[0].effect);
    uint32_t strand = s->strand_of[vertex];
    return strand == UINT32_MAX ? 0 : s->stage[strand];
}

static void mark_strand(const Series *s, uint32_t f, bool *marks) {
    assert(s->strand_of[f] < s->strands.count);
    const U32Vector *fluents = &s->strands.items[s->strand_of[f]].fluents;
    for (size_t i = 0; i < fluents->count; i++)
        marks[fluents->items[i]] = true;
}

static bool is_proven_clock(const Series *s, uint32_t v) {
    return v < s->d->circuit->fluent_count && s->d->result->kinds[v] == FLUENT_CLOCK;
}

static void cut_links(Series *s) {
    Decomposer *d = s->d;
    for (size_t i = 0; i < d->result->links.count; i++) {
        DependencyLink *link = &d->result->links.items[i];
        uint32_t a = stage_of(s, link->a), b = stage_of(s, link->b);
        bool in_runner = (is_proven_clock(s, link->a) && is_proven_clock(s, link->b)) ||
                         (is_runner(s, link->a) && is_runner(s, link->b) &&
                          s->strand_of[link->a] == s->strand_of[link->b]);
        bool of_runner = is_runner(s, link->a) || is_runner(s, link->b);
        if (link->kind == LINK_EFFECT || ((a == b || !a || !b) && (!of_runner || in_runner)))
            continue;
        link->is_cut = true;
        if (a > b && is_runner(s, link->b))
            mark_strand(s, link->b, d->leads_on);
    }
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        d->stage[f] = stage_of(s, f);
        if (is_runner(s, f))
            d->is_clock[f] = true;
    }
}

void decompose_find_series(Decomposer *d) {
    Series s = {.d = d};
    memset(d->stage, 0, d->circuit->fluent_count * sizeof *d->stage);
    memset(d->leads_on, 0, d->circuit->fluent_count);
    s.parent = arena_alloc(&s.arena, (d->vertex_count + 1) * sizeof *s.parent);
    s.strand_of = arena_alloc(&s.arena, (d->circuit->fluent_count + 1) * sizeof *s.strand_of);
    find_strands(&s);
    s.stage = arena_zalloc(&s.arena, (s.strands.count + 1) * sizeof *s.stage);
    if (s.strands.count > 1 && s.strands.count <= MAX_STRANDS) {
        watch(&s);
        find_stages(&s);
        if (s.stage_count > 1)
            cut_links(&s);
        decomposer_is_late(d);
    }
    for (size_t a = 0; a < s.strands.count; a++)
        vectors_free(&s.strands.items[a].fluents, &s.strands.items[a].steps);
    vector_free(&s.strands);
    free(s.rows);
    arena_free(&s.arena);
}
