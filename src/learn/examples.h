/* What learners see: rows of inputs, sparse, with the values 0..1 that the outputs should take and
 * a weight each. Whether inputs are facts or features built from them is not their business. A
 * Matrix is the same turned round and filled up with zeros, for learners that try many candidates
 * on all rows: a column holds one input of every row, so that one instruction does many rows. */
#ifndef MARELLE_LEARN_EXAMPLES_H
#define MARELLE_LEARN_EXAMPLES_H

#include "learn/dataset.h"

typedef struct {
    uint32_t input;
    float value;
} ExampleEntry;

typedef struct {
    uint32_t input_count, output_count;
    VECTOR(ExampleEntry) entries;
    U32Vector starts;      /* by row, and the number of entries at the end */
    VECTOR(float) targets; /* by row and output */
    VECTOR(float) weights; /* by row */
} Examples;

/* How often a state was met is how much it weighs; or the root of it; or nothing. */
typedef enum { WEIGH_ALIKE, WEIGH_BY_COUNT, WEIGH_BY_ROOT } Weighing;

/* Goals of a role are stretched from `lowest` to `highest` to values 0..1. */
typedef struct {
    double lowest, highest;
} ScoreRange;

/* The facts as they are. `ranges` by role; NULL: 0..100. */
Examples *examples_of_facts(const DataSet *set, const ScoreRange *ranges, Weighing weighing);
/* Empty, for others to fill: rows end with examples_end_row. */
Examples *examples_create(uint32_t input_count, uint32_t output_count);
void examples_end_row(Examples *examples, const DataSet *set, size_t row, const ScoreRange *ranges,
                      Weighing weighing);
void examples_free(Examples *examples);

static inline size_t examples_rows(const Examples *examples) {
    return examples->weights.count;
}

/* A new one with one output only. */
Examples *examples_of_output(const Examples *examples, uint32_t output);

enum { MATRIX_BLOCK = 64 }; /* rows that are worked on together */

typedef struct {
    uint32_t input_count, output_count;
    size_t rows, stride; /* stride: rows filled up to whole blocks */
    float *columns;      /* by input */
    float *targets;      /* by output */
    float *weights;      /* 0 where the rows are filled up */
    double weight;       /* the sum of them */
} Matrix;

Matrix *matrix_create(const Examples *examples);
void matrix_free(Matrix *matrix);

static inline const float *matrix_column(const Matrix *matrix, uint32_t input) {
    return matrix->columns + input * matrix->stride;
}

#endif
