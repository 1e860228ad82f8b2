/* Copies a program to the device and chooses its kernel. Values that do not fit into shared memory
 * are spilled to arenas of global memory, one for each block that can run at the same time. */
#include "gpu/block.h"

#include "gpu/kernel_source.h"

GpuProgramArgument gpu_program_argument(const GpuProgram *program, const TurnNetworks *turn) {
    return (GpuProgramArgument){.phase_count = (uint32_t)program->phases.count,
                                .kept = (uint32_t)turn->kept.count,
                                .roles = turn->circuit->role_count,
                                .goal_count = (uint32_t)turn->circuit->goals.count,
                                .fluents = program->fluents,
                                .slots = program->slots,
                                .shared = program->shared};
}

static bool upload(GpuBlocks *b, uint64_t *address, const void *items, size_t bytes,
                   Report *report) {
    *address = gpu_alloc(b->gpu, bytes, report);
    return *address && gpu_write(b->gpu, *address, items, bytes, report);
}

static bool upload_gates(GpuBlocks *b, Report *report) {
    U32Vector gates = {0};
    gpu_program_pack(b->program, &gates);
    bool ok = upload(b, &b->argument.gates, gates.items, gates.count * sizeof *gates.items, report);
    vector_free(&gates);
    return ok;
}

static bool upload_program(GpuBlocks *b, Report *report) {
    const GpuProgram *from = b->program;
    GpuProgramArgument *to = &b->argument;
    return upload_gates(b, report) &&
           upload(b, &to->segments, from->segments.items,
                  from->segments.count * sizeof *from->segments.items, report) &&
           upload(b, &to->phases, from->phases.items,
                  from->phases.count * sizeof *from->phases.items, report) &&
           upload(b, &to->lists, from->lists.items, from->lists.count * sizeof(uint32_t), report) &&
           upload(b, &to->initial, from->initial.items, from->initial.count * sizeof(uint32_t),
                  report);
}

static bool make_arenas(GpuBlocks *b, Report *report) {
    GpuProgramArgument *to = &b->argument;
    if (!gpu_program_is_spilled(b->program))
        return true;
    to->arena_count = b->resident;
    to->arenas = gpu_alloc(b->gpu, b->resident * gpu_program_arena_bytes(b->program), report);
    to->taken = to->arenas ? gpu_alloc(b->gpu, b->resident * sizeof(uint32_t), report) : 0;
    return to->taken && gpu_zero(b->gpu, to->taken, b->resident * sizeof(uint32_t), report);
}

static GpuProgram *make_program(const GpuProperties *device, const TurnNetworks *turn,
                                const GpuBlockOptions *options) {
    size_t bytes = device->block_shared_bytes;
    if (!options->threads)
        return gpu_program_choose(turn, device->shared_bytes, bytes);
    if (options->shares > 1) {
        size_t share = device->shared_bytes / options->shares;
        bytes = share > GPU_RESERVED_BYTES ? share - GPU_RESERVED_BYTES : 0;
    }
    return gpu_program_create(turn, options->threads, bytes);
}

bool gpu_blocks_open(GpuBlocks *b, Gpu *gpu, const TurnNetworks *turn,
                     const GpuBlockOptions *options, const char *kernel, Report *report) {
    const GpuProperties *device = gpu_properties(gpu);
    GpuBinary binary = {0};
    *b = (GpuBlocks){.gpu = gpu, .program = make_program(device, turn, options)};
    if (!b->program) {
        report_error(report, "gpu-size", "this game is too large for the GPU");
        return false;
    }
    b->argument = gpu_program_argument(b->program, turn);
    const GpuHeader headers[] = {{"unit.cuh", gpu_source_unit},
                                 {"places.h", gpu_program_places(b->program)}};
    size_t shared = gpu_program_shared_bytes(b->program, turn->circuit->goals.count);
    if (gpu_binary(gpu, gpu_source_block, headers, 2, &binary, report))
        b->kernel = gpu_kernel_create(gpu, &binary, kernel, shared, report);
    vector_free(&binary);
    if (b->kernel)
        b->resident = gpu_kernel_blocks(b->kernel, b->program->threads) * device->processors;
    return b->kernel && upload_program(b, report) && make_arenas(b, report);
}

void gpu_blocks_close(GpuBlocks *b) {
    const GpuProgramArgument *a = &b->argument;
    const uint64_t addresses[] = {a->gates,   a->segments, a->phases, a->lists,
                                  a->initial, a->arenas,   a->taken};
    for (size_t i = 0; b->gpu && i < sizeof addresses / sizeof *addresses; i++)
        gpu_free(b->gpu, addresses[i]);
    gpu_kernel_free(b->kernel);
    gpu_program_free(b->program);
}
