/* Rows of a data set as numbers. */
#include "learn/examples.h"

#include <math.h>

Examples *examples_create(uint32_t input_count, uint32_t output_count) {
    Examples *e = memory_zalloc(sizeof *e);
    e->input_count = input_count;
    e->output_count = output_count;
    vector_push(&e->starts, 0);
    return e;
}

void examples_free(Examples *e) {
    if (!e)
        return;
    vector_free(&e->entries);
    vector_free(&e->starts);
    vector_free(&e->targets);
    vector_free(&e->weights);
    free(e);
}

static float value_of(double score, const ScoreRange *range) {
    double lowest = range ? range->lowest : 0, highest = range ? range->highest : 100;
    double value = highest > lowest ? (score - lowest) / (highest - lowest) : 0.5;
    return (float)(value < 0 ? 0 : value > 1 ? 1 : value);
}

void examples_end_row(Examples *e, const DataSet *set, size_t row, const ScoreRange *ranges,
                      Weighing weighing) {
    double count = set->counts.items[row];
    double weight = weighing == WEIGH_BY_COUNT  ? count
                    : weighing == WEIGH_BY_ROOT ? sqrt(count)
                                                : 1;
    vector_push(&e->starts, (uint32_t)e->entries.count);
    for (uint32_t o = 0; o < e->output_count; o++)
        vector_push(&e->targets, value_of(dataset_scores(set, row)[o], ranges ? &ranges[o] : NULL));
    vector_push(&e->weights, (float)weight);
}

Examples *examples_of_facts(const DataSet *set, const ScoreRange *ranges, Weighing weighing) {
    Examples *e = examples_create(dataset_fact_count(set), set->role_count);
    for (size_t i = 0; i < dataset_rows(set); i++) {
        for (uint32_t k = 0; k < dataset_size(set, i); k++)
            vector_push(&e->entries, ((ExampleEntry){dataset_facts(set, i)[k], 1}));
        examples_end_row(e, set, i, ranges, weighing);
    }
    return e;
}

Examples *examples_of_output(const Examples *e, uint32_t output) {
    Examples *one = examples_create(e->input_count, 1);
    for (size_t i = 0; i < e->entries.count; i++)
        vector_push(&one->entries, e->entries.items[i]);
    for (size_t i = 0; i < examples_rows(e); i++) {
        vector_push(&one->starts, e->starts.items[i + 1]);
        vector_push(&one->targets, e->targets.items[i * e->output_count + output]);
        vector_push(&one->weights, e->weights.items[i]);
    }
    return one;
}

Matrix *matrix_create(const Examples *e) {
    Matrix *m = memory_zalloc(sizeof *m);
    size_t rows = examples_rows(e);
    m->input_count = e->input_count;
    m->output_count = e->output_count;
    m->rows = rows;
    m->stride = (rows + MATRIX_BLOCK - 1) / MATRIX_BLOCK * MATRIX_BLOCK;
    m->columns = memory_zalloc((m->stride * e->input_count + 1) * sizeof(float));
    m->targets = memory_zalloc((m->stride * e->output_count + 1) * sizeof(float));
    m->weights = memory_zalloc((m->stride + 1) * sizeof(float));
    for (size_t i = 0; i < rows; i++) {
        for (uint32_t k = e->starts.items[i]; k < e->starts.items[i + 1]; k++)
            m->columns[e->entries.items[k].input * m->stride + i] = e->entries.items[k].value;
        for (uint32_t o = 0; o < e->output_count; o++)
            m->targets[o * m->stride + i] = e->targets.items[i * e->output_count + o];
        m->weights[i] = e->weights.items[i];
        m->weight += (double)e->weights.items[i];
    }
    return m;
}

void matrix_free(Matrix *m) {
    if (!m)
        return;
    free(m->columns);
    free(m->targets);
    free(m->weights);
    free(m);
}
