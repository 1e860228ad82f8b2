/* Networks, batches and the forward pass. The sums of a tile of four rows and 32 units stay in
 * registers while the loop runs over the units of the layer below. */
#include "learn/networks/dense_layers.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "learn/networks/dense_internal.h"
#include "learn/networks/neural_network.h"

bool dense_is_possible(const DenseShape *s) {
    return s->inputs > 0 && s->inputs <= DENSE_MAX_PARAMETERS && s->outputs > 0 &&
           s->outputs <= DENSE_MAX_OUTPUTS && s->layers > 0 && s->layers <= DENSE_MAX_LAYERS &&
           s->units > 0 && s->units <= DENSE_MAX_UNITS && s->units % DENSE_UNITS == 0 &&
           dense_parameter_count(s) <= DENSE_MAX_PARAMETERS;
}

size_t dense_parameter_count(const DenseShape *s) {
    return dense_output_biases(s) + s->outputs;
}

Dense *dense_create(const DenseShape *shape, uint64_t seed) {
    assert(dense_is_possible(shape));
    Dense *d = memory_zalloc(sizeof *d);
    Random random;
    d->shape = *shape;
    d->parameters = memory_zalloc(dense_parameter_count(shape) * sizeof *d->parameters);
    random_seed(&random, seed);
    for (uint32_t l = 0; l < shape->layers; l++) {
        /* About a quarter of the facts hold at a time (untuned). */
        double fan = l ? shape->units : shape->inputs / 4.0 + 1, most = sqrt(6 / fan);
        for (size_t i = dense_layer_weights(shape, l); i < dense_layer_biases(shape, l); i++)
            d->parameters[i] = (float)((2 * random_double(&random) - 1) * most);
    }
    return d;
}

Dense *dense_copy(const Dense *from) {
    size_t bytes = dense_parameter_count(&from->shape) * sizeof *from->parameters;
    Dense *d = memory_zalloc(sizeof *d);
    d->shape = from->shape;
    d->parameters = memcpy(memory_alloc(bytes), from->parameters, bytes);
    return d;
}

void dense_free(Dense *d) {
    if (!d)
        return;
    memory_free(d->parameters, d);
}

/* Largest absolute weight of a sound network; model files have the same bound. */
static const double MAX_WEIGHT = 1e30;

/* Bounds the activations of a layer, by unit, from the bounds of the layer below; facts are 1 at
 * most. False if a bound is too large or NaN. */
static bool bound_layer(const Dense *d, uint32_t layer, const double *below, double *bounds) {
    const DenseShape *s = &d->shape;
    const float *weights = d->parameters + dense_layer_weights(s, layer);
    const float *biases = d->parameters + dense_layer_biases(s, layer);
    bool is_sound = true;
    for (uint32_t u = 0; u < s->units; u++)
        bounds[u] = fabs((double)biases[u]);
    for (uint32_t i = 0; i < (layer ? s->units : s->inputs); i++)
        for (uint32_t u = 0; u < s->units; u++)
            bounds[u] += fabs((double)*weights++) * (layer ? below[i] : 1);
    for (uint32_t u = 0; u < s->units; u++)
        is_sound = is_sound && bounds[u] < NETWORK_MAX_SUM;
    return is_sound;
}

static bool are_outputs_sound(const Dense *d, const double *below) {
    const DenseShape *s = &d->shape;
    const float *weights = d->parameters + dense_output_weights(s);
    const float *biases = d->parameters + dense_output_biases(s);
    bool are_sound = true;
    for (uint32_t o = 0; o < s->outputs; o++) {
        double sum = fabs((double)biases[o]);
        for (uint32_t u = 0; u < s->units; u++)
            sum += fabs((double)*weights++) * below[u];
        are_sound = are_sound && sum < NETWORK_MAX_SUM;
    }
    return are_sound;
}

bool dense_is_sound(const Dense *d) {
    const DenseShape *s = &d->shape;
    double *bounds[2] = {memory_alloc(s->units * sizeof **bounds),
                         memory_alloc(s->units * sizeof **bounds)};
    bool is_sound = true;
    for (size_t i = 0; i < dense_parameter_count(s); i++)
        is_sound = is_sound && fabs((double)d->parameters[i]) < MAX_WEIGHT;
    for (uint32_t l = 0; l < s->layers && is_sound; l++)
        is_sound = bound_layer(d, l, bounds[(l + 1) % 2], bounds[l % 2]);
    is_sound = is_sound && are_outputs_sound(d, bounds[(s->layers - 1) % 2]);
    memory_free(bounds[0], bounds[1]);
    return is_sound;
}

/* ---- batches ---- */

