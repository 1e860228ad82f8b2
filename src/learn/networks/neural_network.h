/* Feed-forward networks of any shape: what every learner here ends in, be it one clamped sum, a
 * layered perceptron or what evolution made. Nodes stand in the order of evaluation; an edge may
 * come from a later node, or from the node itself, only where time passes: in network_step. */
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
    uint32_t from; /* an input, or input_count + node */
    float weight;
} NetworkEdge;

typedef struct {
    uint32_t input_count;
    VECTOR(NetworkNode) nodes;
    VECTOR(NetworkEdge) edges;
    U32Vector outputs; /* nodes, without input_count */
} Network;

void network_free(Network *network);
/* Empties it for so many inputs. */
void network_clear(Network *network, uint32_t input_count);
void network_copy(Network *to, const Network *from);
/* Edges added afterwards belong to the node. Returns its number. */
uint32_t network_add_node(Network *network, Activation activation, float bias);
void network_add_edge(Network *network, uint32_t from, float weight);
/* Nodes that are no outputs. */
uint32_t network_hidden(const Network *network);
/* Floats go to 3.4e38, and sums are rounded on their way. */
#define NETWORK_MOST_SUM 1e37
/* The first node with an edge that goes back or does not exist, or whose sum inputs of at most so
 * much either way, by input (NULL: 1 each), could make larger than that; the number of nodes if
 * there is none. */
uint32_t network_find_unsound(const Network *network, const double *most);
/* Whether there is none, and outputs are nodes. */
bool network_is_sound(const Network *network);

float activation_apply(Activation activation, float sum);
/* The same for many sums at once, in place; their number is rounded up to whole sixteens. */
void activation_apply_all(Activation activation, float *sums, size_t count);

/* The outputs on all rows, by output and row as in matrix->targets. */
void network_predict(const Network *network, const Matrix *matrix, float *predictions);
/* One step in time: an edge from a node takes a step, so that it carries what the node had
 * `before`; one from an input does not. Both have room for all nodes; `before` starts as zeros. */
void network_step(const Network *network, const float *inputs, const float *before, float *after);

/* The mean of |target - prediction| over rows and outputs, by weight; and whether all outputs of
 * all rows are on the right side of 0.5. For those who try very many networks. */
double network_absolute_error(const Network *network, const Matrix *matrix, bool *is_right);
/* The mean cross-entropy, in the same way. */
double network_cross_entropy(const Network *network, const Matrix *matrix);

/* How far predictions are off, by weight. */
typedef struct {
    double absolute; /* mean |target - prediction| over rows and outputs */
    double squared;  /* mean of its square: the Brier score */
    double cross_entropy;
    double close; /* share of rows with all outputs within 0.25 */
    double right; /* share of rows with all outputs on the right side of 0.5 */
} Errors;

Errors errors_of(const Matrix *matrix, const float *predictions);
Errors network_errors(const Network *network, const Matrix *matrix);

/* Fitness of the genetic algorithm of the thesis, 0..100: its formula (4.3). */
static inline double errors_fitness(const Errors *errors) {
    return 100 * (1 - errors->absolute);
}
/* Fitness of NEAT in the thesis, 0..100: its formula (5.2). */
static inline double errors_neat_fitness(const Errors *errors) {
    return 100 * (1 - errors->absolute) * (1 - errors->absolute);
}
