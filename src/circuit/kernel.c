/* The interpreted kernels, and the choice of a kind. The source of the interpreter is a template
 * that is instantiated for every instruction set, with vectors as wide as its registers. Compilers
 * would split wider vectors through memory, which costs more than the gates. */
#include "circuit/kernel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "circuit/compile.h"

struct Kernel {
    LutNetwork *network;
    KernelKind kind;
    bool narrow;
    CompiledCode code;
};

Lanes *lanes_alloc(size_t count) {
    return memory_aligned_zalloc(sizeof(Lanes), (count ? count : 1) * sizeof(Lanes));
}

NarrowLanes *narrow_alloc(size_t count) {
    return memory_aligned_zalloc(sizeof(NarrowLanes), (count ? count : 1) * sizeof(NarrowLanes));
}

/* A vector that fits one register. */
typedef uint64_t Part16 __attribute__((vector_size(16), aligned(16), may_alias));
typedef uint64_t Part32 __attribute__((vector_size(32), aligned(32), may_alias));

/* Sanitizers instrument every access, so that compiling small vectors takes minutes. There the
 * vector has all lanes. */
#ifdef MEMORY_SANITIZED
#define PART_OF(lanes, part) lanes
#else
#define PART_OF(lanes, part) part
#endif

/* A two-input function given by four bits, folded by the compiler. */
#define PAIR(t, b, c)                                                                              \
    (((t)&1 ? (Part)(~(b) & ~(c)) : zero) | ((t)&2 ? (Part)(~(b) & (c)) : zero) |                  \
     ((t)&4 ? (Part)((b) & ~(c)) : zero) | ((t)&8 ? (Part)((b) & (c)) : zero))
#define GATE(t)                                                                                    \
    case t:                                                                                        \
        for (size_t p = 0; p < PARTS; p++)                                                         \
            to[p] = (~a[p] & PAIR((t)&15, b[p], c[p])) | (a[p] & PAIR((t) >> 4, b[p], c[p]));      \
        break;
#define GATES4(t) GATE(t) GATE((t) + 1) GATE((t) + 2) GATE((t) + 3)
#define GATES16(t) GATES4(t) GATES4((t) + 4) GATES4((t) + 8) GATES4((t) + 12)
#define GATES64(t) GATES16(t) GATES16((t) + 16) GATES16((t) + 32) GATES16((t) + 48)

