/* Short sets are tables in this file; the others are enumerated, or played by a few lines. */
#include "learn/data/puzzles.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

static uint32_t fact_of(DataSet *set, const char *text) {
    return symbols_intern(&set->facts, text, strlen(text));
}

/* Adds the fact whose text is a format with one number, and returns its number. */
__attribute__((format(printf, 2, 3))) static uint32_t number_fact(DataSet *set, const char *format,
                                                                  ...) {
    char text[32];
    va_list numbers;
    va_start(numbers, format);
    vsnprintf(text, sizeof text, format, numbers);
    va_end(numbers);
    return fact_of(set, text);
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

/* True if a beats b at stone, paper, scissors, well. */
static bool beats(uint64_t a, uint64_t b) {
    static const unsigned beaten[4] = {1 << 2, 1 << 0 | 1 << 3, 1 << 1, 1 << 0 | 1 << 2};
    return beaten[a] >> b & 1;
}

DataSet *puzzle_roshambo(uint64_t seed, size_t rows) {
    DataSet *set = dataset_create(2);
    Random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < rows; i++) {
        int step = 0, points[2] = {0, 0};
        for (; step < 10 && points[0] < 5 && points[1] < 5; step++) {
            uint64_t a = random_below(&random, 4), b = random_below(&random, 4);
            points[0] += beats(a, b);
            points[1] += beats(b, a);
        }
        uint32_t facts[3] = {number_fact(set, "(step s%d)", step),
                             number_fact(set, "(beaten white s%d)", points[0]),
                             number_fact(set, "(beaten black s%d)", points[1])};
        double first = points[0] > points[1] ? 100 : points[0] == points[1] ? 50 : 0;
        add_row(set, facts, 3, first, 100 - first, 1);
    }
    return set;
}

DataSet *puzzle_point_grab(uint64_t seed, size_t rows) {
    DataSet *set = dataset_create(2);
    Random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < rows; i++) {
        int step = 0, points[2] = {0, 0};
        uint64_t eagerness[2] = {3 + random_below(&random, 6), 3 + random_below(&random, 6)};
        for (; step < 30 && points[0] < 100 && points[1] < 100; step++) {
            uint64_t a = random_below(&random, eagerness[0]);
            uint64_t b = random_below(&random, eagerness[1]);
            points[0] += a < 2 && a != b ? 5 : 0;
            points[1] += b < 2 && a != b ? 5 : 0;
        }
        uint32_t facts[3] = {number_fact(set, "(step %d)", step),
                             number_fact(set, "(points first %d)", points[0]),
                             number_fact(set, "(points second %d)", points[1])};
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

enum { BOARDS = 19683 }; /* three to the power of nine */

static uint32_t cell_fact(DataSet *set, int cell, int mark) {
    return number_fact(set, "(cell %d %d %c)", cell / 3 + 1, cell % 3 + 1, "xob"[mark]);
}

/* Reads the board with this number, from 0 to BOARDS - 1. */
static void read_board(DataSet *set, int code, int board[9], uint32_t *facts) {
    for (int c = 0; c < 9; c++, code /= 3) {
        board[c] = code % 3;
        facts[c] = cell_fact(set, c, board[c]);
    }
}

DataSet *puzzle_lines_27(void) {
    DataSet *set = dataset_create(1);
    for (int code = 0; code < BOARDS; code++) {
        int board[9];
        uint32_t facts[9];
        read_board(set, code, board, facts);
        add_row(set, facts, 9, has_line(board, 0) ? 100 : 0, 0, 1);
    }
    return set;
}

DataSet *puzzle_tictactoe(void) {
    DataSet *set = dataset_create(2);
    for (int code = 0; code < BOARDS; code++) {
        int board[9], counts[3] = {0};
        uint32_t facts[10];
        read_board(set, code, board, facts);
        for (int c = 0; c < 9; c++)
            counts[board[c]]++;
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
