/* A batch is copied to the device in one piece. Its results are copied back, followed by a number,
 * its ticket. So the caller can wait for one batch, not for all work that was queued after it. */
#include "gpu/gpu_dense.h"

#include <assert.h>
#include <string.h>

#include "gpu/kernel_source.h"

enum {
    THREADS = 128,
    TRAINING_SLOTS = 4 /* steps of training under way at most (untuned) */,
    BATCH_BUFFERS = DENSE_SLOTS + TRAINING_SLOTS
};

/* The buffers of one batch on both sides, and the ticket that tells when they are free again. */
typedef struct {
    void *host, *returned;      /* page-locked memory: what is sent, what comes back */
    GpuAddress device, answers; /* buffers on the device */
    size_t bytes, answer_bytes; /* capacities */
    uint32_t number;            /* its last ticket; 0 before the first */
    float *sums;                /* where the caller wants the results of the batch */
    size_t answer_count;        /* floats that come back */
    bool is_under_way;
} BatchBuffers;

struct GpuDense {
    Gpu *gpu;
    Report *report;
    DenseShape shape;
    GpuStream *stream;
    GpuKernel *kernels[GPU_DENSE_KERNELS];
    GpuAddress parameters;  /* parameters, gradient, mean, variance: each padded, on the device */
    GpuAddress layers;      /* on the device: activations of all layers, then their gradients */
    GpuAddress tickets;     /* on the device: the last ticket of each slot */
    uint32_t *host_tickets; /* page-locked copies of these tickets */
    size_t rows_held;       /* rows for which `layers` has room */
    BatchBuffers batch_buffers[BATCH_BUFFERS];
    uint32_t last_number, next_training_step; /* last ticket; number of the next step of training */
    uint64_t steps;
    double loss; /* mean loss per row of the latest step that is known */
    GpuDensePlan plan;
    DenseIndex by_input, by_output;
};

const char *const gpu_dense_kernels[GPU_DENSE_KERNELS] = {"dense_first",
                                                          "dense_layer",
                                                          "dense_outputs",
                                                          "dense_loss",
                                                          "dense_delta_top",
                                                          "dense_delta",
                                                          "dense_gradient_inputs",
                                                          "dense_gradient_outputs",
                                                          "dense_gradient_layer",
                                                          "dense_gradient_biases",
                                                          "dense_adam",
                                                          "dense_sign"};

/* ---- plans: the launches of a batch ---- */

static void add_launch(GpuDensePlan *plan, GpuDenseKernel kernel, size_t threads,
                       const GpuDenseTask *task) {
    vector_push(plan, ((GpuDenseLaunch){kernel, (uint32_t)threads, *task}));
}

static void point_at_layer(const DenseShape *s, uint32_t layer, GpuDenseTask *t) {
    t->layer = layer;
    t->weights = (uint32_t)dense_layer_weights(s, layer);
    t->biases = (uint32_t)dense_layer_biases(s, layer);
}

static void point_at_outputs(const DenseShape *s, GpuDenseTask *t) {
    t->weights = (uint32_t)dense_output_weights(s);
    t->biases = (uint32_t)dense_output_biases(s);
}

static void fill_in(const DenseShape *s, GpuDenseTask *t) {
    t->inputs = s->inputs;
    t->output_count = s->outputs;
    t->layers = s->layers;
    t->units = s->units;
    t->parameter_count = (uint32_t)dense_parameter_count(s);
    t->tiny = DENSE_TINY;
}

static size_t tiles_of(uint32_t rows) {
    return (rows + GPU_DENSE_TILE - 1) / GPU_DENSE_TILE;
}

void gpu_dense_plan_forward(const DenseShape *s, GpuDenseTask t, GpuDensePlan *plan) {
    fill_in(s, &t);
    point_at_layer(s, 0, &t);
    add_launch(plan, GPU_DENSE_FIRST, (size_t)t.rows * (s->units / 4), &t);
    for (uint32_t l = 1; l < s->layers; l++) {
        point_at_layer(s, l, &t);
        add_launch(plan, GPU_DENSE_LAYER, tiles_of(t.rows) * (s->units / 4), &t);
    }
    point_at_outputs(s, &t);
    add_launch(plan, GPU_DENSE_OUTPUTS, t.place_count, &t);
}

