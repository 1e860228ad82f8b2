/* Data sets that several tests learn from. They are made here, so that nothing is skipped where the
 * material of $MARELLE_SHARED is missing; only the thesis's own file of Tictactoe comes from there.
 */
#ifndef MARELLE_TESTS_LEARN_MATERIAL_H
#define MARELLE_TESTS_LEARN_MATERIAL_H

#include "../support.h"
#include "base/random.h"
#include "learn/network.h"
#include "learn/puzzles.h"

__attribute__((unused)) static uint32_t fact_of(DataSet *set, const char *text) {
    return symbols_intern(&set->facts, text, strlen(text));
}

__attribute__((unused)) static void add_row(DataSet *set, const uint32_t *facts, size_t count,
                                            double first, double second, uint32_t times) {
    double scores[2] = {first, second};
    dataset_add(set, &(DataRow){facts, count, scores, times, (uint32_t)dataset_rows(set), true});
}

/* Who beats whom at stone, paper, scissors, well. */
static bool beats(uint64_t a, uint64_t b) {
    static const unsigned beaten[4] = {1 << 2, 1 << 0 | 1 << 3, 1 << 1, 1 << 0 | 1 << 2};
    return beaten[a] >> b & 1;
}

/* Ends of Roshambo: ten rounds, or five points. */
__attribute__((unused)) static DataSet *roshambo_ends(uint64_t seed, size_t rows) {
    DataSet *set = dataset_create(2);
    Random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < rows; i++) {
        int step = 0, points[2] = {0, 0};
        char texts[3][24];
        for (; step < 10 && points[0] < 5 && points[1] < 5; step++) {
            uint64_t a = random_below(&random, 4), b = random_below(&random, 4);
            points[0] += beats(a, b);
            points[1] += beats(b, a);
        }
        snprintf(texts[0], sizeof texts[0], "(step s%d)", step);
        snprintf(texts[1], sizeof texts[1], "(beaten white s%d)", points[0]);
        snprintf(texts[2], sizeof texts[2], "(beaten black s%d)", points[1]);
        uint32_t facts[3] = {fact_of(set, texts[0]), fact_of(set, texts[1]),
                             fact_of(set, texts[2])};
        double first = points[0] > points[1] ? 100 : points[0] == points[1] ? 50 : 0;
        add_row(set, facts, 3, first, 100 - first, 1);
    }
    return set;
}

/* Ends of Point Grab: thirty turns of ten actions, two of which pay five points unless both chose
 * the same; a hundred points end it. The second role grabs more often, as in matches of players. */
__attribute__((unused)) static DataSet *point_grab_ends(uint64_t seed, size_t rows) {
    DataSet *set = dataset_create(2);
    Random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < rows; i++) {
        int step = 0, points[2] = {0, 0};
        char texts[3][24];
        uint64_t eagerness[2] = {3 + random_below(&random, 6), 3 + random_below(&random, 6)};
        for (; step < 30 && points[0] < 100 && points[1] < 100; step++) {
            uint64_t a = random_below(&random, eagerness[0]);
            uint64_t b = random_below(&random, eagerness[1]);
            points[0] += a < 2 && a != b ? 5 : 0;
            points[1] += b < 2 && a != b ? 5 : 0;
        }
        snprintf(texts[0], sizeof texts[0], "(step %d)", step);
        snprintf(texts[1], sizeof texts[1], "(points first %d)", points[0]);
        snprintf(texts[2], sizeof texts[2], "(points second %d)", points[1]);
        uint32_t facts[3] = {fact_of(set, texts[0]), fact_of(set, texts[1]),
                             fact_of(set, texts[2])};
        add_row(set, facts, 3, points[0], points[1], 1);
    }
    return set;
}

static bool has_line(const int *board, int mark) {
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                    {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++)
        if (board[lines[i][0]] == mark && board[lines[i][1]] == mark && board[lines[i][2]] == mark)
            return true;
    return false;
}

static uint32_t cell_fact(DataSet *set, int cell, int mark) {
    char text[24];
    snprintf(text, sizeof text, "(cell %d %d %c)", cell / 3 + 1, cell % 3 + 1, "xob"[mark]);
    return fact_of(set, text);
}

/* Lines-27: all boards over x, o, b; those with a line of x win. */
__attribute__((unused)) static DataSet *lines_27(void) {
    DataSet *set = dataset_create(1);
    for (int code = 0; code < 19683; code++) {
        int board[9], rest = code;
        uint32_t facts[9];
        for (int c = 0; c < 9; c++, rest /= 3) {
            board[c] = rest % 3;
            facts[c] = cell_fact(set, c, board[c]);
        }
        add_row(set, facts, 9, has_line(board, 0) ? 100 : 0, 0, 1);
    }
    return set;
}

/* All 958 ends of Tictactoe. */
__attribute__((unused)) static DataSet *tictactoe_ends(void) {
    DataSet *set = dataset_create(2);
    for (int code = 0; code < 19683; code++) {
        int board[9], rest = code, counts[3] = {0};
        uint32_t facts[10];
        for (int c = 0; c < 9; c++, rest /= 3) {
            board[c] = rest % 3;
            counts[board[c]]++;
            facts[c] = cell_fact(set, c, board[c]);
        }
        bool x = has_line(board, 0), o = has_line(board, 1);
        int lead = counts[0] - counts[1];
        bool is_end = (x && !o && lead == 1) || (o && !x && lead == 0) ||
                      (!x && !o && lead == 1 && counts[2] == 0);
        facts[9] = fact_of(set, lead == 1 ? "(control oplayer)" : "(control xplayer)");
        if (is_end)
            add_row(set, facts, 10, x ? 100 : o ? 0 : 50, x ? 0 : o ? 100 : 50, 1);
    }
    return set;
}

/* A file of $MARELLE_SHARED/data/terminal-states; skips the test where there is none. */
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