#define DEFINE_KERNEL(NAME, LANES_TYPE, PART, TARGET)                                              \
    TARGET static void NAME##_range(const LutNetwork *n, LANES_TYPE *v, uint32_t first,            \
                                    uint32_t end) {                                                \
        enum { PARTS = sizeof(LANES_TYPE) / sizeof(PART_OF(LANES_TYPE, PART)) };                   \
        typedef PART_OF(LANES_TYPE, PART) Part;                                                    \
        const Part zero = {0};                                                                     \
        const Lut *gates = n->luts.items;                                                          \
        LANES_TYPE *results = v + 1 + n->input_count;                                              \
        for (uint32_t i = first; i < end; i++) {                                                   \
            const Lut *g = &gates[i];                                                              \
            Part *to = (Part *)&results[i], a[PARTS], b[PARTS], c[PARTS];                          \
            for (size_t p = 0; p < PARTS; p++) {                                                   \
                a[p] = ((const Part *)&v[g->a])[p];                                                \
                b[p] = ((const Part *)&v[g->b])[p];                                                \
                c[p] = ((const Part *)&v[g->c])[p];                                                \
            }                                                                                      \
            switch (g->table) { GATES64(0) GATES64(64) GATES64(128) GATES64(192) }                 \
        }                                                                                          \
    }                                                                                              \
    TARGET static bool NAME##_update(const LutLoop *loop, LANES_TYPE *v) {                         \
        LANES_TYPE grown = {0};                                                                    \
        for (size_t i = 0; i < loop->variables.count; i++) {                                       \
            LANES_TYPE *variable = &v[loop->variables.items[i]];                                   \
            LANES_TYPE update = v[loop->updates.items[i]];                                         \
            grown |= update & ~*variable;                                                          \
            *variable |= update;                                                                   \
        }                                                                                          \
        uint64_t any = 0;                                                                          \
        for (size_t w = 0; w < sizeof grown / sizeof(uint64_t); w++)                               \
            any |= grown[w];                                                                       \
        return any != 0;                                                                           \
    }                                                                                              \
    TARGET static void NAME(const LutNetwork *n, const LANES_TYPE *inputs, LANES_TYPE *outputs,    \
                            LANES_TYPE *v) {                                                       \
        uint32_t at = 0;                                                                           \
        size_t variables = 0;                                                                      \
        for (size_t i = 0; i < n->loops.count; i++)                                                \
            variables += n->loops.items[i].variables.count;                                        \
        memset(&v[0], 0, sizeof v[0]);                                                             \
        memcpy(&v[1], inputs, (n->input_count - variables) * sizeof(LANES_TYPE));                  \
        memset(&v[1 + n->input_count - variables], 0, variables * sizeof(LANES_TYPE));             \
        for (size_t i = 0; i < n->loops.count; i++) {                                              \
            const LutLoop *loop = &n->loops.items[i];                                              \
            NAME##_range(n, v, at, loop->first);                                                   \
            do                                                                                     \
                NAME##_range(n, v, loop->first, loop->end);                                        \
            while (NAME##_update(loop, v));                                                        \
            at = loop->end;                                                                        \
        }                                                                                          \
        NAME##_range(n, v, at, (uint32_t)n->luts.count);                                           \
        for (size_t i = 0; i < n->outputs.count; i++)                                              \
            outputs[i] = v[n->outputs.items[i]];                                                   \
    }

#define ANY_PROCESSOR

DEFINE_KERNEL(run_portable, Lanes, Part16, ANY_PROCESSOR)
DEFINE_KERNEL(run_narrow, NarrowLanes, Part16, ANY_PROCESSOR)
DEFINE_KERNEL(run_avx2, Lanes, Part32, CPU_TARGET_AVX2)

static const Target *const targets[KERNEL_KINDS] = {[KERNEL_SSE2] = &target_sse2,
                                                    [KERNEL_AVX2] = &target_avx2,
                                                    [KERNEL_AVX512] = &target_avx512,
                                                    [KERNEL_NEON] = &target_neon,
                                                    [KERNEL_NEON_SHA3] = &target_neon_sha3};

bool kernel_may_execute(void) {
    return compile_may_execute();
}

bool kernel_processor_has(KernelKind kind) {
    assert(kind < KERNEL_KINDS);
    return !targets[kind] || targets[kind]->is_available();
}

bool kernel_kind_available(KernelKind kind) {
    return kernel_processor_has(kind) && (!targets[kind] || compile_may_execute());
}

KernelKind kernel_choose(KernelKind wanted) {
    if (wanted != KERNEL_AUTO && kernel_kind_available(wanted))
        return wanted;
    KernelKind best = KERNEL_INTERPRETED;
    for (int kind = KERNEL_SSE2; kind < KERNEL_KINDS; kind++)
        if (kernel_processor_has((KernelKind)kind))
            best = (KernelKind)kind;
    return kernel_kind_available(best) ? best : KERNEL_INTERPRETED;
}

GateSet kernel_kind_gates(KernelKind kind) {
    assert(kind < KERNEL_KINDS);
    return targets[kind] ? targets[kind]->gates : GATES_THREE;
}

GateSet kernel_chosen_gates(KernelKind kind) {
    return kernel_kind_gates(kernel_choose(kind));
}

static Kernel *create(LutNetwork *network, KernelKind kind, bool narrow) {
    assert(network);
    Kernel *kernel = memory_zalloc(sizeof *kernel);
    kernel->network = network;
    kernel->narrow = narrow;
    kernel->kind = kernel_choose(kind);
    const Target *target = targets[kernel->kind];
    if (target && !compile_network(network, target, narrow, COMPILE_MAX_BYTES, &kernel->code))
        kernel->kind = KERNEL_INTERPRETED;
    return kernel;
}

Kernel *kernel_create(LutNetwork *network, KernelKind kind) {
    return create(network, kind, false);
}

Kernel *kernel_create_narrow(LutNetwork *network, KernelKind kind) {
    return create(network, kind, true);
}

Kernel *kernel_generate(LutNetwork *network, KernelKind kind) {
    assert(network && kind < KERNEL_KINDS);
    Kernel *kernel = memory_zalloc(sizeof *kernel);
    MachineCode code = {0};
    kernel->network = network;
    kernel->kind = kind;
    if (targets[kind])
        compile_code(network, targets[kind], false, COMPILE_MAX_BYTES, &code, &kernel->code);
    vector_free(&code.bytes);
    return kernel;
}

void kernel_free(Kernel *kernel) {
    if (!kernel)
        return;
    compiled_free(&kernel->code);
    lut_free(kernel->network);
    free(kernel);
}

size_t kernel_scratch_lanes(const Kernel *kernel) {
    size_t lane_bytes = kernel->narrow ? sizeof(NarrowLanes) : sizeof(Lanes);
    if (kernel->kind != KERNEL_INTERPRETED)
        return (kernel->code.scratch_bytes + lane_bytes - 1) / lane_bytes;
    return 1 + kernel->network->input_count + kernel->network->luts.count;
}

void kernel_run(const Kernel *kernel, const Lanes *inputs, Lanes *outputs, Lanes *scratch) {
    assert(!kernel->narrow);
    if (kernel->kind != KERNEL_INTERPRETED)
        kernel->code.run(inputs, outputs, scratch);
    else if (cpu_has_avx2())
        run_avx2(kernel->network, inputs, outputs, scratch);
    else
        run_portable(kernel->network, inputs, outputs, scratch);
}

void kernel_run_narrow(const Kernel *kernel, const NarrowLanes *inputs, NarrowLanes *outputs,
                       NarrowLanes *scratch) {
    assert(kernel->narrow);
    if (kernel->kind != KERNEL_INTERPRETED)
        kernel->code.run(inputs, outputs, scratch);
    else
        run_narrow(kernel->network, inputs, outputs, scratch);
}

KernelKind kernel_kind(const Kernel *kernel) {
    return kernel->kind;
}

const char *kernel_kind_name(KernelKind kind) {
    assert(kind < KERNEL_KINDS);
    return targets[kind] ? targets[kind]->name : kind == KERNEL_AUTO ? "auto" : "interpreted";
}

const char *kernel_kind_needs(KernelKind kind) {
    assert(kind < KERNEL_KINDS);
    return targets[kind] ? targets[kind]->needs : NULL;
}

const LutNetwork *kernel_network(const Kernel *kernel) {
    return kernel->network;
}

size_t kernel_code_bytes(const Kernel *kernel) {
    return kernel->code.bytes;
}

double kernel_code_seconds(const Kernel *kernel) {
    return kernel->code.cpu_seconds;
}

size_t kernel_instructions(const Kernel *kernel) {
    return kernel->code.instructions;
}

unsigned kernel_pieces(const Kernel *kernel) {
    return kernel->code.pieces;
}
