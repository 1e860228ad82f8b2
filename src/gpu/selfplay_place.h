/* Where self-play evaluates and trains its network: on the processor, or on a GPU. */
#pragma once

#include "gpu/gpu_dense.h"
#include "learn/networks/selfplay.h"

/* The engine that evaluates and trains the network of a model. Close it even if opening failed. */
typedef struct {
    Gpu *gpu;
    GpuDense *dense;
    DenseTrainer *processor;
    DenseEngine engine;
    Report report; /* errors of the device */
} SelfplayPlace;
bool selfplay_open(SelfplayPlace *place, Model *model, bool on_gpu, Pool *pool);
void selfplay_close(SelfplayPlace *place);

/* Sizes of the network, and matches at once on a GPU, if the user gives none (untuned). */
enum { SELFPLAY_LAYERS = 2, SELFPLAY_UNITS = 256, SELFPLAY_GPU_MATCHES = 2048 };
