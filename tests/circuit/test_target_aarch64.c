/* Tests the AArch64 targets on any machine: their encodings against words from the GNU assembler,
 * and the code of random networks in a small emulator of the instructions that they use. */
#include "circuit/compile.h"
#include "sample.h"

enum { A = 1, B = 2, C = 3, OTHER = 4, V16 = 8, V29 = 21, SCRATCH = 22, GROWTH = 23 };

static const Target *const t = &target_neon_sha3;

static void expect_words(MachineCode *code, const uint32_t *words, size_t count) {
    cr_assert_eq(code->bytes.count, 4 * count, "%zu bytes", code->bytes.count);
    cr_assert_eq(code->instructions, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, code->bytes.items + 4 * i, sizeof word);
        cr_expect_eq(word, words[i], "word %zu is %08x, not %08x", i, word, words[i]);
    }
    vector_free(&code->bytes);
}

#define EXPECT_WORDS(code, ...)                                                                    \
    do {                                                                                           \
        const uint32_t words[] = {__VA_ARGS__};                                                    \
        expect_words(code, words, sizeof words / sizeof *words);                                   \
    } while (0)

Test(target_aarch64, memory) {
    MachineCode code = {.width = 16};
    t->load(&code, 0, (MemoryOperand){BASE_INPUTS, 0});
    t->load(&code, V16, (MemoryOperand){BASE_OUTPUTS, 65520});
    t->store(&code, 7, (MemoryOperand){BASE_SCRATCH, 65536 + 32});
    t->load(&code, V29, (MemoryOperand){BASE_INPUTS, 0x1000010});
    EXPECT_WORDS(&code, 0x3dc00000, /* ldr q0, [x0] */
                 0x3dfffc30,        /* ldr q16, [x1, #65520] */
                 0x91404049,        /* add x9, x2, #16, lsl #12 */
                 0x3d800927,        /* str q7, [x9, #32] */
                 0xd2a02009,        /* movz x9, #0x100, lsl #16 */
                 0x8b000129,        /* add x9, x9, x0 */
                 0x3dc0053d);       /* ldr q29, [x9, #16] */
}

Test(target_aarch64, two_operands) {
    MachineCode code = {.width = 16};
    t->move(&code, C, 9);
    t->zero(&code, SCRATCH);
    t->negate(&code, GROWTH);
    for (GateOp op = OP_AND; op <= OP_ORN; op++)
        t->binary(&code, op, A, B, V16);
    EXPECT_WORDS(&code, 0x4eb11e23, /* mov v3, v17 */
                 0x6f00e41e,        /* movi v30.2d, #0 */
                 0x6e205bff,        /* mvn v31, v31 */
                 0x4e301c41,        /* and v1, v2, v16 */
                 0x4e621e01,        /* bic v1, v16, v2 */
                 0x4eb01c41,        /* orr v1, v2, v16 */
                 0x6e301c41,        /* eor v1, v2, v16 */
                 0x4ef01c41);       /* orn v1, v2, v16 */
}

Test(target_aarch64, three_operands) {
    static const unsigned operands[] = {A, B, C};
    MachineCode code = {.width = 16};
    t->triple(&code, OP_SELECT, A, operands);
    t->triple(&code, OP_SELECT, B, operands);
    t->triple(&code, OP_SELECT, C, operands);
    t->triple(&code, OP_SELECT, OTHER, operands);
    t->triple(&code, OP_XOR3, V16, operands);
    t->triple(&code, OP_XOR_ANDN, V16, operands);
    t->triple(&code, OP_XOR_AND, V16, operands);
    t->triple(&code, OP_XOR_OR, V16, operands);
    t->triple(&code, OP_SELECT_NOT, A, operands);
    t->triple(&code, OP_SELECT_NOT, OTHER, operands);
    EXPECT_WORDS(&code, 0x6e631c41,       /* bsl v1, v2, v3 */
                 0x6ee11c62,              /* bif v2, v3, v1 */
                 0x6ea11c43,              /* bit v3, v2, v1 */
                 0x4ea11c24, 0x6e631c44,  /* mov v4, v1; bsl v4, v2, v3 */
                 0xce020c30,              /* eor3 v16, v1, v2, v3 */
                 0xce220c30,              /* bcax v16, v1, v2, v3 */
                 0x4e231c5e, 0x6e3e1c30,  /* and v30, v2, v3; eor v16, v1, v30 */
                 0x4ea31c5e, 0x6e3e1c30,  /* orr v30, v2, v3; eor v16, v1, v30 */
                 0x6e20585e, 0x6e631fc1,  /* mvn v30, v2; bsl v1, v30, v3 */
                 0x6e205844, 0x6ee11c64); /* mvn v4, v2; bif v4, v3, v1 */
}

