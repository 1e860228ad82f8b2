/* With a circuit, fluents belong to one clock if the next value of one mentions the other; those
 * that moves drive, and fluents without a circuit, if they repeat with the same period. */
#include "analysis/facts/clocks_parts.h"

#include <string.h>

#include "base/bitset.h"
#include "base/disjoint_sets.h"

typedef struct {
    const Clocks *k;
    const Samples *samples;
    uint32_t *parent; /* by fluent: union-find */
} Parts;

typedef struct {
    uint32_t *input; /* by node: 1 + fluent, else 0 */
    uint32_t *seen;  /* by node: the fluent for which it was visited last, plus 1 */
    Signal *update;  /* by node: of a loop variable, else SIGNAL_NONE */
    U32Vector stack;
} Cones;

static void cones_init(Cones *cones, const Circuit *c) {
    size_t nodes = c->aig.nodes.count;
    cones->input = memory_zalloc(nodes * sizeof *cones->input);
    cones->seen = memory_zalloc(nodes * sizeof *cones->seen);
    cones->update = memory_alloc(nodes * sizeof *cones->update);
    memset(cones->update, 0xff, nodes * sizeof *cones->update);
    cones->stack = (U32Vector){0};
    for (uint32_t f = 0; f < c->fluent_count; f++)
        cones->input[signal_node(c->fluents[f])] = 1 + f;
    for (size_t l = 0; l < c->aig.loops.count; l++)
        for (size_t v = 0; v < c->aig.loops.items[l].variables.count; v++)
            cones->update[c->aig.loops.items[l].variables.items[v]] =
                c->aig.loops.items[l].updates.items[v];
}

static void cones_free(Cones *cones) {
    free(cones->input);
    free(cones->seen);
    free(cones->update);
    vector_free(&cones->stack);
}

/* Joins a fluent of a clock with those its next value depends on. */
static void join_with_support(Parts *p, Cones *cones, uint32_t fluent) {
    const Circuit *c = p->samples->game->circuit;
    vector_push(&cones->stack, signal_node(c->next[fluent]));
    while (cones->stack.count) {
        uint32_t node = vector_pop(&cones->stack);
        if (cones->seen[node] == fluent + 1)
            continue;
        cones->seen[node] = fluent + 1;
        uint32_t input = cones->input[node];
        if (input) {
            if (bitset_get(p->k->fluents, input - 1))
                sets_join(p->parent, fluent, input - 1);
        } else if (cones->update[node] != SIGNAL_NONE) {
            vector_push(&cones->stack, signal_node(cones->update[node]));
        } else if (aig_is_and(&c->aig, node)) {
            vector_push(&cones->stack, signal_node(c->aig.nodes.items[node].a));
            vector_push(&cones->stack, signal_node(c->aig.nodes.items[node].b));
        }
    }
}

static void join_by_circuit(Parts *p) {
    const Clocks *k = p->k;
    Cones cones;
    cones_init(&cones, p->samples->game->circuit);
    for (size_t f = bitset_next(k->fluents, k->words, 0); f != BITSET_END;
         f = bitset_next(k->fluents, k->words, f + 1))
        join_with_support(p, &cones, (uint32_t)f);
    cones_free(&cones);
}

static bool row_holds(const Clocks *k, uint32_t time, uint32_t fluent) {
    return bitset_get(k->history + (size_t)time * k->words, fluent);
}

static bool rows_agree(const Clocks *k, const Clock *clock, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < clock->fluents.count; i++)
        if (row_holds(k, a, clock->fluents.items[i]) != row_holds(k, b, clock->fluents.items[i]))
            return false;
    return true;
}

/* The time `steps` after another, as far as the history or its repetition tells; else `times`. */
static uint32_t later(const Clocks *k, uint32_t time, uint32_t steps) {
    if (time + steps < k->times)
        return time + steps;
    if (k->repeats_from == UINT32_MAX)
        return k->times;
    uint32_t cycle = k->times - k->repeats_from;
    return k->repeats_from + (time + steps - k->repeats_from) % cycle;
}

/* The first time from which the clock repeats with the period; `times` if it never does. */
static uint32_t find_lead(const Clocks *k, const Clock *clock, uint32_t period) {
    uint32_t lead = k->times;
    while (lead > 0) {
        uint32_t then = later(k, lead - 1, period);
        if (then < k->times && !rows_agree(k, clock, lead - 1, then))
            break;
        lead--;
    }
    return lead;
}

/* The shortest period counts. Where the history ends without repeating itself, a clock must have
 * gone round three times to be believed. */
static void find_cycle(const Clocks *k, Clock *clock) {
    bool is_exact = k->repeats_from != UINT32_MAX;
    uint32_t most = is_exact ? k->times - k->repeats_from : k->times / 3;
    for (uint32_t period = 1; period <= most; period++) {
        uint32_t lead = find_lead(k, clock, period);
        if (is_exact ? lead <= k->repeats_from : k->times - lead >= 3 * period) {
            clock->lead = lead;
            clock->period = period;
            return;
        }
    }
}

