/* Weights of any feed-forward network by gradient: Adam (Kingma and Ba 2015) on small batches, with
 * steps that shrink to nothing. Rows are sparse, so a row costs what its inputs that are not zero
 * feed into. */
#pragma once

#include "base/clock.h"
#include "learn/networks/neural_network.h"

typedef enum {
    LOSS_CROSS_ENTROPY, /* for sigmoid outputs; others take the square */
    LOSS_SQUARE,
    LOSS_ABSOLUTE /* what the thesis's fitness measures; pulls to medians */
} Loss;

typedef struct {
    Loss loss;
    double rate;         /* of the first steps; 0: 0.01 */
    double decay;        /* share of every weight that a pass takes away, biases but for */
    uint32_t batch;      /* rows a step; 0: all */
    uint32_t passes;     /* over the examples, at most */
    double enough;       /* a mean loss at which training ends; 0: none */
    uint64_t seed;       /* of the order of rows */
    Deadline deadline;   /* by which it ends; {0}: never */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
    /* Rows that are not trained on: the weights that did best on them are kept. NULL: the last. */
    const Examples *held_out;
} GradientOptions;

/* Changes weights and biases; the shape stays. Returns the mean loss: on the held-out rows where
 * there are any, else on the examples. */
double gradient_train(Network *network, const Examples *examples, const GradientOptions *options);

/* The mean loss on examples, by weight, added up over the outputs. */
double gradient_loss(Network *network, const Examples *examples, Loss loss);

/* Layers: sigmoid outputs over `hidden` tanh units, and links past them if there are none or if
 * `skips`; small random weights. */
void network_make_layers(Network *network, uint32_t inputs, uint32_t hidden, uint32_t outputs,
                         bool skips, uint64_t seed);
