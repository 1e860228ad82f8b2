/* Compiles the kernels of dense layers as C, runs them thread after thread, and compares the
 * results with the processor's. */
#include "gpu/gpu_dense.h"

#include <criterion/criterion.h>
#include <math.h>

#include "../learn/dense_rows.h"
#include "base/random.h"
#include "device_in_c.h"

TestSuite(gpu_dense, .timeout = 600);

typedef void KernelInC(GpuDenseTask task);

typedef struct {
    void *library;
    uint32_t *thread;
    KernelInC *kernels[GPU_DENSE_KERNELS];
} Kernels;

static Kernels kernels_in_c(void) {
    Kernels k = {.library = device_library(gpu_source_dense, NULL, NULL)};
    k.thread = dlsym(k.library, "thread_number");
    cr_assert_not_null(k.thread);
    for (int i = 0; i < GPU_DENSE_KERNELS; i++) {
        void *found = dlsym(k.library, gpu_dense_kernels[i]);
        cr_assert_not_null(found);
        memcpy(&k.kernels[i], &found, sizeof found);
    }
    return k;
}

/* Runs the last threads first, since no result may depend on the order. */
static void run(const Kernels *k, const GpuDensePlan *plan) {
    for (size_t i = 0; i < plan->count; i++)
        for (uint32_t t = plan->items[i].threads + 3; t-- > 0;) {
            *k->thread = t;
            k->kernels[plan->items[i].kernel](plan->items[i].task);
        }
}

/* A network laid out as on a device, aligned. */
typedef struct {
    float *parameters, *gradient, *mean, *variance, *activations, *deltas, *sums, *losses;
    uint32_t *row_of;
    DenseIndex by_input, by_output;
    GpuDenseTask task;
} Twin;

static float *floats(size_t count) {
    size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
    return memset(aligned_alloc(64, bytes), 0, bytes);
}

static Twin twin_of(const Dense *d, const DenseBatch *b, const float *targets) {
    const DenseShape *s = &d->shape;
    size_t count = dense_parameter_count(s);
    size_t rows = (b->rows + GPU_DENSE_TILE - 1) / GPU_DENSE_TILE * GPU_DENSE_TILE;
    Twin t = {.parameters = floats(count),
              .gradient = floats(count),
              .mean = floats(count),
              .variance = floats(count),
              .activations = floats(s->layers * rows * s->units),
              .deltas = floats(s->layers * rows * s->units),
              .sums = floats(b->outputs.count + 1),
              .losses = floats(b->rows + 1u),
              .row_of = memory_zalloc((b->outputs.count + 1) * sizeof *t.row_of)};
    memcpy(t.parameters, d->parameters, count * sizeof(float));
    for (uint32_t row = 0; row < b->rows; row++)
        for (uint32_t k = dense_row_first(b, row); k < dense_row_first(b, row + 1); k++)
            t.row_of[k] = row;
    dense_index_inputs(b, s->inputs, &t.by_input);
    dense_index_outputs(b, s->outputs, &t.by_output);
    t.task = (GpuDenseTask){.parameters = address(t.parameters),
                            .gradient = address(t.gradient),
                            .mean = address(t.mean),
                            .variance = address(t.variance),
                            .fact_starts = address(b->fact_starts.items),
                            .facts = address(b->facts.items),
                            .group_starts = address(b->group_starts.items),
                            .outputs = address(b->outputs.items),
                            .row_of = address(t.row_of),
                            .input_starts = address(t.by_input.starts.items),
                            .input_rows = address(t.by_input.places.items),
                            .output_starts = address(t.by_output.starts.items),
                            .output_places = address(t.by_output.places.items),
                            .targets = address(targets),
                            .activations = address(t.activations),
                            .deltas = address(t.deltas),
                            .sums = address(t.sums),
                            .losses = address(t.losses),
                            .stride = rows * s->units,
                            .rows = b->rows,
                            .group_count = b->group_count,
                            .place_count = (uint32_t)b->outputs.count};
    return t;
}

static void free_twin(Twin *t) {
    free(t->parameters);
    free(t->gradient);
    free(t->mean);
    free(t->variance);
    free(t->activations);
    free(t->deltas);
    free(t->sums);
    free(t->losses);
    free(t->row_of);
    vectors_free(&t->by_input.starts, &t->by_input.places, &t->by_output.starts,
                 &t->by_output.places);
}

Test(gpu_dense, kernels_say_what_the_processor_says) {
    Kernels kernels = kernels_in_c();
    DenseBatch b = {0};
    FloatVector targets = {0};
    make_rows(45, 11, &b, &targets);
    Dense *d = make_network(12);
    Twin twin = twin_of(d, &b, targets.items);
    GpuDensePlan plan = {0};
    float *sums = memory_zalloc((b.outputs.count + 1) * sizeof *sums);
    dense_forward(d, &b, NULL, sums);
    gpu_dense_plan_forward(&shape, twin.task, &plan);
    run(&kernels, &plan);
    for (size_t k = 0; k < b.outputs.count; k++)
        cr_assert_float_eq(twin.sums[k], sums[k], 1e-4);
    free(sums);
    vector_free(&plan);
    free_twin(&twin);
    dense_free(d);
    dense_batch_free(&b);
    vector_free(&targets);
    dlclose(kernels.library);
}

Test(gpu_dense, kernels_train_as_the_processor_does) {
    Kernels kernels = kernels_in_c();
    DenseBatch b = {0};
    FloatVector targets = {0};
    make_rows(29, 13, &b, &targets);
    Dense *d = make_network(14);
    Twin twin = twin_of(d, &b, targets.items);
    Pool *pool = pool_create(1);
    DenseTrainer *trainer = dense_trainer_create(d, pool);
    DenseStep step = {.rate = 0.002, .decay = 0.01};
    GpuDensePlan plan = {0};
    for (uint64_t i = 1; i <= 3; i++) {
        double loss = dense_train(trainer, &b, targets.items, &step), mean = 0;
        twin.task.rate = dense_adam_rate(&step, i);
        twin.task.shrink = (float)(1 - step.rate * step.decay);
        vector_clear(&plan);
        gpu_dense_plan_training(&shape, twin.task, &plan);
        run(&kernels, &plan);
        for (uint32_t row = 0; row < b.rows; row++)
            mean += (double)twin.losses[row] / b.rows;
        cr_assert_float_eq(mean, loss, 1e-4);
        /* The first steps of Adam have the same length whatever the gradient. If the gradient is
         * nearly zero, its sign is random. */
        for (size_t p = 0; p < dense_parameter_count(&shape); p++)
            if (fabsf(twin.gradient[p]) > 1e-4F)
                cr_assert_float_eq(twin.parameters[p], d->parameters[p], 1e-4, "%lu: %zu", i, p);
        memcpy(twin.parameters, d->parameters, dense_parameter_count(&shape) * sizeof(float));
    }
    vector_free(&plan);
    free_twin(&twin);
    dense_trainer_free(trainer);
    pool_free(pool);
    dense_free(d);
    dense_batch_free(&b);
    vector_free(&targets);
    dlclose(kernels.library);
}

Test(gpu_dense, tickets_are_signed) {
    Kernels kernels = kernels_in_c();
    uint32_t ticket = 0;
    GpuDensePlan plan = {0};
    vector_push(&plan,
                ((GpuDenseLaunch){GPU_DENSE_SIGN, 1, {.ticket = address(&ticket), .number = 77}}));
    run(&kernels, &plan);
    cr_assert_eq(ticket, 77);
    vector_free(&plan);
    dlclose(kernels.library);
}