void dense_batch_clear(DenseBatch *b, uint32_t group_count) {
    assert(group_count > 0);
    b->rows = 0;
    b->group_count = group_count;
    vector_clear(&b->facts);
    vector_clear(&b->outputs);
    vector_clear(&b->fact_starts);
    vector_clear(&b->group_starts);
    vector_push(&b->fact_starts, 0);
    vector_push(&b->group_starts, 0);
}

void dense_batch_free(DenseBatch *b) {
    vectors_free(&b->facts, &b->outputs, &b->fact_starts, &b->group_starts);
}

void dense_batch_end_group(DenseBatch *b) {
    vector_push(&b->group_starts, (uint32_t)b->outputs.count);
}

void dense_batch_end_row(DenseBatch *b) {
    vector_push(&b->fact_starts, (uint32_t)b->facts.count);
    b->rows++;
    assert(b->group_starts.count == (size_t)b->rows * b->group_count + 1);
}

static void append_starts(U32Vector *to, const U32Vector *from) {
    uint32_t offset = vector_last(to);
    uint32_t *starts = vector_extend(to, from->count - 1);
    for (size_t i = 1; i < from->count; i++)
        starts[i - 1] = offset + from->items[i];
}

void dense_batch_append(DenseBatch *b, const DenseBatch *rows) {
    assert(b->group_count == rows->group_count);
    vector_append(&b->facts, rows->facts.items, rows->facts.count);
    vector_append(&b->outputs, rows->outputs.items, rows->outputs.count);
    append_starts(&b->fact_starts, &rows->fact_starts);
    append_starts(&b->group_starts, &rows->group_starts);
    b->rows += rows->rows;
}

/* ---- the forward pass ---- */

/* The first layer of one row: biases plus the weights of the facts that hold. */
ALWAYS_INLINE void add_facts(const Dense *d, const DenseBatch *b, uint32_t row, float *into) {
    uint32_t units = d->shape.units;
    const float *biases = d->parameters + dense_layer_biases(&d->shape, 0);
    const uint32_t *fact = vector_from(&b->facts, b->fact_starts.items[row]);
    const uint32_t *end = vector_from(&b->facts, b->fact_starts.items[row + 1]);
    for (uint32_t u = 0; u < units; u += DENSE_UNITS) {
        Floats low = *(const LooseFloats *)(biases + u);
        Floats high = *(const LooseFloats *)(biases + u + FLOATS);
        for (const uint32_t *f = fact; f < end; f++) {
            const float *weights = d->parameters + (size_t)*f * units + u;
            low += *(const LooseFloats *)weights;
            high += *(const LooseFloats *)(weights + FLOATS);
        }
        *(LooseFloats *)(into + u) = low;
        *(LooseFloats *)(into + u + FLOATS) = high;
    }
}

ALWAYS_INLINE void rectify(float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = values[i] > 0 ? values[i] : 0;
}

ALWAYS_INLINE void add_tile(const float *weights, const float *biases, uint32_t units, uint32_t u,
                            const float *from, float *into) {
    Floats sums[TILE_ROWS][2];
    for (int r = 0; r < TILE_ROWS; r++)
        for (int k = 0; k < 2; k++)
            sums[r][k] = *(const LooseFloats *)(biases + u + k * FLOATS);
    for (uint32_t i = 0; i < units; i++) {
        const float *row = weights + (size_t)i * units + u;
        Floats low = *(const LooseFloats *)row, high = *(const LooseFloats *)(row + FLOATS);
        for (int r = 0; r < TILE_ROWS; r++) {
            float value = from[(size_t)r * units + i];
            sums[r][0] += value * low;
            sums[r][1] += value * high;
        }
    }
    for (int r = 0; r < TILE_ROWS; r++)
        for (int k = 0; k < 2; k++)
            *(LooseFloats *)(into + (size_t)r * units + u + k * FLOATS) = sums[r][k];
}

ALWAYS_INLINE float dot(const float *a, const float *b, uint32_t count) {
    Floats low = {0}, high = {0};
    for (uint32_t i = 0; i < count; i += DENSE_UNITS) {
        low += *(const LooseFloats *)(a + i) * *(const LooseFloats *)(b + i);
        high += *(const LooseFloats *)(a + i + FLOATS) * *(const LooseFloats *)(b + i + FLOATS);
    }
    low += high;
    float sum = 0;
    for (int k = 0; k < FLOATS; k++)
        sum += low[k];
    return sum;
}

