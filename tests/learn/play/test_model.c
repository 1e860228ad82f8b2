/* Tests model files: writing, reading, and damaged files. */
#include "../material.h"
#include "learn/play/model.h"

TestSuite(model, .timeout = 600);

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

/* Reads the text with one word replaced by another. */
static Model *read_with(const char *text, const char *word, const char *other, Report *report) {
    Text changed = {0};
    const char *at = strstr(text, word);
    cr_assert_not_null(at);
    text_add_bytes(&changed, text, (size_t)(at - text));
    text_printf(&changed, "%s%s", other, at + strlen(word));
    Model *read = read_bytes(changed.items, changed.count, report);
    vector_free(&changed);
    return read;
}

/* A large weight is valid, unless sums of such weights, or their products with the values of other
 * nodes, overflow. */
Test(model, weights_whose_sums_have_no_end_are_refused_where_they_are) {
    static const char text[] = "marelle-model 1\nlearner test\nroles 1\ngoals 0 100\n"
                               "use 0 10 0 1\ngate 0 0 0\nfacts 2\na\nb\nfeatures 3\n"
                               "all 2 +0 -1\nshare 2 +0 +1\nmoves 4 0\n"
                               "nodes 3\n"
                               "identity 5e29 2 0 9e29 1 -9e29\n"
                               "tanh 0 2 0 -1 3 9e5\n"
                               "sigmoid -1 2 2 7e27 4 8e29\n"
                               "outputs 2\nend\n";
    static const struct {
        const char *word, *other;
        bool is_sound;
        const char *where;
    } changes[] = {{"moves 4", "moves 4", true, ""},
                   {"3 9e5", "3 9e8", false, "test:16: weights that make sums too large"},
                   {"3 9e5", "3 -9e8", false, "test:16: weights that make sums too large"},
                   {"tanh", "identity", false, "test:17: weights that make sums too large"},
                   {"2 7e27", "2 8e28", false, "test:17: weights that make sums too large"},
                   {"moves 4", "moves 400", true, ""},
                   {"0 9e29", "0 9e37", false, "test:15: no model"},
                   {"0 9e29", "0 nan", false, "test:15: no model"},
                   {"3 9e5", "4 9e5", false, "test:16: no model"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        Report report = {0};
        Model *read = read_with(text, changes[i].word, changes[i].other, &report);
        cr_assert_eq(read != NULL, changes[i].is_sound, "change %zu", i);
        if (!read) {
            cr_assert_str_eq(report.items.items[0].code, "bad-model");
            cr_assert_not_null(strstr(report.items.items[0].message, changes[i].where), "%s",
                               report.items.items[0].message);
        }
        model_free(read);
        report_free(&report);
    }
}

/* The seed of the fuzzer is still a valid model. */
Test(model, the_seed_of_fuzzing_is_a_model) {
    Report report = {0};
    Source *source = source_read(MARELLE_TESTS "/fuzz/corpus/network.model", &report);
    Model *m = model_read(source, &report);
    cr_assert_not_null(m);
    cr_assert_eq(m->network.outputs.count, m->role_count);
    model_free(m);
    report_free(&report);
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
