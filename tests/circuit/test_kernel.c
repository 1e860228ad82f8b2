/* Compares all kernels with plain evaluation, lane by lane. The shapes test the limits of the
 * machine code generator: byte and 32-bit displacements of inputs, outputs and spilled values, more
 * live values than registers, loops that start with full registers. */
#include "circuit/compile.h"
#include "circuit/kernel.h"

#include "forbid_code.h"
#include "sample.h"

static void check_kind(const Sample *s, KernelKind kind) {
    const RandomAig *r = s->r;
    if (!kernel_kind_available(kind))
        return;
    Kernel *kernel = kernel_create(sample_map(s, kernel_chosen_gates(kind)), kind);
    cr_assert_eq(kernel_kind(kernel), kind);
    /* There is one value more on each side, where nothing may be written. */
    Lanes *outputs = lanes_alloc(r->outputs.count + 2);
    Lanes *scratch = lanes_alloc(kernel_scratch_lanes(kernel) + 2);
    size_t ends[] = {0, kernel_scratch_lanes(kernel) + 1};
    memset(outputs, 0x5a, (r->outputs.count + 2) * sizeof *outputs);
    memset(scratch, 0x5a, (kernel_scratch_lanes(kernel) + 2) * sizeof *scratch);
    for (unsigned time = 0; time < 2; time++) { /* the second time with used scratch memory */
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

/* Compares a narrow kernel with the first 128 lanes of the sample. */
static void check_narrow(const Sample *s, KernelKind kind) {
    const RandomAig *r = s->r;
    if (!kernel_kind_available(kind))
        return;
    Kernel *kernel = kernel_create_narrow(sample_map(s, kernel_chosen_gates(kind)), kind);
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
    sample_free(&s);
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
    static const uint32_t sizes[] = {31, 32, 33, 127, 128, 129, 130, 300, 1000, 1100};
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
        /* All values are read again after all of them were made. */
        Signal all = SIGNAL_FALSE;
        for (uint32_t i = 0; i < live; i++) {
            all = aig_xor(&r.aig, all, second.items[i * 7 % live]);
            vector_push(&r.outputs, aig_and(&r.aig, all, second.items[i * 11 % live]));
        }
        Sample s = make_sample(&r, &random);
        check_kinds(&s);
        sample_free(&s);
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
    Kernel *kernel = kernel_create(lut_map(&aig, NULL, 0, NULL, 0, GATES_THREE, NULL), KERNEL_AUTO);
    cr_assert_neq(kernel_kind(kernel), KERNEL_AUTO);
    cr_assert(kernel_kind_available(kernel_kind(kernel)));
    Lanes *scratch = lanes_alloc(kernel_scratch_lanes(kernel));
    kernel_run(kernel, scratch, scratch, scratch);
    free(scratch);
    kernel_free(kernel);
    aig_free(&aig);
}

/* If the system forbids executable memory, every kind is interpreted. */
Test(kernel, forbidden_code) {
    Random random;
    random_seed(&random, 26);
    RandomShape shape = {20, 300, 30, 2, 5, 20};
    RandomAig r = random_aig(&random, &shape);
    Sample s = make_sample(&r, &random);
    /* The networks are mapped before code is forbidden, so that gates of all sets are
     * interpreted. */
    LutNetwork *networks[KERNEL_KINDS];
    for (int kind = KERNEL_AUTO; kind < KERNEL_KINDS; kind++)
        networks[kind] = sample_map(&s, kernel_kind_gates((KernelKind)kind));
    if (!forbid_code())
        cr_skip_test("no filters for system calls here");
    cr_assert_not(kernel_may_execute());
    for (int kind = KERNEL_AUTO; kind < KERNEL_KINDS; kind++) {
        cr_assert_eq(kernel_kind_available((KernelKind)kind), kind <= KERNEL_INTERPRETED);
        cr_assert_eq(kernel_chosen_gates((KernelKind)kind), GATES_THREE);
        Kernel *kernel = kernel_create(networks[kind], (KernelKind)kind);
        cr_assert_eq(kernel_kind(kernel), KERNEL_INTERPRETED);
        Lanes *outputs = lanes_alloc(r.outputs.count);
        Lanes *scratch = lanes_alloc(kernel_scratch_lanes(kernel));
        kernel_run(kernel, s.inputs, outputs, scratch);
        cr_assert_eq(memcmp(outputs, s.expected, r.outputs.count * sizeof *outputs), 0);
        free(outputs);
        free(scratch);
        kernel_free(kernel);
    }
    sample_free(&s);
    random_aig_free(&r);
}

/* Code that would be too long is given up soon after the limit, also inside a loop. */
Test(kernel, code_is_limited) {
    static const Target *const targets[] = {&target_sse2, &target_avx512, &target_neon};
    Random random;
    random_seed(&random, 27);
    for (uint32_t looping = 0; looping < 2; looping++) {
        RandomShape shape = {40, looping ? 30 : 3000, 30, looping, 10, looping ? 3000 : 0};
        RandomAig r = random_aig(&random, &shape);
        Sample s = make_sample(&r, &random);
        for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
            LutNetwork *network = sample_map(&s, targets[i]->gates);
            MachineCode code = {0};
            CompiledCode whole = {0}, part = {0};
            cr_assert(compile_code(network, targets[i], false, SIZE_MAX, &code, &whole));
            vector_free(&code.bytes);
            size_t limit = whole.bytes / 2;
            cr_assert_not(compile_code(network, targets[i], false, limit, &code, &part));
            cr_assert_lt(code.bytes.count, whole.bytes - whole.bytes / 4);
            vector_free(&code.bytes);
            cr_assert(compile_code(network, targets[i], false, whole.bytes, &code, &part));
            vector_free(&code.bytes);
            cr_assert_not(compile_network(network, targets[i], false, limit, &part));
            cr_assert_null(part.memory);
            lut_free(network);
        }
        sample_free(&s);
        random_aig_free(&r);
    }
}

/* Code for other processors can be generated and inspected, but not run. */
Test(kernel, generates_code_for_all_kinds) {
    Random random;
    random_seed(&random, 27);
    RandomShape shape = {20, 300, 30, 2, 5, 20};
    RandomAig r = random_aig(&random, &shape);
    Sample s = make_sample(&r, &random);
    for (int kind = KERNEL_SSE2; kind < KERNEL_KINDS; kind++) {
        Kernel *kernel =
            kernel_generate(sample_map(&s, kernel_kind_gates((KernelKind)kind)), (KernelKind)kind);
        cr_expect_gt(kernel_instructions(kernel), kernel_network(kernel)->luts.count);
        cr_expect_gt(kernel_code_bytes(kernel), 2 * kernel_instructions(kernel));
        cr_expect_eq(kernel_pieces(kernel), kind == KERNEL_AVX512 ? 1u
                                            : kind == KERNEL_AVX2 ? 2
                                                                  : 4);
        cr_expect_not_null(kernel_kind_needs((KernelKind)kind));
        kernel_free(kernel);
    }
    sample_free(&s);
    random_aig_free(&r);
}
