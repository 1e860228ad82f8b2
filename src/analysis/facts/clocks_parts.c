/* Divides fluents that run by themselves into clocks. With a circuit, two fluents belong to one
 * clock if the next value of one depends on the other. Fluents that moves drive, and all fluents of
 * games without a circuit, belong to one clock if they repeat with the same period. */
#include <assert.h>

#include "analysis/facts/clocks.h"
#include "analysis/facts/influence.h"
#include "base/bitset.h"
#include "base/disjoint_sets.h"

/* Complete cycles that show a period if the history does not repeat itself (untuned). */
enum { MIN_CYCLES = 3 };

typedef struct {
    const Clocks *k;
    const Samples *samples;
    uint32_t *parent; /* by fluent: disjoint sets */
} Parts;

/* Joins each fluent of a clock with those of clocks that its next value depends on. */
static void join_by_circuit(Parts *p) {
    const Clocks *k = p->k;
    const Circuit *c = p->samples->game->circuit;
    Influence *influence = influence_create(c);
    bitset_each(f, k->fluents, k->words) {
        influence_list(influence, &c->next[f], 1);
        const U32Vector *fluents = influence_fluents(influence);
        for (size_t i = 0; i < fluents->count; i++)
            if (bitset_get(k->fluents, fluents->items[i]))
                sets_join(p->parent, (uint32_t)f, fluents->items[i]);
    }
    influence_free(influence);
}

static bool row_holds(const Clocks *k, uint32_t time, uint32_t fluent) {
    assert(time < k->times);
    return bitset_get(k->history + (size_t)time * k->words, fluent);
}

static bool rows_agree(const Clocks *k, const Clock *clock, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < clock->fluents.count; i++)
        if (row_holds(k, a, clock->fluents.items[i]) != row_holds(k, b, clock->fluents.items[i]))
            return false;
    return true;
}

/* Returns the row of the history `steps` after another; `times` if it is not known. */
static uint32_t later(const Clocks *k, uint32_t time, uint32_t steps) {
    if (time + steps < k->times)
        return time + steps;
    if (k->repeats_from == UINT32_MAX)
        return k->times;
    uint32_t cycle = k->times - k->repeats_from;
    return k->repeats_from + (time + steps - k->repeats_from) % cycle;
}

/* Returns the first time from which the clock repeats with the period; `times` if it never does. */
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

/* Finds the shortest period. */
static void find_cycle(const Clocks *k, Clock *clock) {
    bool is_exact = k->repeats_from != UINT32_MAX;
    uint32_t most = is_exact ? k->times - k->repeats_from : k->times / MIN_CYCLES;
    for (uint32_t period = 1; period <= most; period++) {
        uint32_t lead = find_lead(k, clock, period);
        if (is_exact ? lead <= k->repeats_from : k->times - lead >= MIN_CYCLES * period) {
            clock->lead = lead;
            clock->period = period;
            return;
        }
    }
}

/* Joins fluents that repeat with the same period: those whose next values are wanted nodes, or all
 * if `wanted` is NULL. `with_steppers` joins those that never repeat too, if nothing else tells
 * counters apart. */
static void join_by_period(Parts *p, const uint8_t *wanted, bool with_steppers) {
    const Clocks *k = p->k;
    const Circuit *c = p->samples->game->circuit;
    uint32_t *first_with = u32_none(k->times);
    bitset_each(f, k->fluents, k->words) {
        if (wanted && !wanted[signal_node(c->next[f])])
            continue;
        Clock alone = {0};
        vector_push(&alone.fluents, (uint32_t)f);
        find_cycle(k, &alone);
        vector_free(&alone.fluents);
        uint32_t period = alone.period < 2 ? 0 : alone.period;
        if (!period && !with_steppers)
            continue;
        if (first_with[period] == UINT32_MAX)
            first_with[period] = (uint32_t)f;
        sets_join(p->parent, first_with[period], (uint32_t)f);
    }
    free(first_with);
}

/* True if some role has a choice at some values of the cycle and none at the others. */
static bool decides_who_chooses(const Samples *s, const Clock *clock) {
    assert(clock->period > 0);
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

/* Decides the kind of the clock. `cone` marks the nodes under legality; NULL without a circuit. */
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

void clocks_divide(Clocks *clocks, const Samples *s) {
    assert(clocks->items.count == 0);
    Parts p = {.k = clocks, .samples = s};
    p.parent = memory_alloc((s->fluent_count + 1) * sizeof *p.parent);
    uint32_t *clock_of = memory_alloc((s->fluent_count + 1) * sizeof *clock_of);
    sets_init(p.parent, s->fluent_count);
    if (game_has_circuit(s->game)) {
        uint8_t *driven = circuit_nodes_that_depend_on_moves(s->game->circuit);
        join_by_circuit(&p);
        join_by_period(&p, driven, false);
        free(driven);
    } else {
        join_by_period(&p, NULL, true);
    }
    bitset_each(f, clocks->fluents, clocks->words) {
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
    memory_free(cone, p.parent, clock_of);
}
