/* A random graph with random inputs in all lanes, and the outputs that every kernel must give. */
#ifndef MARELLE_TESTS_SAMPLE_H
#define MARELLE_TESTS_SAMPLE_H

#include "circuit/kernel.h"
#include "random_aig.h"

typedef struct {
    const RandomAig *r;
    Lanes *inputs, *expected;
} Sample;

static Sample make_sample(const RandomAig *r, Random *random) {
    Sample s = {r, lanes_alloc(r->inputs.count), lanes_alloc(r->outputs.count)};
    uint8_t *values = memory_zalloc(r->aig.nodes.count);
    for (size_t i = 0; i < r->inputs.count * LANE_WORDS; i++)
        ((uint64_t *)s.inputs)[i] = random_next(random);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        for (size_t i = 0; i < r->inputs.count; i++)
            values[r->inputs.items[i]] = s.inputs[i][lane / 64] >> (lane % 64) & 1;
        evaluate_plainly(&r->aig, values);
        for (size_t i = 0; i < r->outputs.count; i++)
            s.expected[i][lane / 64] |= (uint64_t)value_of(values, r->outputs.items[i])
                                        << (lane % 64);
    }
    free(values);
    return s;
}

static void sample_free(Sample *s) {
    free(s->inputs);
    free(s->expected);
}

static LutNetwork *sample_map(const Sample *s, GateSet gates) {
    const RandomAig *r = s->r;
    return lut_map(&r->aig, r->inputs.items, r->inputs.count, r->outputs.items, r->outputs.count,
                   gates, NULL);
}

#endif