/* Joins the fluents of the list, or all, that go round with the same period; of those that do not,
 * the ones without a circuit, where nothing else tells counters apart. */
static void join_by_period(Parts *p, const uint8_t *wanted, bool with_chains) {
    const Clocks *k = p->k;
    uint32_t *first_with = memory_alloc((k->times + 1) * sizeof *first_with);
    memset(first_with, 0xff, (k->times + 1) * sizeof *first_with);
    for (size_t f = bitset_next(k->fluents, k->words, 0); f != BITSET_END;
         f = bitset_next(k->fluents, k->words, f + 1)) {
        if (wanted && !wanted[f])
            continue;
        Clock alone = {0};
        vector_push(&alone.fluents, (uint32_t)f);
        find_cycle(k, &alone);
        vector_free(&alone.fluents);
        uint32_t period = alone.period < 2 ? 0 : alone.period;
        if (!period && !with_chains)
            continue;
        if (first_with[period] == UINT32_MAX)
            first_with[period] = (uint32_t)f;
        sets_join(p->parent, first_with[period], (uint32_t)f);
    }
    free(first_with);
}

/* By fluent: whether its next value mentions moves. */
static uint8_t *driven_by_moves(const Circuit *c) {
    uint8_t *depends = circuit_nodes_that_depend_on_moves(c);
    uint8_t *driven = memory_zalloc(c->fluent_count + 1);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        driven[f] = depends[signal_node(c->next[f])];
    free(depends);
    return driven;
}

/* Whether some role has a choice at some values of a cycle and never at others. */
static bool decides_who_chooses(const Samples *s, const Clock *clock) {
    uint8_t *chooses = memory_zalloc((size_t)s->role_count * clock->period);
    for (size_t i = 0; i < s->items.count; i++) {
        uint32_t time = s->items.items[i].time;
        if (time < clock->lead)
            continue;
        for (uint32_t r = 0; r < s->role_count; r++)
            if (samples_choices(s, i, r) > 1)
                chooses[r * clock->period + (time - clock->lead) % clock->period] = 1;
    }
    bool decides = false;
    for (uint32_t r = 0; r < s->role_count; r++)
        for (uint32_t t = 1; t < clock->period; t++)
            decides |= chooses[r * clock->period] != chooses[r * clock->period + t];
    free(chooses);
    return decides;
}

static bool is_premise_of_legal(const Circuit *c, const uint8_t *cone, const Clock *clock) {
    for (size_t i = 0; i < clock->fluents.count; i++)
        if (cone[signal_node(c->fluents[clock->fluents.items[i]])])
            return true;
    return false;
}

/* The cone is that of all legalities; NULL without a circuit. */
static void classify(const Clocks *k, const Samples *s, const uint8_t *cone, Clock *clock) {
    find_cycle(k, clock);
    uint32_t longest = k->is_bounded ? k->times - 1 : s->longest;
    if (clock->period < 2 || clock->lead + clock->period > longest)
        clock->kind = CLOCK_STEPPER;
    else if (cone ? is_premise_of_legal(s->game->circuit, cone, clock)
                  : decides_who_chooses(s, clock))
        clock->kind = CLOCK_CONTROL;
    else
        clock->kind = CLOCK_CYCLE;
}

void clocks_take_apart(Clocks *clocks, const Samples *s) {
    Parts p = {.k = clocks, .samples = s};
    p.parent = memory_alloc((s->fluent_count + 1) * sizeof *p.parent);
    uint32_t *clock_of = memory_alloc((s->fluent_count + 1) * sizeof *clock_of);
    sets_init(p.parent, s->fluent_count);
    if (game_has_circuit(s->game)) {
        uint8_t *driven = driven_by_moves(s->game->circuit);
        join_by_circuit(&p);
        join_by_period(&p, driven, false);
        free(driven);
    } else {
        join_by_period(&p, NULL, true);
    }
    for (size_t f = bitset_next(clocks->fluents, clocks->words, 0); f != BITSET_END;
         f = bitset_next(clocks->fluents, clocks->words, f + 1)) {
        uint32_t root = sets_find(p.parent, (uint32_t)f);
        if (root == f) {
            clock_of[f] = (uint32_t)clocks->items.count;
            vector_push(&clocks->items, (Clock){0});
        }
        vector_push(&clocks->items.items[clock_of[root]].fluents, (uint32_t)f);
    }
    uint8_t *cone = NULL;
    if (game_has_circuit(s->game)) {
        const Circuit *c = s->game->circuit;
        cone = memory_zalloc(c->aig.nodes.count);
        aig_mark_cone(&c->aig, c->legal, c->move_count, cone);
    }
    for (size_t i = 0; i < clocks->items.count; i++)
        classify(clocks, s, cone, &clocks->items.items[i]);
    free(cone);
    free(p.parent);
    free(clock_of);
}
