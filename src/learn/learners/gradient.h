/* Trains the weights of any feed-forward network by gradient: Adam (Kingma and Ba 2015) on small
 * batches, with a step size that decreases to 0. A row costs the edges from its nonzero inputs. */
#pragma once

#include "base/clock.h"
#include "learn/networks/neural_network.h"

typedef enum {
    LOSS_CROSS_ENTROPY, /* for sigmoid outputs; other outputs get the gradient of LOSS_SQUARE */
    LOSS_SQUARE,
    LOSS_ABSOLUTE /* the error of the thesis of 2013; its minimum is the median */
} Loss;

typedef struct {
    Loss loss;
    double rate;     /* initial step size; 0: 0.01 */
    double decay;    /* weight decay: a step multiplies weights by 1 - decay * rate, not biases */
    uint32_t batch;  /* rows per step; 0: all */
    uint32_t passes; /* passes over the examples, at most */
    double target_loss;  /* training ends below this mean loss; 0: never */
    uint64_t seed;       /* determines the order of rows */
    Deadline deadline;   /* {0}: none */
    const bool *stopped; /* set by another thread to end training; NULL: nobody does */
    /* Rows for early stopping: the weights that are best on them are returned. NULL: the last. */
    const Examples *held_out;
} GradientOptions;

/* Changes weights and biases. Returns the mean loss on the held-out rows; without any, on all. */
double gradient_train(Network *network, const Examples *examples, const GradientOptions *options);

/* The weighted mean loss over the examples, summed over the outputs. */
double gradient_loss(Network *network, const Examples *examples, Loss loss);

/* Builds sigmoid outputs over `hidden` tanh units with small random weights. Inputs are linked to
 * the outputs directly if there are no hidden units or `skips` is set. */
void network_make_layers(Network *network, uint32_t inputs, uint32_t hidden, uint32_t outputs,
                         bool skips, uint64_t seed);
