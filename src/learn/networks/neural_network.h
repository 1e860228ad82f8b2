/* Feed-forward networks of any shape. Every learner returns one: a clamped sum, a layered
 * perceptron or an evolved network. Nodes stand in the order of evaluation. Recurrent edges, from a
 * later node or from the node itself, are allowed only in network_step. */
#pragma once

#include <assert.h>
#include <math.h>

#include "learn/data/examples.h"

typedef enum {
    ACTIVATION_IDENTITY,
    ACTIVATION_CLAMP, /* (x + 1) / 2, kept in 0..1 */
    ACTIVATION_SIGMOID,
    ACTIVATION_TANH,
    ACTIVATION_COUNT
} Activation;

const char *activation_name(Activation activation);

typedef struct {
    Activation activation;
    float bias;
    uint32_t first_edge, edge_count;
} NetworkNode;

typedef struct {
    uint32_t from; /* an input, or input_count plus a node */
    float weight;
} NetworkEdge;

typedef struct {
    uint32_t input_count;
    VECTOR(NetworkNode) nodes;
    VECTOR(NetworkEdge) edges;
    U32Vector outputs; /* numbers of nodes, without input_count */
} Network;

void network_free(Network *network);
/* Empties the network and sets its number of inputs. */
void network_clear(Network *network, uint32_t input_count);
void network_copy(Network *to, const Network *from);
/* Returns the number of the node. Edges added afterwards lead to it. */
uint32_t network_add_node(Network *network, Activation activation, float bias);
void network_add_edge(Network *network, uint32_t from, float weight);
/* The number of nodes that are not outputs. */
uint32_t network_hidden(const Network *network);
/* The largest sum of a sound network: floats reach 3.4e38, and partial sums are rounded. */
#define NETWORK_MAX_SUM 1e37
/* The first node that is not sound: an edge leads backwards or comes from nowhere, or inputs of
 * absolute value at most most[input] (NULL: 1) could make its sum exceed NETWORK_MAX_SUM. The
 * number of nodes if all are sound. */
uint32_t network_find_unsound(const Network *network, const double *most);
/* True if all nodes are sound for inputs up to 1 and all outputs are nodes. */
bool network_is_sound(const Network *network);

float activation_apply(Activation activation, float sum);
/* Applies the activation to many sums in place; `count` is rounded up to a multiple of 16. */
void activation_apply_all(Activation activation, float *sums, size_t count);

/* Computes the outputs for all rows, laid out like matrix->targets. */
void network_predict(const Network *network, const Matrix *matrix, float *predictions);
/* One time step of a recurrent network. An edge from a node carries the node's value of the step
 * before, in `before`, which starts as zeros; an edge from an input carries the current value. Both
 * arrays have room for all nodes. */
void network_step(const Network *network, const float *inputs, const float *before, float *after);

/* The weighted mean of |target - prediction| over rows and outputs. *is_right becomes true if all
 * outputs of all rows are on the right side of 0.5. Faster than network_errors. */
double network_absolute_error(const Network *network, const Matrix *matrix, bool *is_right);
/* The weighted mean cross-entropy over rows and outputs. */
double network_cross_entropy(const Network *network, const Matrix *matrix);

/* Errors of predictions, weighted by row. */
typedef struct {
    double absolute; /* mean |target - prediction| over rows and outputs */
    double squared;  /* mean of (target - prediction) squared: the Brier score */
    double cross_entropy;
    double close; /* share of rows with all outputs within 0.25 */
    double right; /* share of rows with all outputs on the right side of 0.5 */
} Errors;

Errors errors_of(const Matrix *matrix, const float *predictions);
Errors network_errors(const Network *network, const Matrix *matrix);

/* network_draw.c: draws the network as SVG: inputs, hidden nodes and outputs. Inputs without an
 * edge are left out. `name` appends the label of an input; NULL: numbers. */
void network_draw(const Network *network, void (*name)(void *context, uint32_t input, Text *out),
                  void *context, Text *out);

/* Fitness of the genetic algorithm of the thesis: 100 times (1 - mean absolute error), 0..100. */
static inline double errors_fitness(const Errors *errors) {
    return 100 * (1 - errors->absolute);
}
/* Fitness of NEAT in the thesis: 100 times the square of (1 - mean absolute error), 0..100. */
static inline double errors_neat_fitness(const Errors *errors) {
    return 100 * (1 - errors->absolute) * (1 - errors->absolute);
}
