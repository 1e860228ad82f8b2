/* Tests rows under named columns: CSV written and read back, Markdown, means. */
#include "base/result_rows.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const char *const columns[] = {"name", "value", NULL};

static void add(ResultRows *records, const char *name, double value) {
    result_rows_add_row(records);
    result_rows_add_cell(records, "%s", name);
    result_rows_add_cell(records, "%g", value);
}

Test(records, csv_there_and_back) {
    ResultRows written, read;
    Text text = {0};
    result_rows_init(&written, columns);
    add(&written, "plain", 1.5);
    add(&written, "a \"quoted\", and\nbroken one", -2);
    add(&written, "", 0);
    result_rows_write_csv(&written, &text);
    cr_assert_str_eq(text.items, "name,value\nplain,1.5\n\"a \"\"quoted\"\", and\nbroken one\",-2\n"
                                 ",0\n");
    result_rows_init(&read, columns);
    cr_assert_eq(result_rows_read_csv(&read, text.items, text.count), text.count);
    cr_assert_eq(read.rows.count, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_str_eq(result_rows_text(&read, i, "name"), result_rows_text(&written, i, "name"));
        cr_expect_eq(result_rows_number(&read, i, "value"),
                     result_rows_number(&written, i, "value"));
    }
    cr_expect(isnan(result_rows_number(&read, 0, "name")));
    result_rows_free(&written);
    result_rows_free(&read);
    vector_free(&text);
}

/* Wherever the text is cut off, only whole lines count. */
Test(records, unfinished_lines_are_left_out) {
    const char *text = "name,value\none,1\n\"t,w\"\"o\",2\nthree,3\n";
    for (size_t length = 0; length <= strlen(text); length++) {
        ResultRows records;
        result_rows_init(&records, columns);
        size_t understood = result_rows_read_csv(&records, text, length);
        cr_assert_leq(understood, length);
        cr_assert(understood == 0 || text[understood - 1] == '\n');
        size_t lines = 0;
        for (size_t i = 0; i < length; i++)
            lines += text[i] == '\n';
        cr_assert_eq(records.rows.count, lines ? lines - 1 : 0);
        result_rows_free(&records);
    }
}

Test(records, other_columns_are_refused) {
    const char *const texts[] = {"name,number\na,1\n", "name\na\n", "name,value,more\na,1,2\n", ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ResultRows records;
        result_rows_init(&records, columns);
        cr_expect_eq(result_rows_read_csv(&records, texts[i], strlen(texts[i])), 0);
        cr_expect_eq(records.rows.count, 0);
        result_rows_free(&records);
    }
}

Test(records, rows_of_another_length_end_the_reading) {
    const char *text = "name,value\na,1\nb\nc,3\n";
    ResultRows records;
    result_rows_init(&records, columns);
    cr_expect_eq(result_rows_read_csv(&records, text, strlen(text)), strlen("name,value\na,1\n"));
    cr_expect_eq(records.rows.count, 1);
    result_rows_free(&records);
}

Test(records, markdown) {
    ResultRows records;
    Text text = {0};
    result_rows_init(&records, columns);
    add(&records, "a|b", 2);
    result_rows_add_row(&records);
    result_rows_add_cell(&records, "c");
    result_rows_write_markdown(&records, &text);
    cr_assert_str_eq(text.items, "| name | value |\n|---|---:|\n| a\\|b | 2 |\n| c |  |\n");
    result_rows_free(&records);
    vector_free(&text);
}

Test(summary, mean_and_spread) {
    Summary summary = {0};
    cr_expect_eq(summary_deviation(&summary), 0);
    cr_expect_eq(summary_error(&summary), 0);
    for (int i = 0; i < 5; i++)
        summary_add(&summary, (double[]){4, 7, 1, 9, 4}[i]);
    cr_expect_float_eq(summary.mean, 5, 1e-12);
    cr_expect_float_eq(summary_deviation(&summary), sqrt(9.5), 1e-12);
    cr_expect_float_eq(summary_error(&summary), sqrt(9.5 / 5), 1e-12);
    cr_expect(summary.least == 1 && summary.greatest == 9 && summary.count == 5);
}
