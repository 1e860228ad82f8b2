/* Training on the processor. First the rows are passed forward and back in parallel. Then each row
 * of weights adds up its own gradient over the batch, so that no two threads write to one place. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "learn/networks/dense_internal.h"

struct DenseTrainer {
    Dense *dense;
    Pool *pool;
    /* One number per parameter; mean and variance are those of Adam. */
    float *gradient, *mean, *variance;
    float *memory;                        /* activations and deltas of the batch */
    size_t rows_held;                     /* number of rows for which `memory` has room */
    float *activations[DENSE_MAX_LAYERS]; /* by layer: activations, by row and unit */
    /* By layer: derivatives of the loss by the sums, by row and unit. */
    float *deltas[DENSE_MAX_LAYERS];
    VECTOR(float) sums;
    VECTOR(double) losses;
    U32Vector row_of; /* by place in the list of outputs: its row */
    DenseIndex by_input, by_output;
    uint64_t steps;
    /* The current training step: */
    const DenseBatch *batch;
    const float *targets;
    float rate, shrink;
};

enum { PARAMETERS_PER_JOB = 1 << 13, SOURCES_PER_JOB = TILE_ROWS };

DenseTrainer *dense_trainer_create(Dense *dense, Pool *pool) {
    size_t count = dense_parameter_count(&dense->shape);
    DenseTrainer *t = memory_zalloc(sizeof *t);
    t->dense = dense;
    t->pool = pool;
    t->gradient = memory_zalloc(3 * count * sizeof *t->gradient);
    t->mean = t->gradient + count;
    t->variance = t->mean + count;
    return t;
}

void dense_trainer_free(DenseTrainer *t) {
    if (!t)
        return;
    memory_free(t->gradient, t->memory);
    vectors_free(&t->sums, &t->losses, &t->row_of, &t->by_input.starts, &t->by_input.places,
                 &t->by_output.starts, &t->by_output.places);
    free(t);
}

/* ---- inverted indices ---- */

/* A counting sort: counts become ends, and ends become starts while filling from the back. */
static void begin_index(DenseIndex *index, uint32_t items, const U32Vector *list) {
    vector_clear(&index->starts);
    vector_clear(&index->places);
    memset(vector_extend(&index->starts, (size_t)items + 1), 0,
           ((size_t)items + 1) * sizeof *index->starts.items);
    (void)vector_extend(&index->places, list->count);
    for (size_t i = 0; i < list->count; i++)
        index->starts.items[list->items[i]]++;
    for (uint32_t i = 1; i <= items; i++)
        index->starts.items[i] += index->starts.items[i - 1];
}

void dense_index_inputs(const DenseBatch *b, uint32_t inputs, DenseIndex *index) {
    begin_index(index, inputs, &b->facts);
    for (uint32_t row = b->rows; row-- > 0;)
        for (uint32_t k = b->fact_starts.items[row + 1]; k-- > b->fact_starts.items[row];)
            index->places.items[--index->starts.items[b->facts.items[k]]] = row;
}

void dense_index_outputs(const DenseBatch *b, uint32_t outputs, DenseIndex *index) {
    begin_index(index, outputs, &b->outputs);
    for (size_t k = b->outputs.count; k-- > 0;)
        index->places.items[--index->starts.items[b->outputs.items[k]]] = (uint32_t)k;
}

/* ---- rows ---- */

ALWAYS_INLINE void add_scaled(float *into, const float *from, float by, uint32_t count) {
    for (uint32_t i = 0; i < count; i += FLOATS)
        *(LooseFloats *)(into + i) += by * *(const LooseFloats *)(from + i);
}

ALWAYS_INLINE void mask(float *deltas, const float *activations, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        deltas[i] = activations[i] > 0 ? deltas[i] : 0;
}

