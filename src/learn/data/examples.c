/* Stores examples in a few arrays and lays them out as a matrix with one column per input. */
#include "learn/data/examples.h"

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
    if (e->maker.context)
        e->maker.free(e->maker.context);
    vectors_free(&e->entries, &e->starts, &e->targets, &e->weights);
    free(e);
}

void example_reader_free(ExampleReader *reader) {
    vectors_free(&reader->entries, &reader->targets, &reader->counters, &reader->words);
}

float example_target(double score, const ScoreRange *range) {
    return (float)score_value(range ? range : &(ScoreRange){0, 100}, score);
}

float example_weight(uint32_t count, Weighing weighing) {
    return (float)(weighing == WEIGH_BY_COUNT  ? (double)count
                   : weighing == WEIGH_BY_ROOT ? sqrt((double)count)
                                               : 1);
}

void examples_add(Examples *e, const ExampleRow *row) {
    assert(!e->maker.context &&
           (!row->count || row->entries[row->count - 1].input < e->input_count));
    vector_append(&e->entries, row->entries, row->count);
    vector_push(&e->starts, (uint32_t)e->entries.count);
    vector_append(&e->targets, row->targets, e->output_count);
    vector_push(&e->weights, row->weight);
}

Examples *examples_of_facts(const DataSet *set, const ScoreRange *ranges, Weighing weighing) {
    Examples *e = examples_create(dataset_fact_count(set), set->role_count);
    ExampleReader row = {0};
    for (size_t i = 0; i < dataset_rows(set); i++) {
        vector_clear(&row.entries);
        vector_clear(&row.targets);
        for (uint32_t k = 0; k < dataset_size(set, i); k++)
            vector_push(&row.entries, ((ExampleEntry){dataset_facts(set, i)[k], 1}));
        for (uint32_t r = 0; r < set->role_count; r++)
            vector_push(&row.targets,
                        example_target(dataset_scores(set, i)[r], ranges ? &ranges[r] : NULL));
        examples_add(e, &(ExampleRow){row.entries.items, (uint32_t)row.entries.count,
                                      row.targets.items,
                                      example_weight(set->counts.items[i], weighing)});
    }
    example_reader_free(&row);
    return e;
}

Examples *examples_copy(const Examples *e, uint32_t first_output, uint32_t output_count) {
    assert(first_output + output_count <= e->output_count);
    Examples *copy = examples_create(e->input_count, output_count);
    ExampleReader reader = {0};
    for (size_t i = 0; i < examples_rows(e); i++) {
        ExampleRow row = examples_read(e, i, &reader);
        row.targets += first_output;
        examples_add(copy, &row);
    }
    example_reader_free(&reader);
    return copy;
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
    ExampleReader reader = {0};
    for (size_t i = 0; i < rows; i++) {
        ExampleRow row = examples_read(e, i, &reader);
        for (uint32_t k = 0; k < row.count; k++)
            m->columns[row.entries[k].input * m->stride + i] = row.entries[k].value;
        for (uint32_t o = 0; o < e->output_count; o++)
            m->targets[o * m->stride + i] = row.targets[o];
        m->weights[i] = row.weight;
        m->weight += (double)row.weight;
    }
    example_reader_free(&reader);
    return m;
}

void matrix_free(Matrix *m) {
    if (!m)
        return;
    memory_free(m->columns, m->targets, m->weights, m);
}
