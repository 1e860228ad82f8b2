/* Rows written out by hand. */
#include "learn/puzzles.h"

#include <string.h>

static uint32_t fact_of(DataSet *set, const char *text) {
    return symbols_intern(&set->facts, text, strlen(text));
}

static void add_row(DataSet *set, const uint32_t *facts, size_t count, double first, double second,
                    uint32_t times) {
    double scores[2] = {first, second};
    dataset_add(set, &(DataRow){facts, count, scores, times, (uint32_t)dataset_rows(set), true});
}

DataSet *puzzle_exclusive_or(void) {
    DataSet *set = dataset_create(1);
    uint32_t facts[2] = {fact_of(set, "(in1)"), fact_of(set, "(in2)")};
    add_row(set, facts, 0, 0, 0, 1);
    add_row(set, facts, 1, 100, 0, 1);
    add_row(set, facts + 1, 1, 100, 0, 1);
    add_row(set, facts, 2, 0, 0, 1);
    return set;
}

DataSet *puzzle_paire(void) {
    static const char *const numbers[] = {"(nombre 1)", "(nombre 2)", "(nombre 3)", "(nombre 4)"};
    static const uint32_t rows[][3] = {{1, 2, 503}, {1, 4, 499}, {2, 3, 491},
                                       {3, 4, 496}, {1, 3, 521}, {2, 4, 490}};
    DataSet *set = dataset_create(1);
    for (int k = 0; k < 4; k++)
        fact_of(set, numbers[k]);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t facts[2] = {rows[i][0] - 1, rows[i][1] - 1};
        add_row(set, facts, 2, (rows[i][0] + rows[i][1]) % 2 ? 0 : 100, 0, rows[i][2]);
    }
    return set;
}

DataSet *puzzle_nim(void) {
    DataSet *set = dataset_create(2);
    uint32_t facts[5] = {0, fact_of(set, "(heap a 0)"), fact_of(set, "(heap b 0)"),
                         fact_of(set, "(heap c 0)"), fact_of(set, "(heap d 0)")};
    facts[0] = fact_of(set, "(control player1)");
    add_row(set, facts, 5, 0, 100, 1500);
    facts[0] = fact_of(set, "(control player2)");
    add_row(set, facts, 5, 100, 0, 1500);
    return set;
}