/* Computes the deltas of a layer from the next one, by the weights that leave each unit. */
ALWAYS_INLINE void backpropagate_deltas(const float *weights, uint32_t units, const float *from,
                                        float *into) {
    for (uint32_t i = 0; i < units; i++) {
        const float *row = weights + (size_t)i * units;
        Floats sums[TILE_ROWS] = {{0}};
        for (uint32_t u = 0; u < units; u += FLOATS) {
            Floats w = *(const LooseFloats *)(row + u);
            for (int r = 0; r < TILE_ROWS; r++)
                sums[r] += w * *(const LooseFloats *)(from + (size_t)r * units + u);
        }
        for (int r = 0; r < TILE_ROWS; r++) {
            float sum = 0;
            for (int k = 0; k < FLOATS; k++)
                sum += sums[r][k];
            into[(size_t)r * units + i] = sum;
        }
    }
}

ALWAYS_INLINE void blame_tile_generic(DenseTrainer *t, uint32_t first, uint32_t rows) {
    const DenseShape *s = &t->dense->shape;
    const float *p = t->dense->parameters, *outputs = p + dense_output_weights(s);
    size_t at = (size_t)first * s->units, tile = (size_t)TILE_ROWS * s->units;
    memset(t->deltas[s->layers - 1] + at, 0, tile * sizeof *t->memory);
    for (uint32_t row = first; row < first + rows; row++)
        for (uint32_t k = dense_row_first(t->batch, row); k < dense_row_first(t->batch, row + 1);
             k++)
            add_scaled(t->deltas[s->layers - 1] + (size_t)row * s->units,
                       outputs + (size_t)t->batch->outputs.items[k] * s->units, t->sums.items[k],
                       s->units);
    for (uint32_t l = s->layers; l-- > 0;) {
        mask(t->deltas[l] + at, t->activations[l] + at, (uint32_t)tile);
        if (l)
            backpropagate_deltas(p + dense_layer_weights(s, l), s->units, t->deltas[l] + at,
                                 t->deltas[l - 1] + at);
    }
}

CPU_DISPATCH(void, blame_tile, (DenseTrainer * t, uint32_t first, uint32_t rows), (t, first, rows))

static void pass_rows(void *context, size_t job, unsigned worker) {
    DenseTrainer *t = context;
    const DenseShape *s = &t->dense->shape;
    (void)worker;
    uint32_t first = (uint32_t)job * TILE_ROWS, left = t->batch->rows - first;
    uint32_t rows = left < TILE_ROWS ? left : TILE_ROWS;
    float *activations[DENSE_MAX_LAYERS];
    for (uint32_t l = 0; l < s->layers; l++)
        activations[l] = t->activations[l] + (size_t)first * s->units;
    dense_pass_tile(t->dense, t->batch, first, rows, activations, t->sums.items);
    for (uint32_t row = first; row < first + rows; row++)
        t->losses.items[row] = dense_row_loss(t->batch, row, t->targets, t->sums.items);
    blame_tile(t, first, rows);
}

/* ---- gradients ---- */

/* The gradient of four rows of weights of a hidden layer, 32 units at a time. */
ALWAYS_INLINE void add_sources(const DenseTrainer *t, uint32_t layer, uint32_t source) {
    const DenseShape *s = &t->dense->shape;
    float *gradient = t->gradient + dense_layer_weights(s, layer) + (size_t)source * s->units;
    for (uint32_t u = 0; u < s->units; u += 2 * FLOATS) {
        Floats sums[SOURCES_PER_JOB][2] = {{{0}}};
        for (uint32_t row = 0; row < t->batch->rows; row++) {
            const float *blame = t->deltas[layer] + (size_t)row * s->units + u;
            const float *activations = t->activations[layer - 1] + (size_t)row * s->units + source;
            Floats low = *(const LooseFloats *)blame;
            Floats high = *(const LooseFloats *)(blame + FLOATS);
            for (int i = 0; i < SOURCES_PER_JOB; i++) {
                sums[i][0] += activations[i] * low;
                sums[i][1] += activations[i] * high;
            }
        }
        for (int i = 0; i < SOURCES_PER_JOB; i++)
            for (int k = 0; k < 2; k++)
                *(LooseFloats *)(gradient + (size_t)i * s->units + u + k * FLOATS) = sums[i][k];
    }
}

