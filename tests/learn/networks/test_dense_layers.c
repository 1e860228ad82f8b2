/* Tests dense layers on sparse rows: their outputs, their gradient, and that they learn. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "../dense_rows.h"

TestSuite(dense, .timeout = 600);

/* Computes an output by the formulas, one number after the other, in doubles. */
static double plain_sum(const Dense *d, const DenseBatch *b, uint32_t row, uint32_t output) {
    const DenseShape *s = &d->shape;
    double layers[2][DENSE_MAX_UNITS];
    for (uint32_t l = 0; l < s->layers; l++)
        for (uint32_t u = 0; u < s->units; u++) {
            const float *weights = d->parameters + dense_layer_weights(s, l) + u;
            double sum = (double)d->parameters[dense_layer_biases(s, l) + u];
            if (l == 0)
                for (uint32_t k = b->fact_starts.items[row]; k < b->fact_starts.items[row + 1]; k++)
                    sum += (double)weights[(size_t)b->facts.items[k] * s->units];
            for (uint32_t i = 0; l && i < s->units; i++)
                sum += layers[(l + 1) % 2][i] * (double)weights[(size_t)i * s->units];
            layers[l % 2][u] = sum > 0 ? sum : 0;
        }
    double sum = (double)d->parameters[dense_output_biases(s) + output];
    for (uint32_t i = 0; i < s->units; i++)
        sum += layers[(s->layers - 1) % 2][i] *
               (double)d->parameters[dense_output_weights(s) + (size_t)output * s->units + i];
    return sum;
}

Test(dense, sums_are_those_of_the_formulas) {
    DenseBatch b = {0};
    FloatVector targets = {0};
    make_rows(77, 3, &b, &targets);
    Dense *d = make_network(4);
    Pool *pool = pool_create(3);
    float *sums = memory_zalloc((b.outputs.count + 1) * sizeof *sums);
    float *alone = memory_zalloc((b.outputs.count + 1) * sizeof *alone);
    dense_forward(d, &b, pool, sums);
    dense_forward(d, &b, NULL, alone);
    cr_assert_arr_eq(sums, alone, b.outputs.count * sizeof *sums);
    for (uint32_t row = 0; row < b.rows; row++)
        for (uint32_t k = dense_row_first(&b, row); k < dense_row_first(&b, row + 1); k++)
            cr_assert_float_eq(sums[k], plain_sum(d, &b, row, b.outputs.items[k]), 1e-4);
    for (uint32_t row = 0; row < b.rows; row++) {
        const uint32_t *starts = b.group_starts.items + (size_t)row * b.group_count;
        dense_finish_row(&b, row, sums);
        for (uint32_t g = 1; g < b.group_count; g++) {
            double all = 0;
            for (uint32_t k = starts[g]; k < starts[g + 1]; k++)
                all += (double)sums[k];
            cr_assert_float_eq(all, starts[g] < starts[g + 1] ? 1 : 0, 1e-5);
        }
    }
    free(sums);
    free(alone);
    pool_free(pool);
    dense_free(d);
    dense_batch_free(&b);
    vector_free(&targets);
}

static double mean_loss(const Dense *d, const DenseBatch *b, const float *targets) {
    float *sums = memory_zalloc((b->outputs.count + 1) * sizeof *sums);
    double loss = 0;
    dense_forward(d, b, NULL, sums);
    for (uint32_t row = 0; row < b->rows; row++)
        loss += dense_row_loss(b, row, targets, sums) / b->rows;
    free(sums);
    return loss;
}

/* Parameters of every block are moved slightly up and down; a few of them cross the kink of a
 * unit. */
