/* Fully connected layers of rectified linear units over the facts of a state. Their outputs are
 * values of the state and a policy over moves. Both ends are sparse: a row lists the facts that
 * hold and the outputs that are wanted, such as the legal moves. The rest costs nothing. */
#pragma once

#include <stdbool.h>

#include "base/pool.h"
#include "base/report.h"
#include "base/vector.h"

/* The outputs of a row come in groups. Outputs of the first group are values, each with a sigmoid
 * of its own. Every other group is a softmax and may be empty. Floats are summed in one order,
 * whatever the number of threads and the width of the vectors, so that results are the same. */

enum {
    DENSE_UNITS = 32, /* the units of a layer are a multiple of this */
    DENSE_MAX_UNITS = 1 << 11,
    DENSE_MAX_LAYERS = 8,
    DENSE_MAX_OUTPUTS = 1 << 16,
    DENSE_MAX_PARAMETERS = 1 << 25
};

typedef VECTOR(float) FloatVector;

typedef struct {
    uint32_t inputs, outputs;
    uint32_t layers; /* number of hidden layers, at least 1 */
    uint32_t units;  /* units per hidden layer */
} DenseShape;

/* The parameters, one block after the other: `inputs` rows of `units` weights and `units` biases;
 * for each other hidden layer `units` rows of weights, one for each unit they come from, and
 * `units` biases; `outputs` rows of `units` weights, and `outputs` biases. */
typedef struct {
    DenseShape shape;
    float *parameters;
} Dense;

/* True if the numbers are in range and there are not too many parameters. */
bool dense_is_possible(const DenseShape *shape);
size_t dense_parameter_count(const DenseShape *shape);
/* Small random weights (He and others 2015); the weights of outputs are 0. */
Dense *dense_create(const DenseShape *shape, uint64_t seed);
Dense *dense_copy(const Dense *from);
void dense_free(Dense *dense);
/* True if no input can overflow a sum or give NaN. */
bool dense_is_sound(const Dense *dense);

/* Offsets of the blocks in `parameters`. Layer 0 is the first hidden layer. */
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

/* Rows of a batch. The facts of row i start at fact_starts[i]. Its groups have the numbers
 * i * group_count to (i + 1) * group_count - 1, and the outputs of group g start at
 * group_starts[g]. Both lists of starts have one more item for the end. */
typedef struct {
    uint32_t rows, group_count;
    U32Vector fact_starts, facts, group_starts, outputs;
} DenseBatch;

void dense_batch_clear(DenseBatch *batch, uint32_t group_count);
void dense_batch_free(DenseBatch *batch);
/* A row has the items pushed to `facts` and, group by group, to `outputs` since the last row. */
void dense_batch_end_group(DenseBatch *batch);
void dense_batch_end_row(DenseBatch *batch);
/* Appends the rows of another batch. */
void dense_batch_append(DenseBatch *batch, const DenseBatch *rows);

static inline uint32_t dense_row_first(const DenseBatch *batch, uint32_t row) {
    return batch->group_starts.items[(size_t)row * batch->group_count];
}

/* Computes the sums of the wanted outputs, in the order of batch->outputs. */
void dense_forward(const Dense *dense, const DenseBatch *batch, Pool *pool, float *sums);
/* Turns the sums of one row into values and probabilities, in place. */
void dense_finish_row(const DenseBatch *batch, uint32_t row, float *sums);

/* ---- training ---- */

typedef struct {
    double rate;  /* step size of Adam (Kingma and Ba 2015) */
    double decay; /* weight decay: a step multiplies each weight by 1 - rate * decay */
} DenseStep;

/* Step size of step `number`, counted from 1, with the bias correction of Adam. */
float dense_adam_rate(const DenseStep *step, uint64_t number);
#define DENSE_TINY 1e-8F /* added to the divisor (Kingma and Ba 2015) */

/* An inverted index of a batch: the rows of each input, or the places of each output in
 * batch->outputs. With it one thread adds up the gradient of a weight in a fixed order. */
typedef struct {
    U32Vector starts, places;
} DenseIndex;

void dense_index_inputs(const DenseBatch *batch, uint32_t inputs, DenseIndex *index);
void dense_index_outputs(const DenseBatch *batch, uint32_t outputs, DenseIndex *index);

/* The loss of a row: the sum of the cross-entropies of its values and of its other groups.
 * `targets` are parallel to batch->outputs. `sums` become the gradient of the loss. */
double dense_row_loss(const DenseBatch *batch, uint32_t row, const float *targets, float *sums);

typedef struct DenseTrainer DenseTrainer;
/* Trains the network in place. */
DenseTrainer *dense_trainer_create(Dense *dense, Pool *pool);
void dense_trainer_free(DenseTrainer *trainer);
/* One step; returns the mean loss of the rows before it. */
double dense_train(DenseTrainer *trainer, const DenseBatch *batch, const float *targets,
                   const DenseStep *step);
/* Computes only the gradient of the summed loss, one number per parameter. Used by tests. */
const float *dense_gradient(DenseTrainer *trainer, const DenseBatch *batch, const float *targets,
                            double *loss);

/* ---- engines ---- */

enum { DENSE_SLOTS = 2 };

/* An engine keeps a network and evaluates and trains it: the processor, or a GPU. Two batches may
 * be under way at a time, each in its slot. The caller leaves batch and sums alone from start to
 * finish. All functions return false if the device failed; its own report has the reason. A batch
 * whose start failed is not under way. */
typedef struct {
    void *context;
    bool (*start)(void *context, unsigned slot, const DenseBatch *batch, float *sums);
    bool (*finish)(void *context, unsigned slot);
    bool (*train)(void *context, const DenseBatch *batch, const float *targets,
                  const DenseStep *step, double *loss);
    /* Copies the current parameters. */
    bool (*fetch)(void *context, Dense *dense);
} DenseEngine;

/* The engine on the processor, which evaluates and trains the network of the trainer in place. */
DenseEngine dense_processor_engine(DenseTrainer *trainer);
