/* `marelle learn selfplay`: a model that advises on moves, from matches of the search against
 * itself. */
#pragma once

#include "cli/options.h"
#include "gpu/gpu_dense.h"
#include "learn/networks/selfplay.h"

typedef struct {
    const char *output;
    uint64_t matches; /* matches to play; 0: as many as --time allows */
    uint64_t hidden;  /* units per layer; 0: the default */
    bool on_gpu;
} SelfplayArguments;

/* Returns the exit status. */
int learn_by_selfplay(const Command *command, const SelfplayArguments *arguments);

/* The engine that evaluates and trains a network: the processor, or the GPU. Close it even if
 * opening failed. */
typedef struct {
    Gpu *gpu;
    GpuDense *dense;
    DenseTrainer *processor;
    DenseEngine engine;
    Report report; /* errors of the device */
} SelfplayPlace;
bool selfplay_open(SelfplayPlace *place, Model *model, bool on_gpu, Pool *pool);
void selfplay_close(SelfplayPlace *place);

enum { SELFPLAY_LAYERS = 2, SELFPLAY_UNITS = 256, SELFPLAY_GPU_MATCHES = 2048 };