Test(dense, the_gradient_is_the_slope_of_the_loss) {
    DenseBatch b = {0};
    FloatVector targets = {0};
    make_rows(22, 5, &b, &targets);
    Dense *d = make_network(6);
    Pool *pool = pool_create(2);
    DenseTrainer *trainer = dense_trainer_create(d, pool);
    double loss;
    const float *gradient = dense_gradient(trainer, &b, targets.items, &loss);
    cr_assert_float_eq(loss, mean_loss(d, &b, targets.items), 1e-6);
    size_t checked = 0, edges = 0, count = dense_parameter_count(&shape);
    for (size_t i = 0; i < count; i += 13) {
        const float before = d->parameters[i], step = 0.002F;
        d->parameters[i] = before + step;
        double up = mean_loss(d, &b, targets.items);
        d->parameters[i] = before - step;
        double down = mean_loss(d, &b, targets.items);
        d->parameters[i] = before;
        double slope = (up - down) / (2 * (double)step);
        double apart = fabs((double)gradient[i] / b.rows - slope);
        cr_assert_lt(apart, 0.02, "parameter %zu: %g is wrong by %g", i, slope, apart);
        edges += apart > 2e-3;
        checked += fabs(slope) > 1e-3;
    }
    cr_assert_gt(checked, count / 13 / 4);
    cr_assert_lt(edges, count / 13 / 50);
    dense_trainer_free(trainer);
    pool_free(pool);
    dense_free(d);
    dense_batch_free(&b);
    vector_free(&targets);
}

/* The value is 1 if facts 0 and 1 differ. The move of the first role is 3 if fact 2 holds, else
 * 1. */
static void make_puzzle(DenseBatch *b, FloatVector *targets) {
    dense_batch_clear(b, 1 + ROLES);
    vector_clear(targets);
    for (uint32_t bits = 0; bits < 8; bits++) {
        for (uint32_t f = 0; f < 3; f++)
            if (bits >> f & 1)
                vector_push(&b->facts, f);
        vector_push(&b->outputs, 0);
        vector_push(targets, (float)((bits & 1) ^ (bits >> 1 & 1)));
        dense_batch_end_group(b);
        for (uint32_t m = 0; m < MOVES; m++) {
            vector_push(&b->outputs, ROLES + m);
            vector_push(targets, (float)(m == (bits & 4 ? 3 : 1)));
        }
        dense_batch_end_group(b);
        dense_batch_end_group(b);
        dense_batch_end_row(b);
    }
}

static void learn_puzzle(unsigned threads, Dense *d) {
    DenseBatch b = {0};
    FloatVector targets = {0};
    make_puzzle(&b, &targets);
    Pool *pool = pool_create(threads);
    DenseTrainer *processor = dense_trainer_create(d, pool);
    DenseEngine engine = dense_processor_engine(processor);
    DenseStep step = {.rate = 0.003, .decay = 1e-4};
    double first = 0, loss = 0;
    for (int i = 0; i < 200; i++) {
        cr_assert(engine.train(engine.context, &b, targets.items, &step, &loss));
        first = i ? first : loss;
    }
    cr_assert_gt(first, 2);
    cr_assert_lt(loss, 0.05);
    float *sums = memory_zalloc((b.outputs.count + 1) * sizeof *sums);
    cr_assert(engine.start(engine.context, 0, &b, sums));
    cr_assert(engine.finish(engine.context, 0));
    for (uint32_t row = 0; row < b.rows; row++)
        dense_finish_row(&b, row, sums);
    for (size_t k = 0; k < b.outputs.count; k++)
        cr_assert_float_eq(sums[k], targets.items[k], 0.1);
    free(sums);
    dense_trainer_free(processor);
    pool_free(pool);
    dense_batch_free(&b);
    vector_free(&targets);
}

Test(dense, learns_and_threads_change_nothing) {
    Dense *one = dense_create(&shape, 7), *three = dense_copy(one);
    learn_puzzle(1, one);
    learn_puzzle(3, three);
    cr_assert_arr_eq(one->parameters, three->parameters,
                     dense_parameter_count(&shape) * sizeof(float));
    dense_free(one);
    dense_free(three);
}

Test(dense, shapes_out_of_range_are_impossible) {
    cr_assert(dense_is_possible(&shape));
    DenseShape s = shape;
    s.units = 33;
    cr_assert_not(dense_is_possible(&s));
    s = shape;
    s.layers = 0;
    cr_assert_not(dense_is_possible(&s));
    s = shape;
    s.inputs = DENSE_MAX_PARAMETERS;
    s.units = DENSE_MAX_UNITS;
    cr_assert_not(dense_is_possible(&s));
}