Test(target_aarch64, loops) {
    MachineCode code = {.width = 16};
    t->note_growth(&code, GROWTH, 5, (MemoryOperand){BASE_SCRATCH, 48});
    t->jump_if_any(&code, GROWTH, 8);
    t->finish(&code);
    EXPECT_WORDS(&code, 0x3dc00c5e, /* ldr q30, [x2, #48] */
                 0x4e7e1cbe,        /* bic v30, v5, v30 */
                 0x4ebe1fff,        /* orr v31, v31, v30 */
                 0x6ebfa7fe,        /* umaxp v30.4s, v31.4s, v31.4s */
                 0x9e6603c9,        /* fmov x9, d30 */
                 0xb5ffffa9,        /* cbnz x9, .-12 */
                 0xd65f03c0);       /* ret */
}

Test(target_aarch64, pieces) {
    MachineCode code = {.width = 16};
    t->zero(&code, 0);
    t->repeat_for_pieces(&code, 0, 64);
    EXPECT_WORDS(&code, 0x6f00e400,                   /* movi v0.2d, #0 */
                 0x91004000, 0x91004021, 0x91004042,  /* add x0, x0, #16; x1; x2 */
                 0x92401409, 0xb5ffff69,              /* and x9, x0, #63; cbnz x9, .-20 */
                 0xd1010000, 0xd1010021, 0xd1010042); /* sub x0, x0, #64; x1; x2 */
}

/* A conditional branch reaches no farther than 1 MB. */
Test(target_aarch64, long_loops) {
    MachineCode code = {.width = 16};
    uint32_t words[4];
    for (size_t i = 0; i < 1 << 21; i++)
        code_byte(&code, 0);
    t->jump_if_any(&code, GROWTH, 0);
    cr_assert_eq(code.bytes.count, (1 << 21) + sizeof words);
    memcpy(words, code.bytes.items + (1 << 21), sizeof words);
    cr_expect_eq(words[2], 0xb4000049u); /* cbz x9, .+8 */
    cr_expect_eq(words[3], 0x17f7fffdu); /* b .-(2^21 + 12) */
    vector_free(&code.bytes);
}

/* ---- an emulator ---- */

typedef struct {
    uint64_t x[32];
    NarrowLanes v[32];
} Machine;

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static NarrowLanes pairwise_maximum(NarrowLanes low, NarrowLanes high) {
    uint32_t from[8], to[4];
    NarrowLanes result;
    memcpy(from, &low, sizeof low);
    memcpy(from + 4, &high, sizeof high);
    for (size_t i = 0; i < 4; i++)
        to[i] = larger(from[2 * i], from[2 * i + 1]);
    memcpy(&result, to, sizeof result);
    return result;
}

/* Executes an instruction on vector registers. False if it is not one that the targets write. */
static bool step_vector(Machine *m, uint32_t word) {
    NarrowLanes *d = &m->v[word & 31], n = m->v[word >> 5 & 31], o = m->v[word >> 16 & 31];
    NarrowLanes a = m->v[word >> 10 & 31];
    switch (word & 0xffe0fc00) {
    case 0x4e201c00:
        *d = n & o;
        return true;
    case 0x4e601c00:
        *d = n & ~o;
        return true;
    case 0x4ea01c00:
        *d = n | o;
        return true;
    case 0x4ee01c00:
        *d = n | ~o;
        return true;
    case 0x6e201c00:
        *d = n ^ o;
        return true;
    case 0x6e601c00:
        *d = (*d & n) | (~*d & o);
        return true;
    case 0x6ea01c00:
        *d = (o & n) | (~o & *d);
        return true;
    case 0x6ee01c00:
        *d = (o & *d) | (~o & n);
        return true;
    case 0x6ea0a400:
        *d = pairwise_maximum(n, o);
        return true;
    }
    if ((word & 0xffe08000) == 0xce000000)
        *d = n ^ o ^ a;
    else if ((word & 0xffe08000) == 0xce200000)
        *d = n ^ (o & ~a);
    else if ((word & 0xfffffc00) == 0x6e205800)
        *d = ~n;
    else if ((word & 0xffffffe0) == 0x6f00e400)
        *d = (NarrowLanes){0};
    else
        return false;
    return true;
}

/* Executes a load, a store, an address computation or the move to a general register. False if it
 * is none of these. */
