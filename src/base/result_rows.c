/* Cells are texts in one arena. They are converted when a caller asks for a number. */
#include "base/result_rows.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

void result_rows_init(ResultRows *records, const char *const *columns) {
    *records = (ResultRows){0};
    while (columns[records->column_count])
        records->column_count++;
    records->columns =
        arena_alloc(&records->arena, (records->column_count + 1) * sizeof *records->columns);
    for (uint32_t i = 0; i < records->column_count; i++)
        records->columns[i] = arena_copy(&records->arena, columns[i], strlen(columns[i]));
    records->filled = records->column_count;
}

void result_rows_free(ResultRows *records) {
    arena_free(&records->arena);
    vector_free(&records->rows);
    *records = (ResultRows){0};
}

void result_rows_add_row(ResultRows *records) {
    const char **row = arena_alloc(&records->arena, (records->column_count + 1) * sizeof *row);
    for (uint32_t i = 0; i < records->column_count; i++)
        row[i] = "";
    vector_push(&records->rows, row);
    records->filled = 0;
}

void result_rows_add_cell(ResultRows *records, const char *format, ...) {
    assert(records->filled < records->column_count);
    va_list arguments;
    va_start(arguments, format);
    vector_last(&records->rows)[records->filled++] =
        arena_vprintf(&records->arena, format, arguments);
    va_end(arguments);
}

uint32_t result_rows_column(const ResultRows *records, const char *name) {
    uint32_t i = 0;
    while (i + 1 < records->column_count && strcmp(records->columns[i], name) != 0)
        i++;
    assert(strcmp(records->columns[i], name) == 0);
    return i;
}

const char *result_rows_text(const ResultRows *records, size_t row, const char *column) {
    return records->rows.items[row][result_rows_column(records, column)];
}

/* The whole cell must be a number. */
static bool is_number(const char *cell, double *value) {
    char *end;
    *value = strtod(cell, &end);
    return end != cell && *end == '\0';
}

double result_rows_number(const ResultRows *records, size_t row, const char *column) {
    double value;
    return is_number(result_rows_text(records, row, column), &value) ? value : NAN;
}

/* ---- CSV ---- */

void text_add_csv(Text *text, const char *value) {
    text_add_char(text, '"');
    for (; *value; value++) {
        if (*value == '"')
            text_add_char(text, '"');
        text_add_char(text, *value);
    }
    text_add_char(text, '"');
}

void result_rows_write_csv_line(const ResultRows *records, const char *const *cells, Text *text) {
    for (uint32_t i = 0; i < records->column_count; i++) {
        if (i)
            text_add_char(text, ',');
        if (strpbrk(cells[i], ",\"\r\n"))
            text_add_csv(text, cells[i]);
        else
            text_add(text, cells[i]);
    }
    text_add_char(text, '\n');
}

void result_rows_write_csv(const ResultRows *records, Text *text) {
    result_rows_write_csv_line(records, records->columns, text);
    for (size_t i = 0; i < records->rows.count; i++)
        result_rows_write_csv_line(records, records->rows.items[i], text);
}

typedef struct {
    const char *at, *end;
} CsvReader;

/* Reads one cell and the character that ends it, a comma or the end of the line. False if the text
 * ends inside the cell, or if something follows a closing quote. */
static bool read_cell(CsvReader *reader, Text *cell, char *ended_by) {
    text_clear(cell);
    bool is_quoted = reader->at < reader->end && *reader->at == '"';
    for (reader->at += is_quoted; reader->at < reader->end; reader->at++) {
        char c = *reader->at;
        bool is_doubled = c == '"' && reader->at + 1 < reader->end && reader->at[1] == '"';
        if (is_quoted && is_doubled)
            reader->at++;
        else if (is_quoted && c == '"')
            is_quoted = false;
        else if (!is_quoted && (c == ',' || c == '\n')) {
            *ended_by = c;
            reader->at++;
            return true;
        }
        if (c != '"' || is_doubled)
            text_add_char(cell, c);
    }
    return false;
}

/* Reads the cells of one line. False if it is malformed or has another number of cells. */
static bool read_line(CsvReader *reader, ResultRows *records, const char **cells) {
    Text cell = {0};
    char ended_by = ',';
    uint32_t count = 0;
    while (ended_by == ',' && count < records->column_count &&
           read_cell(reader, &cell, &ended_by)) {
        cells[count++] = arena_copy(&records->arena, text_string(&cell), cell.count);
    }
    vector_free(&cell);
    return count == records->column_count && ended_by == '\n';
}

size_t result_rows_read_csv(ResultRows *records, const char *bytes, size_t length) {
    CsvReader reader = {bytes, bytes + length};
    const char **cells = arena_alloc(&records->arena, (records->column_count + 1) * sizeof *cells);
    if (!read_line(&reader, records, cells))
        return 0;
    for (uint32_t i = 0; i < records->column_count; i++)
        if (strcmp(cells[i], records->columns[i]) != 0)
            return 0;
    const char *understood = reader.at;
    while (read_line(&reader, records, cells)) {
        understood = reader.at;
        result_rows_add_row(records);
        memcpy(vector_last(&records->rows), cells, records->column_count * sizeof *cells);
        records->filled = records->column_count;
    }
    return (size_t)(understood - bytes);
}

/* ---- Markdown ---- */

static bool holds_numbers(const ResultRows *records, uint32_t column) {
    bool has_one = false;
    for (size_t i = 0; i < records->rows.count; i++) {
        const char *cell = records->rows.items[i][column];
        if (*cell && strcmp(cell, "-") != 0 && !strchr("0123456789.+-", *cell))
            return false;
        has_one |= *cell >= '0' && *cell <= '9';
    }
    return has_one;
}

static void add_markdown_line(const ResultRows *records, const char *const *cells, Text *text) {
    for (uint32_t i = 0; i < records->column_count; i++) {
        text_add(text, i ? " " : "| ");
        for (const char *c = cells[i]; *c; c++) {
            if (*c == '|')
                text_add_char(text, '\\');
            text_add_char(text, *c == '\n' ? ' ' : *c);
        }
        text_add(text, " |");
    }
    text_add_char(text, '\n');
}

void result_rows_write_markdown(const ResultRows *records, Text *text) {
    add_markdown_line(records, records->columns, text);
    for (uint32_t i = 0; i < records->column_count; i++)
        text_printf(text, "%s%s", i ? "" : "|", holds_numbers(records, i) ? "---:|" : "---|");
    text_add_char(text, '\n');
    for (size_t i = 0; i < records->rows.count; i++)
        add_markdown_line(records, records->rows.items[i], text);
}

/* ---- numbers ---- */

void summary_add(Summary *summary, double value) {
    double distance = value - summary->mean;
    summary->least = summary->count ? fmin(summary->least, value) : value;
    summary->greatest = summary->count ? fmax(summary->greatest, value) : value;
    summary->mean += distance / (double)++summary->count;
    summary->squares += distance * (value - summary->mean);
}

double summary_deviation(const Summary *summary) {
    return summary->count > 1 ? sqrt(summary->squares / (double)(summary->count - 1)) : 0;
}

double summary_error(const Summary *summary) {
    return summary->count ? summary_deviation(summary) / sqrt((double)summary->count) : 0;
}
