/* Evaluates the graph in Kleene's three-valued logic. Loop variables start from false and rise
 * (false < unknown < true) until they agree with their updates, as in the two-valued case. */
#include "circuit/ternary.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

static inline Ternary ternary_and(Ternary a, Ternary b) {
    return (Ternary)(((a | b) & TERNARY_FALSE) | (a & b & TERNARY_TRUE));
}

static void evaluate_range(const Aig *aig, Ternary *values, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        const AigNode *n = &aig->nodes.items[i];
        if (n->a != SIGNAL_NONE)
            values[i] = ternary_and(ternary_of(values, n->a), ternary_of(values, n->b));
    }
}

static void evaluate_loop(const Aig *aig, const AigLoop *loop, Ternary *values) {
    for (size_t v = 0; v < loop->variables.count; v++)
        values[loop->variables.items[v]] = TERNARY_FALSE;
    for (bool changed = true; changed;) {
        changed = false;
        evaluate_range(aig, values, loop->first_node, loop->end_node);
        for (size_t v = 0; v < loop->variables.count; v++) {
            Ternary update = ternary_of(values, loop->updates.items[v]);
            Ternary *variable = &values[loop->variables.items[v]];
            changed |= *variable != update;
            *variable = update;
        }
    }
}

void ternary_evaluate(const Aig *aig, Ternary *values) {
    assert(values);
    uint32_t at = 1;
    values[0] = TERNARY_FALSE;
    for (size_t i = 0; i < aig->loops.count; i++) {
        const AigLoop *loop = &aig->loops.items[i];
        evaluate_range(aig, values, at, loop->first_node);
        evaluate_loop(aig, loop, values);
        at = loop->end_node;
    }
    evaluate_range(aig, values, at, (uint32_t)aig->nodes.count);
}

/* Adds the values that fluents can get in later turns, until nothing changes. */
static void spread(const Circuit *c, Ternary *state) {
    Ternary *values = memory_alloc(c->aig.nodes.count);
    memset(values, TERNARY_UNKNOWN, c->aig.nodes.count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < c->fluent_count; i++)
            if (signal_node(c->fluents[i]) != 0)
                values[signal_node(c->fluents[i])] = state[i];
        ternary_evaluate(&c->aig, values);
        for (uint32_t i = 0; i < c->fluent_count; i++) {
            Ternary joined = state[i] | ternary_of(values, c->next[i]);
            changed |= joined != state[i];
            state[i] = joined;
        }
    }
    free(values);
}

Ternary *ternary_reachable(const Circuit *c) {
    Ternary *state = memory_alloc(c->fluent_count + 1);
    for (uint32_t i = 0; i < c->fluent_count; i++)
        state[i] = c->initial[i] ? TERNARY_TRUE : TERNARY_FALSE;
    spread(c, state);
    return state;
}

Ternary *ternary_reachable_from(const Circuit *c, const uint64_t *words) {
    Ternary *state = memory_alloc(c->fluent_count + 1);
    for (uint32_t i = 0; i < c->fluent_count; i++)
        state[i] = bitset_get(words, i) ? TERNARY_TRUE : TERNARY_FALSE;
    spread(c, state);
    return state;
}

static void map_outputs(Circuit *c, const Signal *map) {
    for (uint32_t i = 0; i < c->fluent_count; i++)
        c->next[i] = signal_mapped(map, c->next[i]);
    for (uint32_t i = 0; i < c->move_count; i++)
        c->legal[i] = signal_mapped(map, c->legal[i]);
    c->terminal = signal_mapped(map, c->terminal);
    for (size_t i = 0; i < c->goals.count; i++)
        c->goals.items[i].signal = signal_mapped(map, c->goals.items[i].signal);
    for (size_t i = 0; i < c->percepts.count; i++)
        c->percepts.items[i].signal = signal_mapped(map, c->percepts.items[i].signal);
}

void circuit_sweep(Circuit *c, bool constants) {
    Ternary *state = constants ? ternary_reachable(c) : NULL;
    U32Vector outputs = {0};
    circuit_outputs(c, &outputs);
    uint8_t *marks = memory_zalloc(c->aig.nodes.count);
    aig_mark_cone(&c->aig, outputs.items, outputs.count, marks);
    vector_free(&outputs);
    Aig swept;
    aig_init(&swept);
    Signal *map = u32_none(c->aig.nodes.count);
    for (uint32_t i = 0; i < c->fluent_count; i++) {
        Signal input = aig_input(&swept);
        bool is_constant = state && state[i] != TERNARY_UNKNOWN;
        Signal value = is_constant ? (Signal)(state[i] == TERNARY_TRUE) : input;
        map[signal_node(c->fluents[i])] = value;
        c->fluents[i] = input;
        c->constant_fluents += is_constant;
    }
    for (uint32_t i = 0; i < c->move_count; i++) {
        Signal input = aig_input(&swept);
        map[signal_node(c->moves[i])] = input;
        c->moves[i] = input;
    }
    aig_copy_marked(&swept, &c->aig, marks, map);
    map_outputs(c, map);
    aig_free(&c->aig);
    c->aig = swept;
    memory_free(map, marks, state);
}
