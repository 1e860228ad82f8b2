/* The directed graph leads from moves to the literals they bring about, and from literals to the
 * moves and the autonomous fluents that need them. The closure is a bit matrix over components. */
#include <assert.h>

#include "analysis/decompose/by_statistics/stats_causes.h"
#include "base/bitset.h"
#include "base/components.h"

enum { MAX_PARTS = 20000 /* greatest number of components; the bit matrix then takes 50 MB */ };

static void add_arc(Causes *k, uint32_t from, uint32_t to) {
    vector_push(&k->edges, ((Edge){from, to}));
}

const uint32_t *causes_beside(const Causes *k, uint32_t move, Effect effect) {
    static const uint32_t none = UINT32_MAX;
    const uint32_t *beside = contexts_of(&k->s->d->contexts, effect_fluent(effect), move);
    return beside ? beside : &none;
}

static void index_effects(Causes *k) {
    Edges edges = {0};
    for (size_t i = 0; i < k->s->d->effects.count; i++) {
        const ActionEffect *e = &k->s->d->effects.items[i];
        vector_push(&edges, ((Edge){e->move, e->effect}));
    }
    graph_build(&k->effects, k->c->move_count, &edges);
    vector_free(&edges);
}

/* Adds arcs from the move to its effects, and from literals beside it in the rules for an effect.
 * `last` has, by literal, 1 + its last move. */
static void add_arcs_of_move(Causes *k, uint32_t move, uint32_t *last) {
    const uint32_t *before = NULL;
    for (uint32_t i = k->effects.starts[move]; i < k->effects.starts[move + 1]; i++) {
        add_arc(k, k->literals + move, k->effects.targets[i]);
        const uint32_t *beside = causes_beside(k, move, k->effects.targets[i]);
        for (const uint32_t *x = beside; beside != before && *x != UINT32_MAX; x++) {
            if (last[*x] != move + 1)
                add_arc(k, *x, k->literals + move);
            last[*x] = move + 1;
        }
        before = beside;
    }
}

static void add_arcs(Causes *k) {
    uint32_t *last = memory_zalloc((k->literals + 1) * sizeof *last);
    index_effects(k);
    for (uint32_t m = 0; m < k->c->move_count; m++)
        add_arcs_of_move(k, m, last);
    free(last);
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
}

/* Computes which components can be reached. The successors of a component come before it. */
static void close_over(Causes *k) {
    k->words = bitset_words(k->parts);
    k->reach = arena_zalloc(&k->arena, (k->parts * k->words + 1) * sizeof *k->reach);
    k->leads_to_moves = arena_zalloc(&k->arena, k->parts + 1);
    Graph members; /* maps components to their vertices */
    Edges edges = {0};
    for (uint32_t v = 0; v < k->vertices; v++)
        vector_push(&edges, ((Edge){k->part[v], v}));
    graph_build(&members, k->parts, &edges);
    vector_free(&edges);
    for (uint32_t i = 0; i < k->vertices; i++) {
        uint32_t v = members.targets[i], p = k->part[v];
        for (uint32_t e = k->out.starts[v]; e < k->out.starts[v + 1]; e++) {
            uint32_t to = k->out.targets[e], q = k->part[to];
            bitset_set(k->reach + p * k->words, q);
            if (q != p)
                bitset_or(k->reach + p * k->words, k->reach + q * k->words, k->words);
            k->leads_to_moves[p] |= to >= k->literals || k->leads_to_moves[q];
        }
    }
    graph_free(&members);
}

bool causes_reach(const Causes *k, uint32_t from, uint32_t to) {
    assert(from < k->vertices && to < k->vertices);
    return bitset_get(k->reach + k->part[from] * k->words, k->part[to]);
}

static void find_hinges(Causes *k) {
    for (uint32_t x = 0; x < k->literals; x++) {
        bool is_initial = k->c->initial[x / 2] == (x & 1);
        bool is_led_to = k->in.starts[x] < k->in.starts[x + 1];
        k->is_hinge[x] = !is_initial && is_led_to && k->leads_to_moves[k->part[x]];
    }
}

bool causes_open(Causes *k, StatsMethod *stats) {
    const Circuit *c = stats->d->circuit;
    *k = (Causes){.s = stats,
                  .c = c,
                  .literals = 2 * c->fluent_count,
                  .vertices = 2 * c->fluent_count + c->move_count};
    add_arcs(k);
    k->part = arena_alloc(&k->arena, (k->vertices + 1) * sizeof *k->part);
    k->parts = components_find(k->vertices, k->out.starts, k->out.targets, k->part);
    if (k->parts > MAX_PARTS)
        return false;
    k->is_hinge = arena_zalloc(&k->arena, k->literals + 1);
    close_over(k);
    find_hinges(k);
    return true;
}

void causes_close(Causes *k) {
    vectors_free(&k->edges, &k->candidates);
    graph_free(&k->out);
    graph_free(&k->in);
    graph_free(&k->effects);
    table_free(&k->known);
    arena_free(&k->arena);
}
