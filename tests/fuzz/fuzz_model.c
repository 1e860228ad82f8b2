/* Reads any bytes as a model and as a data set. A valid model must answer with finite numbers, and
 * is written and read again. */
#include <assert.h>
#include <math.h>

#include "learn/play/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Asks for every output, values and the moves of each role, with all facts true, which is the worst
 * case. */
static void ask_dense(const Model *m) {
    DenseBatch batch = {0};
    FloatVector sums = {0};
    uint32_t output = 0;
    dense_batch_clear(&batch, 1 + m->role_count);
    for (uint32_t f = 0; f < m->facts.names.count; f++)
        vector_push(&batch.facts, f);
    for (uint32_t r = 0; r < m->role_count; r++)
        vector_push(&batch.outputs, output++);
    dense_batch_end_group(&batch);
    for (uint32_t r = 0; r < m->role_count; r++) {
        for (size_t i = 0; i < m->moves[r].names.count; i++)
            vector_push(&batch.outputs, output++);
        dense_batch_end_group(&batch);
    }
    dense_batch_end_row(&batch);
    (void)vector_extend(&sums, batch.outputs.count + 1);
    dense_forward(m->dense, &batch, NULL, sums.items);
    dense_finish_row(&batch, 0, sums.items);
    for (size_t i = 0; i < batch.outputs.count; i++)
        assert(isfinite(sums.items[i]) && sums.items[i] >= 0 && sums.items[i] <= 1);
    dense_batch_free(&batch);
    vector_free(&sums);
}

/* Asks with all inputs at their largest values. */
static void ask_network(const Model *m) {
    Examples *examples = examples_create(m->network.input_count, m->role_count);
    ExampleReader row = {0};
    for (uint32_t i = 0; i < m->network.input_count; i++) {
        const Feature *item = &m->features.items.items[i];
        float most = item->kind == FEATURE_MOVES ? (float)INT32_MAX / (float)item->count : 1;
        vector_push(&row.entries, ((ExampleEntry){i, most}));
    }
    for (uint32_t r = 0; r < m->role_count; r++)
        vector_push(&row.targets, 0);
    examples_add(examples, &(ExampleRow){row.entries.items, (uint32_t)row.entries.count,
                                         row.targets.items, 1});
    Matrix *matrix = matrix_create(examples);
    float *values = memory_alloc(m->role_count * matrix->stride * sizeof *values);
    network_predict(&m->network, matrix, values);
    for (uint32_t r = 0; r < m->role_count; r++)
        assert(isfinite(values[r * matrix->stride]));
    free(values);
    matrix_free(matrix);
    examples_free(examples);
    example_reader_free(&row);
}

static void try_model(const char *bytes, size_t size) {
    Report report = {0};
    Text text = {0};
    Model *model = model_read(source_from_text("fuzz", bytes, size, &report), &report);
    if (model && model->dense)
        ask_dense(model);
    else if (model)
        ask_network(model);
    if (model) {
        model_write(model, &text);
        Model *again =
            model_read(source_from_text("fuzz", text.items, text.count, &report), &report);
        model_free(again);
    }
    model_free(model);
    report_free(&report);
    vector_free(&text);
}

static void try_data(const char *bytes, size_t size) {
    Report report = {0};
    DataSet *set = dataset_read(source_from_text("fuzz", bytes, size, &report), &report);
    dataset_free(set);
    report_free(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_model((const char *)data, size);
    try_data((const char *)data, size);
    return 0;
}
