/* Rows of text under named columns: what a study measured, or a table to be shown. Written and read
 * as CSV, written as Markdown. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

/* Example:
 *     result_rows_init(&records, (const char *[]){"game", "seconds", NULL});
 *     result_rows_add_row(&records);
 *     result_rows_add_cell(&records, "%s", name);
 *     result_rows_add_cell(&records, "%.3f", seconds);
 */

typedef struct {
    Arena arena;
    uint32_t column_count;
    const char **columns;
    VECTOR(const char **) rows; /* column_count cells each, never NULL */
    uint32_t filled;            /* cells of the last row that are set */
} ResultRows;

/* The list of column names ends with NULL. */
void result_rows_init(ResultRows *records, const char *const *columns);
void result_rows_free(ResultRows *records);

/* Begins a row of empty cells. result_rows_add_cell fills them from the left. */
void result_rows_add_row(ResultRows *records);
void result_rows_add_cell(ResultRows *records, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The index of the column with this name, which must exist. */
uint32_t result_rows_column(const ResultRows *records, const char *name);
const char *result_rows_text(const ResultRows *records, size_t row, const char *column);
/* The cell as a number; NAN if it is none. */
double result_rows_number(const ResultRows *records, size_t row, const char *column);

void result_rows_write_csv(const ResultRows *records, Text *text);
/* Writes one line: the column names, or the cells of a row. */
void result_rows_write_csv_line(const ResultRows *records, const char *const *cells, Text *text);
/* Columns of numbers are aligned to the right. */
void result_rows_write_markdown(const ResultRows *records, Text *text);

/* Adds the rows of a CSV text whose first line has the same columns. A last line without a line end
 * was not written completely and is ignored. Returns the number of bytes read: 0 if the columns
 * differ, less than `length` if a line is malformed. */
size_t result_rows_read_csv(ResultRows *records, const char *bytes, size_t length);

/* Mean and standard deviation of numbers that arrive one by one (Welford 1962). Zero-initialise to
 * use. */
typedef struct {
    uint64_t count;
    double mean, squares, least, greatest;
} Summary;

void summary_add(Summary *summary, double value);
/* Standard deviation of the sample; 0 for fewer than two numbers. */
double summary_deviation(const Summary *summary);
/* Standard error of the mean. */
double summary_error(const Summary *summary);

/* Appends a text as a CSV cell, in quotes. */
void text_add_csv(Text *text, const char *value);
