/* A device failure during play is reported at the end; matches finished before it still count. */
#include "gpu/accelerator.h"

static void play_on_device(void *context, const PlayoutBudget *budget, PlayoutCounts *counts) {
    Accelerator *a = context;
    gpu_player_play(a->player, budget, counts, &a->report);
}

bool accelerator_open(Accelerator *a, Game *game, const GpuPlayerOptions *options) {
    *a = (Accelerator){.device = {play_on_device, a}};
    a->gpu = gpu_open(&a->report);
    if (a->gpu)
        a->player = gpu_player_create(a->gpu, game_turn_networks(game), options, &a->report);
    return a->player != NULL;
}

const char *accelerator_problem(const Accelerator *a) {
    return report_failed(&a->report) ? a->report.items.items[0].message : NULL;
}

void accelerator_close(Accelerator *a) {
    gpu_player_free(a->player);
    gpu_close(a->gpu);
    report_free(&a->report);
}

const char *accelerator_kernel_name(const Accelerator *a) {
    return gpu_player_kind(a->player) == GPU_KERNEL_THREAD ? "thread" : "block";
}
