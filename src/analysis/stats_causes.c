/* A directed graph leads from moves to the literals they bring about and from literals to the moves
 * and the self-running fluents that need them. Closures are bit rows over the strongly connected
 * parts. A hinge is a literal that something brings about and that moves lie behind. */
#include "analysis/stats_causes.h"
#include "base/bitset.h"
#include "base/components.h"

enum { PARTS_AT_MOST = 20000 };

/* ---- arcs ---- */

static void add_arc(Causes *k, uint32_t from, uint32_t to) {
    vector_push(&k->edges, ((Edge){from, to}));
}

static int compare_effects(const void *a, const void *b) {
    const ActionEffect *x = a, *y = b;
    uint32_t f = effect_fluent(x->effect), g = effect_fluent(y->effect);
    if (f != g)
        return (f > g) - (f < g);
    return (x->move > y->move) - (x->move < y->move);
}

/* Literals that stand beside these moves in the rules for one fluent. */
static void add_contexts(Causes *k, const ActionEffect *effects, size_t count) {
    Influence *influence = k->s->d->influence;
    influence_forget(influence);
    for (uint32_t lane = 0; lane < count; lane++)
        influence_give_move(influence, lane, effects[lane].move);
    influence_evaluate(influence);
    influence_trace_beside(influence, true);
    const U32Vector *fluents = influence_fluents(influence);
    for (size_t i = 0; i < fluents->count; i++)
        for (int plain = 0; plain < 2; plain++) {
            LaneMask used = influence_used(influence, fluents->items[i], plain);
            for (size_t lane = bitset_next(used.words, LANE_WORDS, 0); lane < count;
                 lane = bitset_next(used.words, LANE_WORDS, lane + 1)) {
                FluentLiteral x = 2 * fluents->items[i] + (uint32_t)plain;
                add_arc(k, x, k->literals + effects[lane].move);
                vector_push(&k->beside, ((Beside){x, effects[lane].move, effects[lane].effect}));
            }
        }
}

static int compare_beside(const void *a, const void *b) {
    const Beside *x = a, *y = b;
    if (x->literal != y->literal)
        return (x->literal > y->literal) - (x->literal < y->literal);
    if (x->move != y->move)
        return (x->move > y->move) - (x->move < y->move);
    return (x->effect > y->effect) - (x->effect < y->effect);
}

static void index_beside(Causes *k) {
    vector_sort(&k->beside, compare_beside);
    k->beside_of = memory_zalloc((k->literals + 2) * sizeof *k->beside_of);
    for (size_t i = 0; i < k->beside.count; i++)
        k->beside_of[k->beside.items[i].literal + 1]++;
    for (uint32_t x = 0; x < k->literals; x++)
        k->beside_of[x + 1] += k->beside_of[x];
}

/* False if time ran out. */
static bool add_effects(Causes *k, Deadline deadline) {
    ActionEffects sorted = {0};
    for (size_t i = 0; i < k->s->d->effects.count; i++) {
        const ActionEffect *e = &k->s->d->effects.items[i];
        add_arc(k, k->literals + e->move, e->effect);
        vector_push(&sorted, *e);
    }
    vector_sort(&sorted, compare_effects);
    bool is_late = false;
    for (size_t first = 0, end; first < sorted.count && !is_late; first = end) {
        uint32_t f = effect_fluent(sorted.items[first].effect);
        for (end = first; end < sorted.count && effect_fluent(sorted.items[end].effect) == f;)
            end++;
        influence_focus(k->s->d->influence, &k->c->next[f], 1);
        for (size_t at = first; at < end; at += LANES)
            add_contexts(k, sorted.items + at, end - at < LANES ? end - at : LANES);
        is_late = deadline_passed(deadline);
    }
    vector_free(&sorted);
    return !is_late;
}

static bool add_arcs(Causes *k, Deadline deadline) {
    if (!add_effects(k, deadline))
        return false;
    index_beside(k);
    for (uint32_t m = 0; m < k->c->move_count; m++)
        for (size_t i = 0; i < k->s->d->legality.premises[m].count; i++)
            add_arc(k, k->s->d->legality.premises[m].items[i], k->literals + m);
    for (size_t i = 0; i < k->s->preconditions.count; i++)
        add_arc(k, k->s->preconditions.items[i].premise, k->s->preconditions.items[i].result);
    Edges reversed = {0};
    for (size_t i = 0; i < k->edges.count; i++)
        vector_push(&reversed, ((Edge){k->edges.items[i].to, k->edges.items[i].from}));
    graph_build(&k->out, k->vertices, &k->edges);
    graph_build(&k->in, k->vertices, &reversed);
    vector_free(&reversed);
    return true;
}

/* ---- closure ---- */

/* Parts are numbered from the end, so what is behind a part is known before it. */
static void close_over(Causes *k) {
    k->words = bitset_words(k->parts);
    k->reach = memory_zalloc((k->parts * k->words + 1) * sizeof *k->reach);
    k->leads_to_moves = memory_zalloc(k->parts + 1);
    uint32_t *members = memory_alloc((k->vertices + 1) * sizeof *members);
    uint32_t *at = memory_zalloc((k->parts + 2) * sizeof *at);
    for (uint32_t v = 0; v < k->vertices; v++)
        at[k->part[v] + 1]++;
    for (uint32_t p = 0; p < k->parts; p++)
        at[p + 1] += at[p];
    for (uint32_t v = 0; v < k->vertices; v++)
        members[at[k->part[v]]++] = v;
    for (uint32_t i = 0; i < k->vertices; i++) {
        uint32_t v = members[i], p = k->part[v];
        for (uint32_t e = k->out.starts[v]; e < k->out.starts[v + 1]; e++) {
            uint32_t to = k->out.targets[e], q = k->part[to];
            bitset_set(k->reach + p * k->words, q);
            if (q != p)
                bitset_or(k->reach + p * k->words, k->reach + q * k->words, k->words);
            k->leads_to_moves[p] |= to >= k->literals || k->leads_to_moves[q];
        }
    }
    free(members);
    free(at);
}

bool causes_reach(const Causes *k, uint32_t from, uint32_t to) {
    return bitset_get(k->reach + k->part[from] * k->words, k->part[to]);
}

static void find_hinges(Causes *k) {
    for (uint32_t x = 0; x < k->literals; x++) {
        bool is_initial = k->c->initial[x / 2] == (x & 1);
        bool is_led_to = k->in.starts[x] < k->in.starts[x + 1];
        k->is_hinge[x] = !is_initial && is_led_to && k->leads_to_moves[k->part[x]];
    }
}

bool causes_open(Causes *k, Stats *stats, Deadline deadline) {
    const Circuit *c = stats->d->circuit;
    *k = (Causes){.s = stats,
                  .c = c,
                  .literals = 2 * c->fluent_count,
                  .vertices = 2 * c->fluent_count + c->move_count};
    if (!add_arcs(k, deadline))
        return false;
    k->part = memory_alloc((k->vertices + 1) * sizeof *k->part);
    k->parts = components_find(k->vertices, k->out.starts, k->out.targets, k->part);
    if (k->parts > PARTS_AT_MOST)
        return false;
    k->is_hinge = memory_zalloc(k->literals + 1);
    close_over(k);
    find_hinges(k);
    return true;
}

void causes_close(Causes *k) {
    vector_free(&k->edges);
    vector_free(&k->candidates);
    vector_free(&k->beside);
    free(k->beside_of);
    graph_free(&k->out);
    graph_free(&k->in);
    table_free(&k->known);
    free(k->part);
    free(k->reach);
    free(k->leads_to_moves);
    free(k->is_hinge);
}
