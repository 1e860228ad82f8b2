/* Shared by tests of learning. Most of them learn from puzzles, so that nothing is skipped if the
 * material of $MARELLE_SHARED is missing. */
#ifndef MARELLE_TESTS_LEARN_MATERIAL_H
#define MARELLE_TESTS_LEARN_MATERIAL_H

#include "../support.h"
#include "base/random.h"
#include "learn/data/puzzles.h"
#include "learn/networks/neural_network.h"

__attribute__((unused)) static uint32_t fact_of(DataSet *set, const char *text) {
    return symbols_intern(&set->facts, text, strlen(text));
}

/* Reads a file of $MARELLE_SHARED/data/terminal-states. Skips the test if there is none. */
__attribute__((unused)) static DataSet *published(const char *name) {
    const char *shared = getenv("MARELLE_SHARED");
    Report report = {0};
    Text path = {0};
    text_printf(&path, "%s/data/terminal-states/%s.txt", shared ? shared : "/nonexistent", name);
    Source *source = source_read(path.items, &report);
    DataSet *set = source ? dataset_read(source, &report) : NULL;
    vector_free(&path);
    report_free(&report);
    if (!set)
        cr_skip_test("no published data");
    return set;
}

__attribute__((unused)) static Matrix *matrix_of(const DataSet *set, Weighing weighing) {
    Examples *examples = examples_of_facts(set, NULL, weighing);
    Matrix *matrix = matrix_create(examples);
    examples_free(examples);
    return matrix;
}

#endif