void gpu_dense_plan_training(const DenseShape *s, GpuDenseTask t, GpuDensePlan *plan) {
    gpu_dense_plan_forward(s, t, plan);
    fill_in(s, &t);
    t.share = 1 / (float)t.rows;
    point_at_outputs(s, &t);
    add_launch(plan, GPU_DENSE_LOSS, t.rows, &t);
    add_launch(plan, GPU_DENSE_DELTA_TOP, (size_t)t.rows * (s->units / 4), &t);
    add_launch(plan, GPU_DENSE_GRADIENT_OUTPUTS, (size_t)s->outputs * (s->units / 4), &t);
    for (uint32_t l = s->layers; l-- > 0;) {
        point_at_layer(s, l, &t);
        add_launch(plan, GPU_DENSE_GRADIENT_BIASES, s->units / 4, &t);
        if (l == 0)
            break;
        add_launch(plan, GPU_DENSE_GRADIENT_LAYER, (size_t)(s->units / 4) * (s->units / 4), &t);
        add_launch(plan, GPU_DENSE_DELTA, tiles_of(t.rows) * s->units, &t);
    }
    add_launch(plan, GPU_DENSE_GRADIENT_INPUTS, (size_t)s->inputs * (s->units / 4), &t);
    add_launch(plan, GPU_DENSE_ADAM, t.parameter_count, &t);
}

/* ---- memory ---- */

/* Padded to a multiple of four, because kernels read and write four floats at a time. */
static size_t padded_parameters(const DenseShape *s) {
    return (dense_parameter_count(s) + 3) / 4 * 4;
}

static bool make_room_for_rows(GpuDense *d, uint32_t rows) {
    size_t padded = tiles_of(rows) * GPU_DENSE_TILE;
    if (padded <= d->rows_held)
        return true;
    size_t bytes = 2 * d->shape.layers * padded * d->shape.units * sizeof(float);
    if (!gpu_stream_wait(d->gpu, d->stream, d->report))
        return false;
    gpu_free(d->gpu, d->layers);
    d->rows_held = 0;
    d->layers = gpu_alloc(d->gpu, bytes, d->report);
    if (!d->layers || !gpu_zero(d->gpu, d->layers, bytes, d->report))
        return false;
    d->rows_held = padded;
    return true;
}

static void free_batch_buffers(GpuDense *d, BatchBuffers *c) {
    gpu_host_free(d->gpu, c->host);
    gpu_host_free(d->gpu, c->returned);
    gpu_free(d->gpu, c->device);
    gpu_free(d->gpu, c->answers);
    c->host = c->returned = NULL;
    c->device = c->answers = 0;
    c->bytes = c->answer_bytes = c->answer_count = 0;
}

/* Allocates half more than needed, so that it seldom happens twice. */
static bool reserve_batch_buffers(GpuDense *d, BatchBuffers *c, size_t bytes, size_t answer_bytes) {
    if (bytes <= c->bytes && answer_bytes <= c->answer_bytes)
        return true;
    if (!gpu_stream_wait(d->gpu, d->stream, d->report))
        return false;
    free_batch_buffers(d, c);
    bytes += bytes / 2;
    answer_bytes += answer_bytes / 2;
    c->host = gpu_host_alloc(d->gpu, bytes, d->report);
    c->returned = gpu_host_alloc(d->gpu, answer_bytes, d->report);
    c->device = gpu_alloc(d->gpu, bytes, d->report);
    c->answers = gpu_alloc(d->gpu, answer_bytes, d->report);
    if (!c->host || !c->returned || !c->device || !c->answers)
        return false;
    c->bytes = bytes;
    c->answer_bytes = answer_bytes;
    return true;
}

/* ---- batch_buffers ---- */

/* Appends items of 32 bits to the buffer and returns their future address on the device. */
static GpuAddress lay(const BatchBuffers *c, size_t *at, const void *from, size_t count) {
    GpuAddress address = c->device + *at;
    assert(*at + count * sizeof(uint32_t) <= c->bytes);
    if (count)
        memcpy((char *)c->host + *at, from, count * sizeof(uint32_t));
    *at += count * sizeof(uint32_t);
    return address;
}

static GpuAddress lay_rows(const BatchBuffers *c, size_t *at, const DenseBatch *b) {
    GpuAddress address = c->device + *at;
    uint32_t *rows = (uint32_t *)((char *)c->host + *at);
    for (uint32_t row = 0; row < b->rows; row++)
        for (uint32_t k = dense_row_first(b, row); k < dense_row_first(b, row + 1); k++)
            rows[k] = row;
    *at += b->outputs.count * sizeof(uint32_t);
    return address;
}

static GpuDenseTask lay_batch(const GpuDense *d, const BatchBuffers *c, const DenseBatch *b,
                              size_t *at) {
    size_t parameters = padded_parameters(&d->shape);
    size_t stride = d->rows_held * d->shape.units;
    GpuDenseTask t = {.rows = b->rows,
                      .group_count = b->group_count,
                      .place_count = (uint32_t)b->outputs.count,
                      .parameters = d->parameters,
                      .gradient = d->parameters + parameters * sizeof(float),
                      .mean = d->parameters + 2 * parameters * sizeof(float),
                      .variance = d->parameters + 3 * parameters * sizeof(float),
                      .activations = d->layers,
                      .deltas = d->layers + d->shape.layers * stride * sizeof(float),
                      .stride = stride,
                      .sums = c->answers};
    t.fact_starts = lay(c, at, b->fact_starts.items, b->fact_starts.count);
    t.facts = lay(c, at, b->facts.items, b->facts.count);
    t.outputs = lay(c, at, b->outputs.items, b->outputs.count);
    t.row_of = lay_rows(c, at, b);
    return t;
}

