/* Any bytes as a model and as a data set; what is one is written and read again. */
#include "learn/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_model(const char *bytes, size_t size) {
    Report report = {0};
    Text text = {0};
    Model *model = model_read(source_from_text("fuzz", bytes, size, &report), &report);
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
