/* Environments on a GPU: calls into gpu/gpu_environments.h. */
#include "api/api_internal.h"
#include "gpu/gpu_environments.h"

struct MarelleGpuEnvironments {
    Gpu *gpu;
    GpuEnvironments *inner;
    uint32_t channels, height, width;
};

/* Frees the report of a call. */
static MarelleStatus end_call(bool is_ok, Report *report, MarelleProblem *problem) {
    if (!is_ok)
        return refuse_by_report(problem, MARELLE_SPENT, report);
    report_free(report);
    return succeed(problem);
}

static bool set_up_planes(MarelleGpuEnvironments *e, Game *game, Report *report) {
    BoardPlanes planes;
    bool ok = true;
    if (environment_planes(game, &planes)) {
        ok = gpu_environments_set_planes(e->inner, planes.cells,
                                         (uint32_t)board_planes_size(&planes), report);
        e->channels = planes.channels;
        e->height = planes.height;
        e->width = planes.width;
    }
    free(planes.cells);
    return ok;
}

MarelleStatus marelle_gpu_environments_create(MarelleGame *game,
                                              const MarelleEnvironmentOptions *options,
                                              MarelleGpuEnvironments **environments,
                                              MarelleProblem *problem) {
    EnvironmentOptions own;
    Report report = {0};
    *environments = NULL;
    MarelleStatus status = environment_options(options, &own, problem);
    if (status != MARELLE_OK)
        return status;
    if (!game_has_circuit(game->game))
        return refuse_without_circuit(problem, game->game);
    MarelleGpuEnvironments *e = memory_zalloc(sizeof *e);
    e->gpu = gpu_open(&report);
    if (!e->gpu) {
        free(e);
        return refuse_by_report(problem, MARELLE_UNFIT, &report);
    }
    e->inner = gpu_environments_create(e->gpu, game->game, &own, &report);
    bool ok = e->inner && (!options->planes || set_up_planes(e, game->game, &report));
    if (ok)
        *environments = e;
    else
        marelle_gpu_environments_free(e);
    return end_call(ok, &report, problem);
}

void marelle_gpu_environments_free(MarelleGpuEnvironments *e) {
    if (!e)
        return;
    gpu_environments_free(e->inner);
    gpu_close(e->gpu);
    free(e);
}

MarelleEnvironmentShape marelle_gpu_environments_shape(const MarelleGpuEnvironments *e) {
    MarelleEnvironmentShape shape = environment_public_shape(gpu_environments_shape(e->inner));
    shape.channels = e->channels;
    shape.height = e->height;
    shape.width = e->width;
    return shape;
}

MarelleStatus marelle_gpu_environments_reset(MarelleGpuEnvironments *e, const uint8_t *which,
                                             const MarelleEnvironmentOutputs *outputs, void *stream,
                                             MarelleProblem *problem) {
    Report report = {0};
    EnvironmentOutputs own = environment_outputs(outputs);
    return end_call(gpu_environments_reset(e->inner, which, &own, stream, &report), &report,
                    problem);
}

MarelleStatus marelle_gpu_environments_step(MarelleGpuEnvironments *e, const uint32_t *moves,
                                            const MarelleEnvironmentOutputs *outputs, void *stream,
                                            MarelleProblem *problem) {
    Report report = {0};
    EnvironmentOutputs own = environment_outputs(outputs);
    if (!moves)
        return refuse(problem, MARELLE_BAD_ARGUMENT, "a step needs moves");
    return end_call(gpu_environments_step(e->inner, moves, &own, stream, &report), &report,
                    problem);
}

MarelleStatus marelle_gpu_environments_copy(MarelleGpuEnvironments *e, uint32_t first,
                                            uint32_t count, const MarelleGpuEnvironments *from,
                                            const uint32_t *sources,
                                            const MarelleEnvironmentOutputs *outputs, void *stream,
                                            MarelleProblem *problem) {
    Report report = {0};
    MarelleStatus status =
        environment_copy_check(gpu_environments_can_copy(e->inner, from->inner),
                               gpu_environments_shape(e->inner), first, count, problem);
    if (status != MARELLE_OK)
        return status;
    if (count && !sources)
        return refuse(problem, MARELLE_BAD_ARGUMENT, "a copy needs sources");
    EnvironmentOutputs own = {0};
    if (outputs)
        own = environment_outputs(outputs);
    return end_call(gpu_environments_copy(e->inner, first, count, from->inner, sources,
                                          outputs ? &own : NULL, stream, &report),
                    &report, problem);
}

MarelleStatus marelle_gpu_masks_draw(MarelleGpuEnvironments *e, const uint64_t *masks, size_t count,
                                     uint64_t seed, uint32_t *moves, void *stream,
                                     MarelleProblem *problem) {
    Report report = {0};
    if (!masks || !moves)
        return refuse(problem, MARELLE_BAD_ARGUMENT, "there are no masks or no moves");
    return end_call(gpu_environments_draw(e->inner, masks, count, seed, moves, stream, &report),
                    &report, problem);
}

MarelleStatus marelle_gpu_environments_state(MarelleGpuEnvironments *e, uint32_t match,
                                             MarelleState *state, MarelleProblem *problem) {
    Report report = {0};
    if (match >= gpu_environments_shape(e->inner)->count)
        return refuse(problem, MARELLE_BAD_ARGUMENT, "there is no match %u", match);
    return end_call(gpu_environments_state(e->inner, match, &state->state, &report), &report,
                    problem);
}

MarelleStatus marelle_gpu_environments_illegal_moves(MarelleGpuEnvironments *e, uint64_t *count,
                                                     MarelleProblem *problem) {
    Report report = {0};
    return end_call(gpu_environments_illegal_moves(e->inner, count, &report), &report, problem);
}

void *marelle_gpu_alloc(MarelleGpuEnvironments *e, size_t bytes) {
    Report report = {0};
    GpuAddress address = gpu_alloc(e->gpu, bytes, &report);
    if (address && !gpu_zero(e->gpu, address, bytes, &report)) {
        gpu_free(e->gpu, address);
        address = 0;
    }
    report_free(&report);
    return (void *)(uintptr_t)address;
}

void marelle_gpu_free(MarelleGpuEnvironments *e, void *memory) {
    gpu_free(e->gpu, (GpuAddress)(uintptr_t)memory);
}

MarelleStatus marelle_gpu_read(MarelleGpuEnvironments *e, void *to, const void *device_memory,
                               size_t bytes, MarelleProblem *problem) {
    Report report = {0};
    GpuAddress from = (GpuAddress)(uintptr_t)device_memory;
    return end_call(gpu_read(e->gpu, to, from, bytes, &report), &report, problem);
}

MarelleStatus marelle_gpu_write(MarelleGpuEnvironments *e, void *device_memory, const void *from,
                                size_t bytes, MarelleProblem *problem) {
    Report report = {0};
    GpuAddress to = (GpuAddress)(uintptr_t)device_memory;
    return end_call(gpu_write(e->gpu, to, from, bytes, &report), &report, problem);
}
