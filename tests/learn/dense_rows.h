/* Made-up rows and networks, for tests of dense layers. */
#ifndef MARELLE_TESTS_LEARN_DENSE_ROWS_H
#define MARELLE_TESTS_LEARN_DENSE_ROWS_H

#include "base/random.h"
#include "learn/networks/dense_layers.h"

enum { ROLES = 2, MOVES = 5 };
static const DenseShape shape = {
    .inputs = 19, .outputs = ROLES + ROLES * MOVES, .layers = 3, .units = 64};

/* Makes rows of a few facts with values and with moves of one role or of both. */
static void make_rows(uint32_t rows, uint64_t seed, DenseBatch *b, FloatVector *targets) {
    Random random;
    random_seed(&random, seed);
    dense_batch_clear(b, 1 + ROLES);
    vector_clear(targets);
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t f = 0; f < shape.inputs; f++)
            if (random_below(&random, 3) == 0)
                vector_push(&b->facts, f);
        for (uint32_t r = 0; r < ROLES; r++) {
            vector_push(&b->outputs, r);
            vector_push(targets, (float)random_double(&random));
        }
        dense_batch_end_group(b);
        for (uint32_t r = 0; r < ROLES; r++) {
            uint32_t count = (uint32_t)random_below(&random, MOVES + 1);
            for (uint32_t m = 0; m < count; m++) {
                vector_push(&b->outputs, ROLES + r * MOVES + m);
                vector_push(targets, 1 / (float)count);
            }
            dense_batch_end_group(b);
        }
        dense_batch_end_row(b);
    }
}

/* Makes a network whose output weights are not zero either. */
static Dense *make_network(uint64_t seed) {
    Dense *d = dense_create(&shape, seed);
    Random random;
    random_seed(&random, seed + 1);
    for (size_t i = dense_output_weights(&shape); i < dense_parameter_count(&shape); i++)
        d->parameters[i] = (float)(random_double(&random) - 0.5);
    return d;
}

#endif
