/* Networks as data for environments.cu: gates in rounds that do not depend on each other. Every
 * value has a row of its own. */
#pragma once

#include "base/text.h"
#include "circuit/lut.h"

/* These two have the layout of Gate and Segment in environments.cu, which explains the fields. */

typedef struct {
    uint32_t a, b, c, result;
} EnvironmentGate;

typedef struct {
    uint32_t first_round, end_round, first_pair, pairs, is_loop;
} EnvironmentSegment;

typedef struct {
    VECTOR(EnvironmentGate) gates;
    VECTOR(EnvironmentSegment) segments;
    U32Vector rounds; /* first gate of each; environment_program_end adds the number of gates */
    U32Vector lists;
    uint32_t value_rows; /* the most rows that a network has for its values */
} EnvironmentProgram;

/* The rows of a block that networks use. */
typedef struct {
    uint32_t inputs; /* row of input 1 of all networks; the other inputs follow it */
    uint32_t zero;   /* row of constant false */
    uint32_t values; /* row of the first value that is no input: variables of loops, then gates */
} EnvironmentRows;

/* Appends a network with so many inputs, and to `out` the definitions NAME_first and so on by which
 * the kernel finds it. */
void environment_program_add(EnvironmentProgram *program, const LutNetwork *network,
                             uint32_t inputs, const EnvironmentRows *rows, const char *name,
                             Text *out);
void environment_program_end(EnvironmentProgram *program);
void environment_program_free(EnvironmentProgram *program);
