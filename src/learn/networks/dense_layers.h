/* Layers of rectified units over the facts that hold in a state, for networks that say what a state
 * is worth and which moves are good. Both ends are sparse: a row names its facts and the outputs
 * that are wanted of it, the legal moves for instance, and what is not named costs nothing.
 *
 * The outputs of a row come in groups. The first one are values, each a sigmoid of its own; every
 * other group is a softmax, and may be empty. Sums of floats are made in one order whatever the
 * number of threads or the width of the processor, so that all of them say the same. */
#pragma once

#include <stdbool.h>

#include "base/pool.h"
#include "base/report.h"
#include "base/vector.h"

enum {
    DENSE_UNITS = 32, /* units of a layer are a multiple of it */
    DENSE_MOST_UNITS = 1 << 11,
    DENSE_MOST_LAYERS = 8,
    DENSE_MOST_OUTPUTS = 1 << 16,
    DENSE_MOST_PARAMETERS = 1 << 25
};

typedef VECTOR(float) FloatVector;

typedef struct {
    uint32_t inputs, outputs;
    uint32_t layers; /* hidden ones, at least one */
    uint32_t units;  /* of each of them */
} DenseShape;

/* The parameters, one block after the other: `inputs` rows of `units` weights and `units` biases;
 * for each other hidden layer `units` rows of `units` weights, a row for each unit they come from,
 * and `units` biases; `outputs` rows of `units` weights, a row for each output, and `outputs`
 * biases. */
typedef struct {
    DenseShape shape;
    float *parameters;
} Dense;

/* Whether the numbers are in range and the parameters not too many. */
bool dense_is_possible(const DenseShape *shape);
size_t dense_parameter_count(const DenseShape *shape);
/* Small random weights (He and others 2015), outputs that say nothing. */
Dense *dense_create(const DenseShape *shape, uint64_t seed);
Dense *dense_copy(const Dense *from);
void dense_free(Dense *dense);
/* Whether no facts whatever make a sum in it that is too large for a float, or none at all. */
bool dense_is_sound(const Dense *dense);

/* Where blocks begin. Layer 0 is the first hidden one. */
static inline size_t dense_layer_weights(const DenseShape *s, uint32_t layer) {
    size_t units = s->units;
    return layer == 0 ? 0 : (s->inputs + 1) * units + (size_t)(layer - 1) * (units + 1) * units;
}
static inline size_t dense_layer_biases(const DenseShape *s, uint32_t layer) {
    return dense_layer_weights(s, layer) + (size_t)(layer ? s->units : s->inputs) * s->units;
}
static inline size_t dense_output_weights(const DenseShape *s) {
    return dense_layer_weights(s, s->layers);
}
static inline size_t dense_output_biases(const DenseShape *s) {
    return dense_output_weights(s) + (size_t)s->outputs * s->units;
}

/* Rows of a batch. Row i holds the facts from fact_starts[i] on, and wants groups
 * i * group_count to (i + 1) * group_count - 1, group g being the outputs from group_starts[g] on;
 * both lists of starts have their end as a last item. */
typedef struct {
    uint32_t rows, group_count;
    U32Vector fact_starts, facts, group_starts, outputs;
} DenseBatch;

void dense_batch_clear(DenseBatch *batch, uint32_t group_count);
void dense_batch_free(DenseBatch *batch);
/* A row is what was pushed onto facts and, group by group, onto outputs since the last one. */
void dense_batch_end_group(DenseBatch *batch);
void dense_batch_end_row(DenseBatch *batch);
/* Adds the rows of another one. */
void dense_batch_append(DenseBatch *batch, const DenseBatch *rows);

static inline uint32_t dense_row_first(const DenseBatch *batch, uint32_t row) {
    return batch->group_starts.items[(size_t)row * batch->group_count];
}

/* The sums of the wanted outputs, in the order of batch->outputs. */
void dense_forward(const Dense *dense, const DenseBatch *batch, Pool *pool, float *sums);
/* Makes sums of one row into values and shares, in place. */
void dense_finish_row(const DenseBatch *batch, uint32_t row, float *sums);

/* ---- training ---- */

typedef struct {
    double rate;  /* of Adam (Kingma and Ba 2015) */
    double decay; /* share of a weight that a step takes away, times the rate */
} DenseStep;

/* The rate of that step, from 1 on, with Adam's correction of its first means. */
float dense_adam_rate(const DenseStep *step, uint64_t number);
#define DENSE_TINY 1e-8F /* that Adam adds to what it divides by */

/* What a device needs beside the batch: for every input the rows that hold it, and for every output
 * the places in batch->outputs where it is wanted. So every weight has one thread that adds its
 * gradient up, in order. */
typedef struct {
    U32Vector starts, places;
} DenseIndex;

void dense_index_inputs(const DenseBatch *batch, uint32_t inputs, DenseIndex *index);
void dense_index_outputs(const DenseBatch *batch, uint32_t outputs, DenseIndex *index);
void dense_index_free(DenseIndex *index);

/* The loss of a row: cross-entropies of its values and of its other groups, added up. `targets` go
 * with batch->outputs; sums become what the loss changes by, per unit of sum. */
double dense_row_loss(const DenseBatch *batch, uint32_t row, const float *targets, float *sums);

typedef struct DenseTrainer DenseTrainer;
/* Trains the network where it stands. */
DenseTrainer *dense_trainer_create(Dense *dense, Pool *pool);
void dense_trainer_free(DenseTrainer *trainer);
/* One step; returns the mean loss of the rows before it. */
double dense_train(DenseTrainer *trainer, const DenseBatch *batch, const float *targets,
                   const DenseStep *step);
/* The gradient of the mean loss alone, for those who check it: as many as parameters. */
const float *dense_gradient(DenseTrainer *trainer, const DenseBatch *batch, const float *targets,
                            double *loss);

/* ---- where it is done ---- */

enum { DENSE_SLOTS = 2 };

/* A place where a network lives, is asked and trained: the processor, or a GPU. Two batches may be
 * under way at a time, each in a slot; batches and sums are left alone from start to finish. All
 * are false if the device failed, and tell why in its own report; a batch whose start failed is not
 * under way. */
typedef struct {
    void *context;
    bool (*start)(void *context, unsigned slot, const DenseBatch *batch, float *sums);
    bool (*finish)(void *context, unsigned slot);
    bool (*train)(void *context, const DenseBatch *batch, const float *targets,
                  const DenseStep *step, double *loss);
    /* The parameters as they are now. */
    bool (*fetch)(void *context, Dense *dense);
} DenseEngine;

/* The processor as such a place; the network is trained where it stands. */
typedef struct DenseProcessor DenseProcessor;
DenseProcessor *dense_processor_create(Dense *dense, Pool *pool);
void dense_processor_free(DenseProcessor *processor);
DenseEngine dense_processor_engine(DenseProcessor *processor);
