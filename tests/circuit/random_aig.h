/* Random graphs with loops for the tests of this folder, and their plain evaluation: one bit at a
 * time, gates in order, and loops from false upwards. */
#ifndef MARELLE_TESTS_RANDOM_AIG_H
#define MARELLE_TESTS_RANDOM_AIG_H

#include <criterion/criterion.h>
#include <string.h>

#include "base/random.h"
#include "circuit/aig.h"

typedef struct {
    Aig aig;
    U32Vector inputs;  /* nodes */
    U32Vector outputs; /* signals */
} RandomAig;

typedef struct {
    uint32_t inputs, gates, outputs;
    uint32_t loops, loop_variables, loop_gates;
} RandomShape;

static Signal random_signal(Random *random, const U32Vector *signals) {
    return signals->items[random_below(random, signals->count)] ^ (uint32_t)random_below(random, 2);
}

/* Prefers recent signals, so that graphs become deep. */
static Signal recent_signal(Random *random, const U32Vector *signals) {
    size_t span = random_below(random, 3) ? 40 : signals->count;
    size_t back = random_below(random, span < signals->count ? span : signals->count);
    return signals->items[signals->count - 1 - back] ^ (uint32_t)random_below(random, 2);
}

static void add_random_gates(RandomAig *r, Random *random, uint32_t gates, U32Vector *signals) {
    for (uint32_t i = 0; i < gates; i++) {
        Signal a = recent_signal(random, signals), b = recent_signal(random, signals);
        Signal made = random_below(random, 4) ? aig_and(&r->aig, a, b) : aig_xor(&r->aig, a, b);
        if (signal_node(made) != 0)
            vector_push(signals, made);
    }
}

/* Variables and gates made of them are never negated, so that the least fixpoint exists. */
static void add_random_loop(RandomAig *r, Random *random, const RandomShape *shape,
                            U32Vector *signals) {
    AigLoop loop = {.first_node = (uint32_t)r->aig.nodes.count};
    U32Vector positive = {0};
    for (uint32_t v = 0; v < shape->loop_variables; v++) {
        Signal variable = aig_input(&r->aig);
        vector_push(&loop.variables, signal_node(variable));
        vector_push(&positive, variable);
    }
    for (uint32_t g = 0; g < shape->loop_gates; g++) {
        Signal a = positive.items[random_below(random, positive.count)];
        Signal b = random_below(random, 2) ? positive.items[random_below(random, positive.count)]
                                           : random_signal(random, signals);
        vector_push(&positive,
                    random_below(random, 2) ? aig_and(&r->aig, a, b) : aig_or(&r->aig, a, b));
    }
    for (uint32_t v = 0; v < shape->loop_variables; v++) {
        uint64_t kind = random_below(random, 8);
        Signal update = kind == 0   ? random_signal(random, signals)
                        : kind == 1 ? positive.items[random_below(random, loop.variables.count)]
                        : kind == 2 && shape->loop_variables > 2
                            ? (Signal)random_below(random, 2)
                            : positive.items[random_below(random, positive.count)];
        vector_push(&loop.updates, update);
    }
    loop.end_node = (uint32_t)r->aig.nodes.count;
    vector_push(&r->aig.loops, loop);
    for (size_t i = 0; i < positive.count; i++)
        if (signal_node(positive.items[i]) != 0)
            vector_push(signals, positive.items[i]);
    vector_free(&positive);
}

__attribute__((unused)) static RandomAig random_aig(Random *random, const RandomShape *shape) {
    RandomAig r = {0};
    U32Vector signals = {0};
    aig_init(&r.aig);
    for (uint32_t i = 0; i < shape->inputs; i++) {
        Signal input = aig_input(&r.aig);
        vector_push(&r.inputs, signal_node(input));
        vector_push(&signals, input);
    }
    for (uint32_t l = 0; l < shape->loops; l++) {
        add_random_gates(&r, random, shape->gates / (shape->loops + 1), &signals);
        add_random_loop(&r, random, shape, &signals);
    }
    add_random_gates(&r, random, shape->gates / (shape->loops + 1), &signals);
    for (uint32_t i = 0; i < shape->outputs; i++)
        vector_push(&r.outputs, random_below(random, 50) ? recent_signal(random, &signals)
                                                         : (Signal)random_below(random, 2));
    vector_free(&signals);
    return r;
}

__attribute__((unused)) static void random_aig_free(RandomAig *r) {
    aig_free(&r->aig);
    vector_free(&r->inputs);
    vector_free(&r->outputs);
}

static bool value_of(const uint8_t *values, Signal s) {
    return values[signal_node(s)] != signal_is_complemented(s);
}

static void evaluate_range(const Aig *aig, uint8_t *values, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        if (aig_is_and(aig, i))
            values[i] =
                value_of(values, aig->nodes.items[i].a) && value_of(values, aig->nodes.items[i].b);
}

/* `values` has one entry per node; those of the inputs are given. */
__attribute__((unused)) static void evaluate_plainly(const Aig *aig, uint8_t *values) {
    uint32_t at = 1;
    values[0] = 0;
    for (size_t l = 0; l < aig->loops.count; l++) {
        const AigLoop *loop = &aig->loops.items[l];
        evaluate_range(aig, values, at, loop->first_node);
        for (size_t v = 0; v < loop->variables.count; v++)
            values[loop->variables.items[v]] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            evaluate_range(aig, values, loop->first_node, loop->end_node);
            for (size_t v = 0; v < loop->variables.count; v++) {
                bool update = value_of(values, loop->updates.items[v]);
                changed |= update != values[loop->variables.items[v]];
                values[loop->variables.items[v]] = update;
            }
        }
        at = loop->end_node;
    }
    evaluate_range(aig, values, at, (uint32_t)aig->nodes.count);
}

#endif
