/* Examples for learners: sparse rows of inputs with a target in 0..1 per output and a weight.
 * Inputs are facts or features; rows are in memory or made whenever they are read. A Matrix is the
 * dense transpose, for learners that try many candidates on all rows: a column has one input of all
 * rows, so that one instruction handles many rows. */
#pragma once

#include "learn/data/dataset.h"

typedef struct {
    uint32_t input;
    float value;
} ExampleEntry;

typedef struct {
    const ExampleEntry *entries; /* nonzero inputs, ascending */
    uint32_t count;
    const float *targets; /* by output */
    float weight;
} ExampleRow;

/* Scratch memory of one thread for reading rows, at first zero. Must not outlive the examples. */
typedef struct {
    VECTOR(ExampleEntry) entries;
    VECTOR(float) targets;
    const void *maker; /* the maker of the last row, which owns the next two fields */
    VECTOR(int32_t) counters;
    VECTOR(uint64_t) words;
} ExampleReader;

void example_reader_free(ExampleReader *reader);

/* Makes rows when they are read. A row is valid until the next is made with the same reader. */
typedef struct {
    void *context;
    size_t rows;
    ExampleRow (*make)(const void *context, size_t row, ExampleReader *reader);
    void (*free)(void *context);
} ExampleMaker;

typedef struct {
    uint32_t input_count, output_count;
    /* Makes the rows; without a context the rows are stored in the fields below. */
    ExampleMaker maker;
    VECTOR(ExampleEntry) entries;
    U32Vector starts;      /* by row: its first entry; one more item for the end */
    VECTOR(float) targets; /* by row and output */
    VECTOR(float) weights; /* by row */
} Examples;

/* The weight of a row: 1, the count of its state, or the square root of the count. */
typedef enum { WEIGH_ALIKE, WEIGH_BY_COUNT, WEIGH_BY_ROOT } Weighing;

/* Goals from `lowest` to `highest` become values 0..1. */
typedef struct {
    double lowest, highest;
} ScoreRange;

/* Uses facts as inputs. `ranges` are by role; NULL: 0..100. */
Examples *examples_of_facts(const DataSet *set, const ScoreRange *ranges, Weighing weighing);
/* Creates examples without rows. They own the context of a maker that is set afterwards. */
Examples *examples_create(uint32_t input_count, uint32_t output_count);
void examples_add(Examples *examples, const ExampleRow *row);
void examples_free(Examples *examples);

/* A goal as a value within 0..1; 0.5 if the range is empty. */
static inline double score_value(const ScoreRange *range, double score) {
    double span = range->highest - range->lowest;
    double value = span > 0 ? (score - range->lowest) / span : 0.5;
    return value < 0 ? 0 : value > 1 ? 1 : value;
}
/* The target (0..1) of an output for a goal of its role; range NULL: 0..100. */
float example_target(double score, const ScoreRange *range);
float example_weight(uint32_t count, Weighing weighing);

static inline size_t examples_rows(const Examples *examples) {
    return examples->maker.context ? examples->maker.rows : examples->weights.count;
}

static inline ExampleRow examples_read(const Examples *examples, size_t row,
                                       ExampleReader *reader) {
    if (examples->maker.context)
        return examples->maker.make(examples->maker.context, row, reader);
    uint32_t first = examples->starts.items[row];
    return (ExampleRow){examples->entries.items + first, examples->starts.items[row + 1] - first,
                        examples->targets.items + row * examples->output_count,
                        examples->weights.items[row]};
}

/* A copy, with all rows in memory, that has some of the outputs. */
Examples *examples_copy(const Examples *examples, uint32_t first_output, uint32_t output_count);

enum { MATRIX_BLOCK = 64 }; /* rows that are evaluated together; the stride is a multiple */

typedef struct {
    uint32_t input_count, output_count;
    size_t rows, stride; /* stride: rows rounded up to a multiple of MATRIX_BLOCK */
    float *columns;      /* by input, then row */
    float *targets;      /* by output, then row; 0..1 */
    float *weights;      /* by row; 0 for the rows that fill the last block */
    double weight;       /* sum of all weights */
} Matrix;

Matrix *matrix_create(const Examples *examples);
void matrix_free(Matrix *matrix);

static inline const float *matrix_column(const Matrix *matrix, uint32_t input) {
    assert(input < matrix->input_count);
    return matrix->columns + input * matrix->stride;
}