ALWAYS_INLINE void add_biases(const DenseTrainer *t, uint32_t layer) {
    const DenseShape *s = &t->dense->shape;
    float *gradient = t->gradient + dense_layer_biases(s, layer);
    memset(gradient, 0, s->units * sizeof *gradient);
    for (uint32_t row = 0; row < t->batch->rows; row++)
        add_scaled(gradient, t->deltas[layer] + (size_t)row * s->units, 1, s->units);
}

ALWAYS_INLINE void add_input(const DenseTrainer *t, uint32_t input) {
    const DenseShape *s = &t->dense->shape;
    float *gradient = t->gradient + (size_t)input * s->units;
    memset(gradient, 0, s->units * sizeof *gradient);
    for (uint32_t k = t->by_input.starts.items[input]; k < t->by_input.starts.items[input + 1]; k++)
        add_scaled(gradient, t->deltas[0] + (size_t)t->by_input.places.items[k] * s->units, 1,
                   s->units);
}

ALWAYS_INLINE void add_output(const DenseTrainer *t, uint32_t output) {
    const DenseShape *s = &t->dense->shape;
    float *gradient = t->gradient + dense_output_weights(s) + (size_t)output * s->units;
    float bias = 0;
    memset(gradient, 0, s->units * sizeof *gradient);
    for (uint32_t k = t->by_output.starts.items[output]; k < t->by_output.starts.items[output + 1];
         k++) {
        uint32_t place = t->by_output.places.items[k];
        float blame = t->sums.items[place];
        add_scaled(gradient,
                   t->activations[s->layers - 1] + (size_t)t->row_of.items[place] * s->units, blame,
                   s->units);
        bias += blame;
    }
    t->gradient[dense_output_biases(s) + output] = bias;
}

/* Jobs come in the order inputs, outputs, sources of hidden layers, biases of layers. */
ALWAYS_INLINE void add_gradients_generic(const DenseTrainer *t, size_t job) {
    const DenseShape *s = &t->dense->shape;
    size_t blocks = s->units / SOURCES_PER_JOB;
    if (job < s->inputs) {
        add_input(t, (uint32_t)job);
        return;
    }
    job -= s->inputs;
    if (job < s->outputs) {
        add_output(t, (uint32_t)job);
        return;
    }
    job -= s->outputs;
    if (job < (s->layers - 1) * blocks)
        add_sources(t, (uint32_t)(1 + job / blocks), (uint32_t)(job % blocks) * SOURCES_PER_JOB);
    else
        add_biases(t, (uint32_t)(job - (s->layers - 1) * blocks));
}

CPU_DISPATCH(void, add_gradients, (const DenseTrainer *t, size_t job), (t, job))

static void gradient_job(void *context, size_t job, unsigned worker) {
    (void)worker;
    add_gradients(context, job);
}

/* ---- steps ---- */

