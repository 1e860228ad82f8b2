/* Tests the choice network: it chooses exactly one of the true candidates, each with equal
 * probability. */
#include "circuit/choice.h"

#include <math.h>

#include "base/random.h"
#include "circuit/kernel.h"
#include "random_aig.h"

/* A network from candidates and random bits to the chosen candidate. */
typedef struct {
    Kernel *kernel;
    uint32_t count, bits;
    Lanes *inputs, *outputs, *scratch;
    RandomWide random;
} Choice;

static Choice choice_create(uint32_t count, uint64_t seed) {
    Choice c = {.count = count};
    Aig aig;
    aig_init(&aig);
    U32Vector nodes = {0};
    Signal *candidates = memory_alloc((count + 1) * sizeof *candidates);
    Signal *chosen = memory_alloc((count + 1) * sizeof *chosen);
    for (uint32_t i = 0; i < count; i++) {
        candidates[i] = aig_input(&aig);
        vector_push(&nodes, signal_node(candidates[i]));
    }
    c.bits = choice_random_bits(candidates, count);
    Signal *random = memory_alloc((c.bits + 1) * sizeof *random);
    for (uint32_t i = 0; i < c.bits; i++) {
        random[i] = aig_input(&aig);
        vector_push(&nodes, signal_node(random[i]));
    }
    choice_build(&aig, candidates, count, random, chosen);
    c.kernel = kernel_create(lut_map(&aig, nodes.items, nodes.count, chosen, count,
                                     kernel_chosen_gates(KERNEL_AUTO), NULL),
                             KERNEL_AUTO);
    c.inputs = lanes_alloc(nodes.count);
    c.outputs = lanes_alloc(count);
    c.scratch = lanes_alloc(kernel_scratch_lanes(c.kernel));
    random_wide_seed(&c.random, seed);
    vector_free(&nodes);
    free(candidates);
    free(chosen);
    free(random);
    aig_free(&aig);
    return c;
}

static void choice_free(Choice *c) {
    kernel_free(c->kernel);
    free(c->inputs);
    free(c->outputs);
    free(c->scratch);
}

static void choose(Choice *c) {
    random_wide_fill(&c->random, (uint64_t *)(c->inputs + c->count), c->bits * LANE_WORDS);
    kernel_run(c->kernel, c->inputs, c->outputs, c->scratch);
}

static uint64_t set_lanes(const Lanes *lanes) {
    uint64_t count = 0;
    for (int w = 0; w < LANE_WORDS; w++)
        count += (uint64_t)__builtin_popcountll((*lanes)[w]);
    return count;
}

/* Asserts that in every lane exactly one candidate is chosen, or none if there is no candidate. */
static void check_one_of(const Choice *c) {
    for (int w = 0; w < LANE_WORDS; w++) {
        uint64_t any = 0, once = 0, twice = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            any |= c->inputs[i][w];
            twice |= once & c->outputs[i][w];
            once |= c->outputs[i][w];
            cr_assert_eq(c->outputs[i][w] & ~c->inputs[i][w], 0, "chose what is not legal");
        }
        cr_assert_eq(twice, 0, "chose two of %u", c->count);
        cr_assert_eq(once, any, "chose none of %u", c->count);
    }
}

/* Chi-square of the counts of `free_places` equally likely outcomes is about normal with mean n-1
 * and variance 2(n-1) (Wilson and Hilferty's cube root makes it so for small n as well). */
static void check_uniform(const uint64_t *counts, uint32_t outcomes, uint64_t total) {
    if (outcomes < 2)
        return;
    double expected = (double)total / outcomes, chi = 0, degrees = outcomes - 1;
    for (uint32_t i = 0; i < outcomes; i++)
        chi += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    double z = (cbrt(chi / degrees) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees));
    cr_assert_lt(fabs(z), 4.5, "%u outcomes: chi-square %.1f", outcomes, chi);
}