/* Waits for the ticket of the slot, or for the end of the stream if the device has failed. */
static bool wait_for(GpuDense *d, BatchBuffers *c) {
    size_t number = (size_t)(c - d->batch_buffers);
    if (!c->is_under_way)
        return true;
    while (__atomic_load_n(&d->host_tickets[number], __ATOMIC_ACQUIRE) != c->number)
        if (gpu_stream_is_done(d->gpu, d->stream)) {
            if (!gpu_stream_wait(d->gpu, d->stream, d->report))
                return false;
            break;
        }
    c->is_under_way = false;
    return true;
}

static bool run_plan(GpuDense *d) {
    bool ok = true;
    for (size_t i = 0; ok && i < d->plan.count; i++) {
        GpuDenseLaunch *l = &d->plan.items[i];
        void *arguments[] = {&l->task};
        if (l->threads)
            ok = gpu_launch(d->kernels[l->kernel], d->stream, (l->threads + THREADS - 1) / THREADS,
                            THREADS, arguments, d->report);
    }
    return ok;
}

/* Queues a copy of the buffer, the plan, a copy of `count` floats from `from`, and the ticket. */
static bool send(GpuDense *d, BatchBuffers *c, size_t bytes, GpuAddress from, size_t count) {
    size_t number = (size_t)(c - d->batch_buffers);
    GpuDenseTask sign = {.ticket = d->tickets + number * sizeof(uint32_t)};
    c->number = sign.number = ++d->last_number;
    c->answer_count = count;
    add_launch(&d->plan, GPU_DENSE_SIGN, 1, &sign);
    c->is_under_way =
        gpu_stream_write(d->gpu, d->stream, c->device, c->host, bytes, d->report) && run_plan(d) &&
        gpu_stream_read(d->gpu, d->stream, c->returned, from, count * sizeof(float), d->report) &&
        gpu_stream_read(d->gpu, d->stream, &d->host_tickets[number], sign.ticket, sizeof(uint32_t),
                        d->report);
    return c->is_under_way;
}

/* ---- the functions of the engine ---- */

static size_t batch_words(const DenseBatch *b) {
    return b->fact_starts.count + b->facts.count + 2 * b->outputs.count;
}

static bool start(void *context, unsigned slot, const DenseBatch *b, float *sums) {
    GpuDense *d = context;
    assert(slot < DENSE_SLOTS);
    BatchBuffers *c = &d->batch_buffers[slot];
    size_t at = 0, places = b->outputs.count;
    if (!wait_for(d, c) || !make_room_for_rows(d, b->rows) ||
        !reserve_batch_buffers(d, c, batch_words(b) * sizeof(uint32_t),
                               (places + 1) * sizeof(float)))
        return false;
    GpuDenseTask task = lay_batch(d, c, b, &at);
    c->sums = sums;
    vector_clear(&d->plan);
    gpu_dense_plan_forward(&d->shape, task, &d->plan);
    return send(d, c, at, c->answers, places);
}

static bool finish(void *context, unsigned slot) {
    GpuDense *d = context;
    assert(slot < DENSE_SLOTS);
    BatchBuffers *c = &d->batch_buffers[slot];
    if (!c->is_under_way) {
        report_error(d->report, "gpu", "no batch is under way in slot %u", slot);
        return false;
    }
    if (!wait_for(d, c))
        return false;
    memcpy(c->sums, c->returned, c->answer_count * sizeof *c->sums);
    return true;
}

/* Updates the loss from the step of training that used this slot last. */
static void update_loss(GpuDense *d, const BatchBuffers *c) {
    const float *losses = c->returned;
    double sum = 0;
    for (size_t i = 0; i < c->answer_count; i++)
        sum += (double)losses[i];
    if (c->answer_count)
        d->loss = sum / (double)c->answer_count;
}

