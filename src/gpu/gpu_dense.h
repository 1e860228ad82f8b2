/* Dense layers (learn/networks/dense_layers.h) on a GPU: asked in batches, two of them under way at
 * a time, and trained between. Everything goes through one stream in the order in which it was
 * asked for, so that results depend on that order alone. */
#pragma once

#include "gpu/device.h"
#include "learn/networks/dense_layers.h"

typedef struct GpuDense GpuDense;

/* Copies the network to the device; NULL with an error in the report, in which later failures are
 * told of, too. The device and the report must outlive it. */
GpuDense *gpu_dense_create(Gpu *gpu, const Dense *dense, Report *report);
void gpu_dense_free(GpuDense *dense);
DenseEngine gpu_dense_engine(GpuDense *dense);

/* ---- for tests: the kernels to be run, and what they are told ---- */

/* As in dense.cu, with addresses on the device. */
typedef struct {
    uint64_t parameters, gradient, mean, variance;
    uint64_t fact_starts, facts, group_starts, outputs, row_of;
    uint64_t input_starts, input_rows, output_starts, output_places;
    uint64_t targets;
    uint64_t said, blamed, sums, losses;
    uint64_t ticket;
    uint64_t stride;
    uint32_t rows, group_count, place_count;
    uint32_t inputs, output_count, layers, units, parameter_count;
    uint32_t layer, weights, biases, number;
    float rate, shrink, share, tiny;
} GpuDenseTask;

enum { GPU_DENSE_TILE = 8 /* rows that a layer has room for are a multiple of it */ };

typedef enum {
    GPU_DENSE_FIRST,
    GPU_DENSE_LAYER,
    GPU_DENSE_OUTPUTS,
    GPU_DENSE_LOSS,
    GPU_DENSE_BLAME_TOP,
    GPU_DENSE_BLAME,
    GPU_DENSE_GRADIENT_INPUTS,
    GPU_DENSE_GRADIENT_OUTPUTS,
    GPU_DENSE_GRADIENT_LAYER,
    GPU_DENSE_GRADIENT_BIASES,
    GPU_DENSE_ADAM,
    GPU_DENSE_SIGN,
    GPU_DENSE_KERNELS
} GpuDenseKernel;

const char *gpu_dense_kernel_name(GpuDenseKernel kernel);

typedef struct {
    GpuDenseKernel kernel;
    uint32_t threads;
    GpuDenseTask task;
} GpuDenseLaunch;

typedef VECTOR(GpuDenseLaunch) GpuDensePlan;

/* Appends what is to be run, in order. A task has addresses and the numbers of the batch; the
 * others are filled in by the shape. */
void gpu_dense_plan_forward(const DenseShape *shape, GpuDenseTask task, GpuDensePlan *plan);
void gpu_dense_plan_training(const DenseShape *shape, GpuDenseTask task, GpuDensePlan *plan);