/* Rows of the tile beyond `rows` stay undefined. */
ALWAYS_INLINE void pass_tile_generic(const Dense *d, const DenseBatch *b, uint32_t first,
                                     uint32_t rows, float *const *layers, float *sums) {
    const DenseShape *s = &d->shape;
    const float *p = d->parameters;
    size_t tile = (size_t)TILE_ROWS * s->units;
    for (uint32_t r = 0; r < rows; r++)
        add_facts(d, b, first + r, layers[0] + (size_t)r * s->units);
    rectify(layers[0], tile);
    for (uint32_t l = 1; l < s->layers; l++) {
        for (uint32_t u = 0; u < s->units; u += DENSE_UNITS)
            add_tile(p + dense_layer_weights(s, l), p + dense_layer_biases(s, l), s->units, u,
                     layers[l - 1], layers[l]);
        rectify(layers[l], tile);
    }
    const float *weights = p + dense_output_weights(s), *biases = p + dense_output_biases(s);
    for (uint32_t r = 0; r < rows; r++) {
        const float *top = layers[s->layers - 1] + (size_t)r * s->units;
        for (uint32_t k = dense_row_first(b, first + r); k < dense_row_first(b, first + r + 1);
             k++) {
            uint32_t o = b->outputs.items[k];
            sums[k] = dot(weights + (size_t)o * s->units, top, s->units) + biases[o];
        }
    }
}

CPU_DISPATCH(void, pass_tile,
             (const Dense *d, const DenseBatch *b, uint32_t first, uint32_t rows,
              float *const *layers, float *sums),
             (d, b, first, rows, layers, sums))

void dense_pass_tile(const Dense *d, const DenseBatch *b, uint32_t first, uint32_t rows,
                     float *const *layers, float *sums) {
    assert(rows > 0 && rows <= TILE_ROWS && first + rows <= b->rows);
    pass_tile(d, b, first, rows, layers, sums);
}

typedef struct {
    const Dense *dense;
    const DenseBatch *batch;
    float *sums;
} Forward;

enum { ROWS_PER_JOB = 8 * TILE_ROWS };

static void forward_job(void *context, size_t job, unsigned worker) {
    const Forward *f = context;
    const DenseShape *s = &f->dense->shape;
    (void)worker;
    size_t tile = (size_t)TILE_ROWS * s->units;
    float *memory = memory_zalloc(s->layers * tile * sizeof *memory);
    float *layers[DENSE_MAX_LAYERS];
    for (uint32_t l = 0; l < s->layers; l++)
        layers[l] = memory + l * tile;
    uint32_t first = (uint32_t)job * ROWS_PER_JOB, end = first + ROWS_PER_JOB;
    end = end < f->batch->rows ? end : f->batch->rows;
    for (; first < end; first += TILE_ROWS) {
        uint32_t rows = end - first < TILE_ROWS ? end - first : TILE_ROWS;
        dense_pass_tile(f->dense, f->batch, first, rows, layers, f->sums);
    }
    free(memory);
}

void dense_forward(const Dense *dense, const DenseBatch *batch, Pool *pool, float *sums) {
    assert(batch->fact_starts.count == (size_t)batch->rows + 1);
    size_t jobs = (batch->rows + ROWS_PER_JOB - 1) / ROWS_PER_JOB;
    Forward forward = {dense, batch, sums};
    if (pool)
        pool_run(pool, jobs, forward_job, &forward);
    else
        for (size_t j = 0; j < jobs; j++)
            forward_job(&forward, j, 0);
}

/* ---- outputs and losses ---- */

static void make_shares(float *sums, size_t count) {
    float most = -INFINITY, all = 0;
    for (size_t i = 0; i < count; i++)
        most = sums[i] > most ? sums[i] : most;
    for (size_t i = 0; i < count; i++)
        all += sums[i] = expf(sums[i] - most);
    for (size_t i = 0; i < count; i++)
        sums[i] /= all;
}

static float sigmoid(float x) {
    return 1 / (1 + expf(-x));
}

void dense_finish_row(const DenseBatch *b, uint32_t row, float *sums) {
    assert(row < b->rows);
    const uint32_t *starts = b->group_starts.items + (size_t)row * b->group_count;
    for (uint32_t k = starts[0]; k < starts[1]; k++)
        sums[k] = sigmoid(sums[k]);
    for (uint32_t g = 1; g < b->group_count; g++)
        make_shares(sums + starts[g], starts[g + 1] - starts[g]);
}

static double surprise(double share) {
    return -log(share > 1e-12 ? share : 1e-12);
}

double dense_row_loss(const DenseBatch *b, uint32_t row, const float *targets, float *sums) {
    const uint32_t *starts = b->group_starts.items + (size_t)row * b->group_count;
    double loss = 0;
    dense_finish_row(b, row, sums);
    for (uint32_t k = starts[0]; k < starts[1]; k++) {
        double value = (double)sums[k], target = (double)targets[k];
        loss += target * surprise(value) + (1 - target) * surprise(1 - value);
    }
    for (uint32_t k = starts[1]; k < starts[b->group_count]; k++)
        if (targets[k] > 0)
            loss += (double)targets[k] * surprise((double)sums[k]);
    for (uint32_t k = starts[0]; k < starts[b->group_count]; k++)
        sums[k] -= targets[k];
    return loss;
}