/* Does not wait for the step: the loss is that of an earlier step, except for the first one. */
static bool train(void *context, const DenseBatch *b, const float *targets, const DenseStep *step,
                  double *loss) {
    GpuDense *d = context;
    BatchBuffers *c = &d->batch_buffers[DENSE_SLOTS + d->next_training_step++ % TRAINING_SLOTS];
    size_t at = 0, places = b->outputs.count, rows = b->rows;
    if (!wait_for(d, c))
        return false;
    update_loss(d, c);
    dense_index_inputs(b, d->shape.inputs, &d->by_input);
    dense_index_outputs(b, d->shape.outputs, &d->by_output);
    size_t words = batch_words(b) + b->group_starts.count + places + d->by_input.starts.count +
                   d->by_input.places.count + d->by_output.starts.count + d->by_output.places.count;
    if (!make_room_for_rows(d, b->rows) ||
        !reserve_batch_buffers(d, c, words * sizeof(uint32_t), (places + rows + 1) * sizeof(float)))
        return false;
    GpuDenseTask t = lay_batch(d, c, b, &at);
    t.group_starts = lay(c, &at, b->group_starts.items, b->group_starts.count);
    t.targets = lay(c, &at, targets, places);
    t.input_starts = lay(c, &at, d->by_input.starts.items, d->by_input.starts.count);
    t.input_rows = lay(c, &at, d->by_input.places.items, d->by_input.places.count);
    t.output_starts = lay(c, &at, d->by_output.starts.items, d->by_output.starts.count);
    t.output_places = lay(c, &at, d->by_output.places.items, d->by_output.places.count);
    t.losses = c->answers + places * sizeof(float);
    t.rate = dense_adam_rate(step, ++d->steps);
    t.shrink = (float)(1 - step->rate * step->decay);
    vector_clear(&d->plan);
    gpu_dense_plan_training(&d->shape, t, &d->plan);
    if (!send(d, c, at, t.losses, rows) || (d->steps == 1 && !wait_for(d, c)))
        return false;
    if (d->steps == 1)
        update_loss(d, c);
    *loss = d->loss;
    return true;
}

static bool fetch(void *context, Dense *dense) {
    GpuDense *d = context;
    return gpu_stream_wait(d->gpu, d->stream, d->report) &&
           gpu_read(d->gpu, dense->parameters, d->parameters,
                    dense_parameter_count(&d->shape) * sizeof(float), d->report);
}

DenseEngine gpu_dense_engine(GpuDense *d) {
    return (DenseEngine){d, start, finish, train, fetch};
}

/* ---- creating and freeing ---- */

static bool make_kernels(GpuDense *d) {
    GpuBinary binary = {0};
    bool ok = gpu_binary(d->gpu, gpu_source_dense, NULL, 0, &binary, d->report);
    for (int k = 0; ok && k < GPU_DENSE_KERNELS; k++) {
        d->kernels[k] = gpu_kernel_create(d->gpu, &binary, gpu_dense_kernels[k], 0, d->report);
        ok = d->kernels[k] != NULL;
    }
    vector_free(&binary);
    return ok;
}

static bool copy_network(GpuDense *d, const Dense *dense) {
    size_t bytes = dense_parameter_count(&d->shape) * sizeof(float);
    size_t all = 4 * padded_parameters(&d->shape) * sizeof(float);
    d->parameters = gpu_alloc(d->gpu, all, d->report);
    d->tickets = gpu_alloc(d->gpu, BATCH_BUFFERS * sizeof(uint32_t), d->report);
    d->host_tickets = gpu_host_alloc(d->gpu, BATCH_BUFFERS * sizeof(uint32_t), d->report);
    return d->parameters && d->tickets && d->host_tickets &&
           gpu_zero(d->gpu, d->parameters, all, d->report) &&
           gpu_write(d->gpu, d->parameters, dense->parameters, bytes, d->report);
}

GpuDense *gpu_dense_create(Gpu *gpu, const Dense *dense, Report *report) {
    GpuDense *d = memory_zalloc(sizeof *d);
    d->gpu = gpu;
    d->report = report;
    d->shape = dense->shape;
    d->stream = gpu_stream_create(gpu, report);
    if (d->stream && make_kernels(d) && copy_network(d, dense))
        return d;
    gpu_dense_free(d);
    return NULL;
}

void gpu_dense_free(GpuDense *d) {
    if (!d)
        return;
    Report ignored = {0};
    if (d->stream)
        gpu_stream_wait(d->gpu, d->stream, &ignored);
    report_free(&ignored);
    for (int k = 0; k < GPU_DENSE_KERNELS; k++)
        gpu_kernel_free(d->kernels[k]);
    for (int c = 0; c < BATCH_BUFFERS; c++)
        free_batch_buffers(d, &d->batch_buffers[c]);
    gpu_free(d->gpu, d->parameters);
    gpu_free(d->gpu, d->layers);
    gpu_free(d->gpu, d->tickets);
    gpu_host_free(d->gpu, d->host_tickets);
    gpu_stream_free(d->gpu, d->stream);
    vectors_free(&d->plan, &d->by_input.starts, &d->by_input.places, &d->by_output.starts,
                 &d->by_output.places);
    free(d);
}
