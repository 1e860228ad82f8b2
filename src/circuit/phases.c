/* A fluent qualifies if its next value depends on no move and only on a few fluents that have the
 * same property. These few are simulated from the initial state until they return to it. */
#include "circuit/phases.h"

#include <assert.h>
#include <string.h>

enum { MAX_CLOSURE = 16, MAX_CONE = 2000 }; /* fluents; nodes visited per fluent (untuned) */

typedef struct {
    const Circuit *c;
    const uint8_t *depends;
    uint32_t *fluent_of_node; /* by node: the fluent that is this input; UINT32_MAX if none */
    uint32_t *seen;           /* by node: stamp of the last visit */
    uint32_t stamp;
    uint8_t *values;     /* by node */
    uint32_t *evaluated; /* by node: the evaluation in which its value was computed */
    uint32_t evaluation;
} Search;

/* Adds the fluents that a signal depends on. False if it depends on too many fluents or gates. */
static bool add_support(Search *s, Signal signal, U32Vector *closure) {
    U32Vector stack = {0};
    size_t visited = 0;
    s->stamp++;
    vector_push(&stack, signal_node(signal));
    while (stack.count && visited < MAX_CONE && closure->count <= MAX_CLOSURE) {
        uint32_t node = vector_pop(&stack);
        if (s->seen[node] == s->stamp)
            continue;
        s->seen[node] = s->stamp;
        visited++;
        uint32_t fluent = s->fluent_of_node[node];
        if (fluent != UINT32_MAX && !u32_contains(closure, fluent))
            vector_push(closure, fluent);
        if (aig_is_and(&s->c->aig, node)) {
            vector_push(&stack, signal_node(s->c->aig.nodes.items[node].a));
            vector_push(&stack, signal_node(s->c->aig.nodes.items[node].b));
        }
    }
    bool complete = stack.count == 0;
    vector_free(&stack);
    return complete && closure->count <= MAX_CLOSURE;
}

static bool close_under_dependency(Search *s, uint32_t fluent, U32Vector *closure) {
    vector_push(closure, fluent);
    for (size_t i = 0; i < closure->count; i++) {
        Signal next = s->c->next[closure->items[i]];
        if (s->depends[signal_node(next)] || !add_support(s, next, closure))
            return false;
    }
    return true;
}

/* Evaluates each node at most once, however many paths lead to it. */
static bool evaluate(Search *s, Signal signal, const U32Vector *closure, const bool *state) {
    uint32_t node = signal_node(signal);
    bool value = false;
    if (s->evaluated[node] == s->evaluation) {
        value = s->values[node];
    } else if (s->fluent_of_node[node] != UINT32_MAX) {
        for (size_t i = 0; i < closure->count; i++)
            if (closure->items[i] == s->fluent_of_node[node])
                value = state[i];
    } else if (node != 0) {
        const AigNode *n = &s->c->aig.nodes.items[node];
        value = evaluate(s, n->a, closure, state) && evaluate(s, n->b, closure, state);
    }
    s->evaluated[node] = s->evaluation;
    s->values[node] = value;
    return value != signal_is_complemented(signal);
}

/* The length of the cycle through the initial state; 0 if there is no short one. Writes the values
 * of the first fluent of the closure to `history`. */
static uint32_t cycle_length(Search *s, const U32Vector *closure, uint8_t *history) {
    bool initial[MAX_CLOSURE], state[MAX_CLOSURE], next[MAX_CLOSURE];
    for (size_t i = 0; i < closure->count; i++)
        state[i] = initial[i] = s->c->initial[closure->items[i]];
    for (uint32_t t = 1; t <= MAX_PHASE_COUNT; t++) {
        history[t - 1] = state[0];
        s->evaluation++;
        for (size_t i = 0; i < closure->count; i++)
            next[i] = evaluate(s, s->c->next[closure->items[i]], closure, state);
        memcpy(state, next, sizeof state);
        if (memcmp(state, initial, closure->count * sizeof *state) == 0)
            return t;
    }
    return 0;
}

static uint32_t common_multiple(uint32_t a, uint32_t b) {
    assert(a > 0 && b > 0);
    uint32_t x = a, y = b;
    while (y) {
        uint32_t r = x % y;
        x = y;
        y = r;
    }
    return a / x * b;
}

typedef struct {
    uint32_t fluent, length;
    uint8_t history[MAX_PHASE_COUNT];
} Cycle;

Phases phases_find(const Circuit *c) {
    Phases phases = {.count = 1};
    uint8_t *depends = circuit_nodes_that_depend_on_moves(c);
    for (size_t l = 0; l < c->aig.loops.count; l++) /* loops are not analysed */
        for (size_t v = 0; v < c->aig.loops.items[l].variables.count; v++)
            depends[c->aig.loops.items[l].variables.items[v]] = 1;
    for (uint32_t i = 0; i < c->aig.nodes.count; i++)
        if (aig_is_and(&c->aig, i))
            depends[i] |= depends[signal_node(c->aig.nodes.items[i].a)] |
                          depends[signal_node(c->aig.nodes.items[i].b)];
    Search s = {.c = c, .depends = depends};
    size_t nodes = c->aig.nodes.count;
    s.fluent_of_node = u32_none(nodes);
    s.seen = memory_zalloc(nodes * sizeof *s.seen);
    s.values = memory_zalloc(nodes);
    s.evaluated = memory_zalloc(nodes * sizeof *s.evaluated);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        s.fluent_of_node[signal_node(c->fluents[f])] = f;
    VECTOR(Cycle) cycles = {0};
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        U32Vector closure = {0};
        Cycle cycle = {.fluent = f};
        if (close_under_dependency(&s, f, &closure) && closure.count <= MAX_CLOSURE)
            cycle.length = cycle_length(&s, &closure, cycle.history);
        uint32_t joined =
            cycle.length ? common_multiple(phases.count, cycle.length) : MAX_PHASE_COUNT + 1;
        if (joined <= MAX_PHASE_COUNT) {
            phases.count = joined;
            vector_push(&cycles, cycle);
        }
        vector_free(&closure);
    }
    assert(phases.count <= MAX_PHASE_COUNT);
    phases.values = memory_zalloc(phases.count * cycles.count + 1);
    for (size_t i = 0; i < cycles.count; i++) {
        vector_push(&phases.fluents, cycles.items[i].fluent);
        for (uint32_t p = 0; p < phases.count; p++)
            phases.values[p * cycles.count + i] =
                cycles.items[i].history[p % cycles.items[i].length];
    }
    vector_free(&cycles);
    memory_free(s.fluent_of_node, s.seen, s.values, s.evaluated, depends);
    return phases;
}

uint32_t phases_of_state(const Phases *phases, const uint64_t *state, uint32_t words) {
    for (uint32_t p = 0; p < phases->count; p++) {
        const uint8_t *row = phases->values + (size_t)p * phases->fluents.count;
        size_t i = 0;
        for (; i < phases->fluents.count; i++) {
            uint32_t f = phases->fluents.items[i];
            bool holds = f / 64 < words && (state[f / 64] >> (f % 64) & 1);
            if (holds != row[i])
                break;
        }
        if (i == phases->fluents.count)
            return p;
    }
    return phases->count;
}

void phases_free(Phases *phases) {
    vector_free(&phases->fluents);
    free(phases->values);
    *phases = (Phases){0};
}
