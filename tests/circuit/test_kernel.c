/* Compares all kernels with plain evaluation, lane by lane. The shapes test the limits of the
 * machine code generator: byte and 32-bit displacements of inputs, outputs and spilled values, more
 * live values than registers, loops that start with full registers. */
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

static LutNetwork *map_sample(const Sample *s, KernelKind kind) {
    const RandomAig *r = s->r;
    return lut_map(&r->aig, r->inputs.items, r->inputs.count, r->outputs.items, r->outputs.count,
                   kernel_gates(kind));
}

static void check_kind(const Sample *s, KernelKind kind) {
    const RandomAig *r = s->r;
    if (!kernel_kind_available(kind))
        return;
    Kernel *kernel = kernel_create(map_sample(s, kind), kind);
    cr_assert_eq(kernel_kind(kernel), kind);
    /* One lane more on each side: nothing may be written there. */
    Lanes *outputs = lanes_alloc(r->outputs.count + 2);
    Lanes *scratch = lanes_alloc(kernel_scratch_lanes(kernel) + 2);
    size_t ends[] = {0, kernel_scratch_lanes(kernel) + 1};
    memset(outputs, 0x5a, (r->outputs.count + 2) * sizeof *outputs);
    memset(scratch, 0x5a, (kernel_scratch_lanes(kernel) + 2) * sizeof *scratch);
    for (unsigned time = 0; time < 2; time++) { /* the second time with dirty scratch */
        kernel_run(kernel, s->inputs, outputs + 1, scratch + 1);
        for (size_t i = 0; i < r->outputs.count; i++)
            cr_assert_eq(memcmp(&outputs[1 + i], &s->expected[i], sizeof(Lanes)), 0,
                         "output %zu of %zu differs with kernel %s", i, r->outputs.count,
                         kernel_kind_name(kind));
    }
    for (int i = 0; i < 2; i++)
        cr_assert_eq(scratch[ends[i]][3], 0x5a5a5a5a5a5a5a5aull, "%s", kernel_kind_name(kind));
    cr_assert_eq(outputs[0][0], 0x5a5a5a5a5a5a5a5aull);
    cr_assert_eq(outputs[r->outputs.count + 1][0], 0x5a5a5a5a5a5a5a5aull);
    free(outputs);
    free(scratch);
    kernel_free(kernel);
}

/* The same with the first 128 lanes. */
static void check_narrow(const Sample *s, KernelKind kind) {
    const RandomAig *r = s->r;
    if (!kernel_kind_available(kind))
        return;
    Kernel *kernel = kernel_create_narrow(map_sample(s, kind), kind);
    NarrowLanes *inputs = narrow_alloc(r->inputs.count), *outputs = narrow_alloc(r->outputs.count);
    NarrowLanes *scratch = narrow_alloc(kernel_scratch_lanes(kernel));
    for (size_t i = 0; i < r->inputs.count; i++)
        memcpy(&inputs[i], &s->inputs[i], sizeof *inputs);
    kernel_run_narrow(kernel, inputs, outputs, scratch);
    for (size_t i = 0; i < r->outputs.count; i++)
        cr_assert_eq(memcmp(&outputs[i], &s->expected[i], sizeof *outputs), 0,
                     "output %zu of %zu differs with narrow kernel %s", i, r->outputs.count,
                     kernel_kind_name(kind));
    free(inputs);
    free(outputs);
    free(scratch);
    kernel_free(kernel);
}

static void check_kinds(const Sample *s) {
    for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++) {
        check_kind(s, (KernelKind)kind);
        check_narrow(s, (KernelKind)kind);
    }
}

static void check_shape(Random *random, const RandomShape *shape) {
    RandomAig r = random_aig(random, shape);
    Sample s = make_sample(&r, random);
    check_kinds(&s);
    free(s.inputs);
    free(s.expected);
    random_aig_free(&r);
}

Test(kernel, small_graphs) {
    Random random;
    random_seed(&random, 21);
    for (uint32_t round = 0; round < 120; round++) {
        RandomShape shape = {1 + round % 10, round * 2, 1 + round % 12, 0, 0, 0};
        check_shape(&random, &shape);
    }
}

Test(kernel, many_inputs_and_outputs) {
    Random random;
    random_seed(&random, 22);
    static const uint32_t sizes[] = {31, 32, 33, 127, 128, 129, 130, 300, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        RandomShape wide_in = {sizes[i], 400, 20, 0, 0, 0};
        RandomShape wide_out = {20, 400, sizes[i], 0, 0, 0};
        check_shape(&random, &wide_in);
        check_shape(&random, &wide_out);
    }
}

Test(kernel, more_live_values_than_registers) {
    Random random;
    random_seed(&random, 23);
    for (uint32_t live = 25; live < 400; live += live / 4) {
        RandomAig r = {0};
        U32Vector first = {0}, second = {0};
        aig_init(&r.aig);
        for (uint32_t i = 0; i < 12; i++) {
            vector_push(&first, aig_input(&r.aig));
            vector_push(&r.inputs, signal_node(first.items[i]));
        }
        for (uint32_t i = 0; i < live; i++) {
            Signal a = random_signal(&random, &first), b = random_signal(&random, &first);
            vector_push(&second,
                        aig_xor(&r.aig, aig_xor(&r.aig, a, b), random_signal(&random, &first)));
        }
        /* Everything is read again after everything was made. */
        Signal all = SIGNAL_FALSE;
        for (uint32_t i = 0; i < live; i++) {
            all = aig_xor(&r.aig, all, second.items[i * 7 % live]);
            vector_push(&r.outputs, aig_and(&r.aig, all, second.items[i * 11 % live]));
        }
        Sample s = make_sample(&r, &random);
        check_kinds(&s);
        free(s.inputs);
        free(s.expected);
        vector_free(&first);
        vector_free(&second);
        random_aig_free(&r);
    }
}

Test(kernel, loops) {
    Random random;
    random_seed(&random, 24);
    for (uint32_t round = 0; round < 120; round++) {
        RandomShape shape = {2 + round % 12, round % 6 * 30, 1 + round % 40,
                             1 + round % 4,  1 + round % 9,  round % 40};
        check_shape(&random, &shape);
    }
}

Test(kernel, loops_with_spills) {
    Random random;
    random_seed(&random, 25);
    for (uint32_t round = 0; round < 12; round++) {
        RandomShape shape = {40 + 30 * round, 600, 150, 3, 20 + 12 * round, 100 + 60 * round};
        check_shape(&random, &shape);
    }
}

Test(kernel, unknown_kinds_fall_back) {
    Aig aig;
    aig_init(&aig);
    Kernel *kernel = kernel_create(lut_map(&aig, NULL, 0, NULL, 0, GATES_THREE), KERNEL_AUTO);
    cr_assert_neq(kernel_kind(kernel), KERNEL_AUTO);
    cr_assert(kernel_kind_available(kernel_kind(kernel)));
    Lanes *scratch = lanes_alloc(kernel_scratch_lanes(kernel));
    kernel_run(kernel, scratch, scratch, scratch);
    free(scratch);
    kernel_free(kernel);
    aig_free(&aig);
}
