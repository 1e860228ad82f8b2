/* Tests reports: which diagnostics are kept, their order and their text. */
#include "base/report.h"

#include <criterion/criterion.h>
#include <string.h>

static Source *source_of(const char *text) {
    Report report = {0};
    return source_from_text("game.kif", text, strlen(text), &report);
}

static void assert_printed(const Report *report, Severity mildest, const char *expected) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    report_print(report, out, mildest);
    fclose(out);
    cr_assert_str_eq(text, expected, "printed\n%s\nnot\n%s", text, expected);
    free(text);
}

Test(report, looks_like_a_compiler) {
    Source *source = source_of("(role x)\n\t(rolle o)\n");
    Report report = {0};
    report_at(&report, SEVERITY_ERROR, "bad-word", source, 11, 5, "no relation `%s`", "rolle");
    report_hint(&report, "did you mean `%s`?", "role");
    source_free(source);
    assert_printed(&report, SEVERITY_NOTE,
                   "game.kif:2:3: error[bad-word]: no relation `rolle`\n"
                   "    2 | \t(rolle o)\n"
                   "      | \t ^~~~~\n"
                   "      = did you mean `role`?\n");
    cr_assert(report_failed(&report));
    report_free(&report);
}

Test(report, milder_ones_can_be_left_out) {
    Source *source = source_of("(p)");
    Report report = {0};
    report_at(&report, SEVERITY_NOTE, "n", source, 0, 1, "note");
    report_at(&report, SEVERITY_WARNING, "w", source, 0, 1, "warning");
    cr_assert(!report_failed(&report));
    assert_printed(&report, SEVERITY_WARNING,
                   "game.kif:1:1: warning[w]: warning\n    1 | (p)\n      | ^\n");
    assert_printed(&report, SEVERITY_ERROR, "");
    report_error(&report, "e", "no place");
    assert_printed(&report, SEVERITY_ERROR, "error[e]: no place\n");
    cr_assert(report_failed(&report));
    source_free(source);
    report_free(&report);
}

Test(report, sorting_is_stable) {
    Source *source = source_of("a b\nc");
    Report report = {0};
    report_at(&report, SEVERITY_ERROR, "1", source, 4, 1, "x");
    report_at(&report, SEVERITY_ERROR, "2", source, 2, 1, "x");
    report_at(&report, SEVERITY_ERROR, "3", source, 0, 1, "x");
    report_at(&report, SEVERITY_ERROR, "4", source, 2, 1, "x");
    report_sort(&report);
    const char *expected[] = {"3", "2", "4", "1"};
    for (size_t i = 0; i < 4; i++)
        cr_assert_str_eq(report.items.items[i].code, expected[i]);
    source_free(source);
    report_free(&report);
}

Test(report, long_lines_are_cut_around_the_place) {
    char text[5001];
    memset(text, 'a', 5000);
    text[5000] = '\0';
    text[2500] = 'b';
    Source *source = source_of(text);
    Report report = {0};
    report_at(&report, SEVERITY_ERROR, "x", source, 2500, 1, "here");
    const Diagnostic *d = &report.items.items[0];
    cr_assert_leq(strlen(d->excerpt), 200);
    cr_assert_eq(d->excerpt[d->excerpt_column - 1], 'b');
    cr_assert_eq(d->column, 2501);
    source_free(source);
    report_free(&report);
}

Test(report, odd_bytes_and_cut_characters) {
    char text[3000] = "";
    for (int i = 0; i < 900; i++)
        strcat(text, "\xe2\x82\xac");
    strcat(text, "\x01\x1b");
    Source *source = source_of(text);
    Report report = {0};
    report_at(&report, SEVERITY_ERROR, "x", source, 2700, 1, "here");
    const Diagnostic *d = &report.items.items[0];
    cr_assert_eq(((unsigned char)d->excerpt[0] & 0xc0), 0xc0, "starts with a whole character");
    cr_assert_null(strpbrk(d->excerpt, "\x01\x1b"));
    source_free(source);
    report_free(&report);
}

Test(report, twenty_of_a_code_are_kept) {
    Source *source = source_of("x");
    Report report = {0};
    for (int i = 0; i < 5000; i++) {
        report_at(&report, SEVERITY_WARNING, "w", source, 0, 1, "number %d", i);
        report_hint(&report, "hint %d", i);
    }
    cr_assert_eq(report.items.count, REPORT_MAX_OF_CODE);
    cr_assert_eq(report.counts[SEVERITY_WARNING], 5000);
    cr_assert_str_eq(report.items.items[0].hint, "hint 0");
    cr_assert_str_eq(vector_last(&report.items).hint, "hint 19", "hints of dropped ones go too");
    source_free(source);
    report_free(&report);
}

Test(report, long_messages_are_cut) {
    Report report = {0};
    report_error(&report, "x", "%100000s", "end");
    cr_assert_lt(strlen(report.items.items[0].message), 5000);
    report_free(&report);
}
