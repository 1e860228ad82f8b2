/* Files of models: written, read, damaged. */
#include "learn/model.h"
#include "material.h"

TestSuite(model, .timeout = 60);

static Model *sample_model(const DataSet *set) {
    Model *m = model_create("test", set);
    features_add_facts(&m->features, set, NULL);
    FactLiteral literals[3] = {literal_of(0, false), literal_of(4, true), literal_of(7, false)};
    features_add(&m->features, FEATURE_ALL, literals, 3);
    features_add(&m->features, FEATURE_SHARE, literals, 2);
    uint32_t inputs = (uint32_t)m->features.items.count;
    network_clear(&m->network, inputs);
    network_add_node(&m->network, ACTIVATION_TANH, 0.125F);
    for (uint32_t i = 0; i < inputs; i++)
        network_add_edge(&m->network, i, (float)i / 7);
    for (uint32_t o = 0; o < 2; o++) {
        uint32_t node = network_add_node(&m->network, ACTIVATION_SIGMOID, -0.5F);
        network_add_edge(&m->network, inputs, o ? 1.1F : -1.3F);
        network_add_edge(&m->network, 0, 1e-7F);
        vector_push(&m->network.outputs, node);
    }
    return m;
}

static Model *read_bytes(const char *bytes, size_t length, Report *report) {
    return model_read(source_from_text("test", bytes, length, report), report);
}

Test(model, a_model_reads_back_and_predicts_the_same) {
    DataSet *set = puzzle_tictactoe();
    Model *m = sample_model(set);
    Text text = {0};
    Report report = {0};
    model_write(m, &text);
    Model *again = read_bytes(text.items, text.count, &report);
    cr_assert_not_null(again);
    Examples *examples = model_examples(m, NULL, set, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(examples);
    Errors a = network_errors(&m->network, matrix), b = network_errors(&again->network, matrix);
    cr_assert_eq(a.squared, b.squared);
    cr_assert_eq(again->features.items.count, 31);
    matrix_free(matrix);
    examples_free(examples);
    model_free(again);
    model_free(m);
    vector_free(&text);
    dataset_free(set);
}

/* A feature of three literals is the product of their values. */
Test(model, features_count_literals) {
    DataSet *set = puzzle_tictactoe();
    Model *m = sample_model(set);
    Examples *examples = model_examples(m, NULL, set, WEIGH_ALIKE);
    for (size_t i = 0; i < dataset_rows(set); i++) {
        float all = 0, share = 0;
        for (uint32_t k = examples->starts.items[i]; k < examples->starts.items[i + 1]; k++) {
            ExampleEntry entry = examples->entries.items[k];
            all = entry.input == 29 ? entry.value : all;
            share = entry.input == 30 ? entry.value : share;
        }
        bool first = dataset_holds(set, i, 0), second = !dataset_holds(set, i, 4);
        cr_assert_eq(all, first && second && dataset_holds(set, i, 7));
        cr_assert_float_eq(share, ((float)first + (float)second) / 2, 1e-6);
    }
    Text text = {0};
    features_write(&m->features, 29, &m->facts, &text);
    cr_assert_not_null(strstr(text.items, " and no (cell"));
    vector_free(&text);
    examples_free(examples);
    model_free(m);
    dataset_free(set);
}

Test(model, damaged_files_are_refused_or_sound) {
    DataSet *set = puzzle_tictactoe();
    Model *m = sample_model(set);
    Text text = {0};
    Random random;
    random_seed(&random, 2);
    model_write(m, &text);
    for (int i = 0; i < 4000; i++) {
        Text damaged = {0};
        Report report = {0};
        text_add_bytes(&damaged, text.items, text.count);
        for (uint64_t k = random_below(&random, 3); k <= 3; k++)
            damaged.items[random_below(&random, damaged.count)] =
                i % 2 ? (char)random_next(&random) : "0123456789+- \n"[random_below(&random, 14)];
        if (i % 5 == 0)
            damaged.count = random_below(&random, damaged.count);
        Model *read = read_bytes(damaged.items, damaged.count, &report);
        cr_assert_eq(read == NULL, report_failed(&report));
        cr_assert(!read || network_is_sound(&read->network));
        model_free(read);
        report_free(&report);
        vector_free(&damaged);
    }
    vector_free(&text);
    model_free(m);
    dataset_free(set);
}