static void check_size(uint32_t size) {
    Choice c = choice_create(size, 1000 + size);
    uint64_t *counts = memory_zalloc(size * sizeof *counts);
    uint64_t passes = size * 100 / LANES + 200, total = 0;
    memset(c.inputs, 0xff, size * sizeof *c.inputs);
    for (uint64_t pass = 0; pass < passes; pass++) {
        choose(&c);
        if (pass % 50 == 0)
            check_one_of(&c);
        for (uint32_t i = 0; i < size; i++)
            counts[i] += set_lanes(&c.outputs[i]);
        total += LANES;
    }
    check_uniform(counts, size, total);
    free(counts);
    choice_free(&c);
}

Test(choice, uniform_among_all) {
    static const uint32_t sizes[] = {1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  15,  16,
                                     17,  31,  32,  33,  63,  64,  65,  100, 127, 128, 129, 155,
                                     200, 255, 256, 257, 400, 511, 512, 513, 700, 999, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_size(sizes[i]);
}

/* All lanes have the same subset of candidates: the choice is uniform on it and never outside
 * it. */
static void check_subset(uint32_t size, uint32_t chosen_of_eight, Random *random) {
    Choice c = choice_create(size, random_next(random));
    uint64_t *counts = memory_zalloc(size * sizeof *counts), total = 0;
    uint32_t legal = 0;
    for (uint32_t i = 0; i < size; i++) {
        bool is_legal = random_below(random, 8) < chosen_of_eight;
        memset(&c.inputs[i], is_legal ? 0xff : 0, sizeof *c.inputs);
        legal += is_legal;
    }
    for (uint32_t pass = 0; pass < legal / 4 + 100; pass++) {
        choose(&c);
        check_one_of(&c);
        uint32_t at = 0;
        for (uint32_t i = 0; i < size; i++)
            if (c.inputs[i][0])
                counts[at++] += set_lanes(&c.outputs[i]);
        total += LANES;
    }
    if (legal)
        check_uniform(counts, legal, total);
    free(counts);
    choice_free(&c);
}

Test(choice, uniform_among_the_legal_ones) {
    static const uint32_t sizes[] = {1, 2, 3, 5, 7, 9, 16, 17, 31, 64, 100, 155, 255, 256, 1000};
    Random random;
    random_seed(&random, 7);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t density = 1; density < 8; density += 3)
            check_subset(sizes[i], density, &random);
}

Test(choice, every_lane_has_its_own_candidates) {
    static const uint32_t sizes[] = {1, 2, 3, 5, 9, 17, 64, 155, 256, 1000};
    Random random;
    random_seed(&random, 8);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        Choice c = choice_create(sizes[s], s);
        for (uint32_t pass = 0; pass < 50; pass++) {
            for (size_t i = 0; i < sizes[s] * LANE_WORDS; i++) {
                uint64_t bits = random_next(&random);
                for (uint32_t n = 0; n < pass % 5; n++) /* fewer candidates in later passes */
                    bits &= random_next(&random);
                ((uint64_t *)c.inputs)[i] = bits;
            }
            choose(&c);
            check_one_of(&c);
        }
        choice_free(&c);
    }
}

Test(choice, none_legal_none_chosen) {
    static const uint32_t sizes[] = {1, 2, 3, 17, 256};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        Choice c = choice_create(sizes[s], 3);
        choose(&c);
        for (uint32_t i = 0; i < sizes[s]; i++)
            cr_assert_eq(set_lanes(&c.outputs[i]), 0);
        choice_free(&c);
    }
}

Test(choice, constants_cost_nothing) {
    Aig aig;
    aig_init(&aig);
    Signal candidates[] = {SIGNAL_FALSE, aig_input(&aig), SIGNAL_FALSE};
    Signal chosen[3];
    cr_assert_eq(choice_random_bits(candidates, 3), 0);
    choice_build(&aig, candidates, 3, NULL, chosen);
    cr_assert_eq(chosen[0], SIGNAL_FALSE);
    cr_assert_eq(chosen[1], candidates[1]);
    cr_assert_eq(aig.and_count, 0);
    cr_assert_eq(choice_random_bits(NULL, 0), 0);
    choice_build(&aig, NULL, 0, NULL, NULL);
    aig_free(&aig);
}
