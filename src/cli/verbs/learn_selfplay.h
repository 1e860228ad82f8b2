/* `marelle learn selfplay`: a model that advises on moves, from matches of the search against
 * itself. */
#pragma once

#include "cli/options.h"
#include "gpu/gpu_dense.h"
#include "learn/networks/selfplay.h"

typedef struct {
    const char *output;
    uint64_t matches; /* 0: as --time allows */
    uint64_t hidden;  /* units of a layer; 0: the default */
    bool on_gpu;
} SelfplayArguments;

/* Returns the exit status. */
int learn_by_selfplay(const Command *command, const SelfplayArguments *arguments);

/* Where a network is asked and trained: the processor, or the GPU. Close it either way. */
typedef struct {
    Gpu *gpu;
    GpuDense *dense;
    DenseProcessor *processor;
    DenseEngine engine;
    Report report; /* of what went wrong */
} SelfplayPlace;
bool selfplay_open(SelfplayPlace *place, Model *model, bool on_gpu, Pool *pool);
void selfplay_close(SelfplayPlace *place);

enum { SELFPLAY_LAYERS = 2, SELFPLAY_UNITS = 256, SELFPLAY_GPU_MATCHES = 2048 };
