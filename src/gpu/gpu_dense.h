/* The neural network of learn/networks/dense_layers.h on a GPU. Two batches can be under way at a
 * time, with steps of training in between. All work goes through one stream in the order of the
 * calls, so that results depend on that order alone. */
#pragma once

#include "gpu/device.h"
#include "learn/networks/dense_layers.h"

typedef struct GpuDense GpuDense;

/* Copies the network to the device. NULL with an error in the report, which receives later failures
 * as well. The device and the report must outlive it. */
GpuDense *gpu_dense_create(Gpu *gpu, const Dense *dense, Report *report);
void gpu_dense_free(GpuDense *dense);
DenseEngine gpu_dense_engine(GpuDense *dense);

/* ---- for tests: the kernels of a batch and their arguments ---- */

/* Has the layout of Task in dense.cu, which explains the fields, with addresses on the device. */
typedef struct {
    uint64_t parameters, gradient, mean, variance;
    uint64_t fact_starts, facts, group_starts, outputs, row_of;
    uint64_t input_starts, input_rows, output_starts, output_places;
    uint64_t targets;
    uint64_t activations, deltas, sums, losses;
    uint64_t ticket;
    uint64_t stride;
    uint32_t rows, group_count, place_count;
    uint32_t inputs, output_count, layers, units, parameter_count;
    uint32_t layer, weights, biases, number;
    float rate, shrink, share, tiny;
} GpuDenseTask;

enum { GPU_DENSE_TILE = 8 /* rows per thread; memory for rows is a multiple of it */ };

typedef enum {
    GPU_DENSE_FIRST,
    GPU_DENSE_LAYER,
    GPU_DENSE_OUTPUTS,
    GPU_DENSE_LOSS,
    GPU_DENSE_DELTA_TOP,
    GPU_DENSE_DELTA,
    GPU_DENSE_GRADIENT_INPUTS,
    GPU_DENSE_GRADIENT_OUTPUTS,
    GPU_DENSE_GRADIENT_LAYER,
    GPU_DENSE_GRADIENT_BIASES,
    GPU_DENSE_ADAM,
    GPU_DENSE_SIGN,
    GPU_DENSE_KERNELS
} GpuDenseKernel;

extern const char *const gpu_dense_kernels[GPU_DENSE_KERNELS]; /* their names in dense.cu */

typedef struct {
    GpuDenseKernel kernel;
    uint32_t threads;
    GpuDenseTask task;
} GpuDenseLaunch;

typedef VECTOR(GpuDenseLaunch) GpuDensePlan;

/* Appends the launches that evaluate a batch, or evaluate it and make a step of training. The task
 * has the addresses and sizes of the batch; the rest comes from the shape. */
void gpu_dense_plan_forward(const DenseShape *shape, GpuDenseTask task, GpuDensePlan *plan);
void gpu_dense_plan_training(const DenseShape *shape, GpuDenseTask task, GpuDensePlan *plan);