static bool step_memory(Machine *m, uint32_t word) {
    unsigned d = word & 31, n = word >> 5 & 31;
    uint64_t offset = word >> 10 & 0xfff;
    if ((word & 0xffc00000) == 0x3dc00000)
        memcpy(&m->v[d], (const char *)(uintptr_t)(m->x[n] + 16 * offset), 16);
    else if ((word & 0xffc00000) == 0x3d800000)
        memcpy((char *)(uintptr_t)(m->x[n] + 16 * offset), &m->v[d], 16);
    else if ((word & 0xffc00000) == 0x91000000)
        m->x[d] = m->x[n] + offset;
    else if ((word & 0xffc00000) == 0xd1000000)
        m->x[d] = m->x[n] - offset;
    else if ((word & 0xfffffc00) == 0x92401400)
        m->x[d] = m->x[n] & 63;
    else if ((word & 0xffc00000) == 0x91400000)
        m->x[d] = m->x[n] + (offset << 12);
    else if ((word & 0xffe0fc00) == 0x8b000000)
        m->x[d] = m->x[n] + m->x[word >> 16 & 31];
    else if ((word & 0xffe00000) == 0xd2a00000)
        m->x[d] = (uint64_t)(word >> 5 & 0xffff) << 16;
    else if ((word & 0xfffffc00) == 0x9e660000)
        m->x[d] = m->v[n][0];
    else
        return false;
    return true;
}

static void emulate(const MachineCode *code, const void *inputs, void *outputs, void *scratch) {
    Machine m = {.x = {(uintptr_t)inputs, (uintptr_t)outputs, (uintptr_t)scratch}};
    memset(m.v, 0x5a, sizeof m.v);
    for (size_t at = 0;; at++) {
        uint32_t word;
        cr_assert_lt(4 * at, code->bytes.count);
        memcpy(&word, code->bytes.items + 4 * at, sizeof word);
        if (word == 0xd65f03c0)
            break;
        if ((word & 0xff000000) == 0xb5000000) { /* cbnz, which always jumps backwards */
            if (m.x[word & 31])
                at -= 1 + (~(word >> 5) & 0x7ffff) + 1;
            continue;
        }
        cr_assert(step_vector(&m, word) || step_memory(&m, word), "unknown word %08x", word);
    }
    for (unsigned v = 8; v < 16; v++) /* registers that belong to the caller */
        cr_assert_eq(m.v[v][0], 0x5a5a5a5a5a5a5a5aull);
}

static void check_target(const Sample *s, const Target *target) {
    MachineCode code = {0};
    CompiledCode compiled = {0};
    LutNetwork *network = sample_map(s, target->gates);
    size_t outputs_count = s->r->outputs.count;
    cr_assert(compile_code(network, target, false, COMPILE_MAX_BYTES, &code, &compiled));
    Lanes *outputs = lanes_alloc(outputs_count);
    char *scratch = memory_alloc(compiled.scratch_bytes);
    emulate(&code, s->inputs, outputs, scratch);
    for (size_t i = 0; i < outputs_count; i++)
        cr_assert_eq(memcmp(&outputs[i], &s->expected[i], sizeof(Lanes)), 0,
                     "output %zu of %zu differs with %s", i, outputs_count, target->name);
    free(outputs);
    free(scratch);
    vector_free(&code.bytes);
    lut_free(network);
}

static void check_shape(Random *random, const RandomShape *shape) {
    RandomAig r = random_aig(random, shape);
    Sample s = make_sample(&r, random);
    check_target(&s, &target_neon);
    check_target(&s, &target_neon_sha3);
    sample_free(&s);
    random_aig_free(&r);
}

Test(target_aarch64, random_graphs) {
    Random random;
    random_seed(&random, 31);
    for (uint32_t round = 0; round < 60; round++) {
        RandomShape shape = {1 + round % 30, round * 10, 1 + round % 12, 0, 0, 0};
        check_shape(&random, &shape);
    }
    RandomShape wide_in = {1100, 400, 20, 0, 0, 0}, wide_out = {20, 400, 1100, 0, 0, 0};
    check_shape(&random, &wide_in);
    check_shape(&random, &wide_out);
}

Test(target_aarch64, random_loops) {
    Random random;
    random_seed(&random, 32);
    for (uint32_t round = 0; round < 60; round++) {
        RandomShape shape = {2 + round % 12, round % 6 * 30, 1 + round % 40,
                             1 + round % 4,  1 + round % 9,  round % 40};
        check_shape(&random, &shape);
    }
    RandomShape spilled = {100, 600, 150, 3, 60, 300};
    check_shape(&random, &spilled);
}