/* Makes room for whole tiles. */
static void make_room(DenseTrainer *t, uint32_t rows) {
    const DenseShape *s = &t->dense->shape;
    size_t padded = (rows + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
    if (padded <= t->rows_held)
        return;
    free(t->memory);
    t->memory = memory_zalloc(2 * s->layers * padded * s->units * sizeof *t->memory);
    for (uint32_t l = 0; l < s->layers; l++) {
        t->activations[l] = t->memory + (size_t)l * padded * s->units;
        t->deltas[l] = t->memory + (size_t)(s->layers + l) * padded * s->units;
    }
    t->rows_held = padded;
}

static void list_rows(DenseTrainer *t) {
    const DenseBatch *b = t->batch;
    vector_clear(&t->row_of);
    (void)vector_extend(&t->row_of, b->outputs.count);
    for (uint32_t row = 0; row < b->rows; row++)
        for (uint32_t k = dense_row_first(b, row); k < dense_row_first(b, row + 1); k++)
            t->row_of.items[k] = row;
}

const float *dense_gradient(DenseTrainer *t, const DenseBatch *batch, const float *targets,
                            double *loss) {
    const DenseShape *s = &t->dense->shape;
    assert(batch->rows > 0);
    t->batch = batch;
    t->targets = targets;
    make_room(t, batch->rows);
    vector_clear(&t->sums);
    (void)vector_extend(&t->sums, batch->outputs.count + 1);
    vector_clear(&t->losses);
    (void)vector_extend(&t->losses, batch->rows);
    list_rows(t);
    dense_index_inputs(batch, s->inputs, &t->by_input);
    dense_index_outputs(batch, s->outputs, &t->by_output);
    pool_run(t->pool, (batch->rows + TILE_ROWS - 1) / TILE_ROWS, pass_rows, t);
    pool_run(t->pool,
             (size_t)s->inputs + s->outputs +
                 (size_t)(s->layers - 1) * (s->units / SOURCES_PER_JOB) + s->layers,
             gradient_job, t);
    *loss = 0;
    for (uint32_t row = 0; row < batch->rows; row++)
        *loss += t->losses.items[row] / batch->rows;
    return t->gradient;
}

float dense_adam_rate(const DenseStep *step, uint64_t number) {
    assert(number > 0);
    double n = (double)number;
    return (float)(step->rate * sqrt(1 - pow(0.999, n)) / (1 - pow(0.9, n)));
}

static void adam_job(void *context, size_t job, unsigned worker) {
    DenseTrainer *t = context;
    const float keep_mean = 0.9F, keep_variance = 0.999F, share = 1 / (float)t->batch->rows;
    size_t first = job * PARAMETERS_PER_JOB, end = first + PARAMETERS_PER_JOB;
    size_t count = dense_parameter_count(&t->dense->shape);
    float *parameters = t->dense->parameters;
    (void)worker;
    for (size_t i = first; i < end && i < count; i++) {
        float g = t->gradient[i] * share;
        t->mean[i] = keep_mean * t->mean[i] + (1 - keep_mean) * g;
        t->variance[i] = keep_variance * t->variance[i] + (1 - keep_variance) * (g * g);
        parameters[i] =
            t->shrink * parameters[i] - t->rate * t->mean[i] / (sqrtf(t->variance[i]) + DENSE_TINY);
    }
}

double dense_train(DenseTrainer *t, const DenseBatch *batch, const float *targets,
                   const DenseStep *step) {
    double loss;
    size_t count = dense_parameter_count(&t->dense->shape);
    dense_gradient(t, batch, targets, &loss);
    t->steps++;
    t->rate = dense_adam_rate(step, t->steps);
    t->shrink = (float)(1 - step->rate * step->decay);
    pool_run(t->pool, (count + PARAMETERS_PER_JOB - 1) / PARAMETERS_PER_JOB, adam_job, t);
    return loss;
}

/* ---- the engine on the processor ---- */

/* Evaluates at once, on the threads that would otherwise wait. */
static bool processor_start(void *context, unsigned slot, const DenseBatch *batch, float *sums) {
    const DenseTrainer *t = context;
    assert(slot < DENSE_SLOTS);
    dense_forward(t->dense, batch, t->pool, sums);
    return true;
}

static bool processor_finish(void *context, unsigned slot) {
    (void)context;
    (void)slot;
    return true;
}

static bool processor_train(void *context, const DenseBatch *batch, const float *targets,
                            const DenseStep *step, double *loss) {
    *loss = dense_train(context, batch, targets, step);
    return true;
}

static bool processor_fetch(void *context, Dense *dense) {
    const DenseTrainer *t = context;
    if (dense != t->dense)
        memcpy(dense->parameters, t->dense->parameters,
               dense_parameter_count(&dense->shape) * sizeof *dense->parameters);
    return true;
}

DenseEngine dense_processor_engine(DenseTrainer *t) {
    return (DenseEngine){t, processor_start, processor_finish, processor_train, processor_fetch};
}
