/* Tests source texts: lines and columns, and files that cannot be read. */
#include "base/source_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"

static Source *source_of(const char *text) {
    Report report = {0};
    Source *source = source_from_text("name", text, strlen(text), &report);
    cr_assert_not_null(source);
    return source;
}

static void assert_place(Source *source, uint32_t offset, uint32_t line, uint32_t column) {
    SourcePlace place = source_place(source, offset);
    cr_assert(place.line == line && place.column == column, "offset %u is at %u:%u, not %u:%u",
              offset, place.line, place.column, line, column);
    cr_assert_eq(source_line_number(source, offset), line);
}

Test(source, lines_end_in_three_ways) {
    Source *source = source_of("ab\ncd\r\nef\rgh");
    const SourcePlace places[] = {{1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}, {2, 3}, {2, 4},
                                  {3, 1}, {3, 2}, {3, 3}, {4, 1}, {4, 2}, {4, 3}};
    for (uint32_t i = 0; i < 13; i++)
        assert_place(source, i, places[i].line, places[i].column);
    for (uint32_t i = 13; i-- > 0;)
        assert_place(source, i, places[i].line, places[i].column);
    const char *lines[] = {"ab", "cd", "ef", "gh"};
    for (uint32_t line = 1; line <= 4; line++) {
        size_t length;
        const char *text = source_line(source, line, &length);
        cr_assert_eq(length, 2);
        cr_assert_arr_eq(text, lines[line - 1], 2);
    }
    source_free(source);
}

Test(source, columns_count_characters) {
    Source *source = source_of("\xc3\xa9\xe2\x82\xac(x)");
    assert_place(source, 2, 1, 2);
    assert_place(source, 5, 1, 3);
    assert_place(source, 6, 1, 4);
    source_free(source);
}

Test(source, places_past_the_end_are_the_end) {
    Source *source = source_of("a\n");
    assert_place(source, 1000, 2, 1);
    source_free(source);
    source = source_of("");
    assert_place(source, 0, 1, 1);
    size_t length;
    source_line(source, 1, &length);
    cr_assert_eq(length, 0);
    source_free(source);
}

static void assert_unreadable(const char *path, const char *part) {
    Report report = {0};
    cr_assert_null(source_read(path, &report));
    cr_assert_eq(report.items.count, 1);
    cr_assert_str_eq(report.items.items[0].code, "unreadable");
    cr_assert_not_null(strstr(report.items.items[0].message, part), "%s",
                       report.items.items[0].message);
    report_free(&report);
}

Test(source, files_that_cannot_be_read) {
    assert_unreadable("/nonexistent/game.kif", "No such file");
    assert_unreadable("/tmp", "is a directory");
    assert_unreadable("", "No such file");
    char path[] = "/tmp/marelle-test-XXXXXX";
    close(mkstemp(path));
    chmod(path, 0);
    if (access(path, R_OK) != 0) /* the superuser can read every file */
        assert_unreadable(path, "Permission denied");
    unlink(path);
    assert_unreadable(path, "No such file");
}

Test(source, a_file_is_read_whole) {
    char path[] = "/tmp/marelle-test-XXXXXX";
    int file = mkstemp(path);
    char *text = memory_alloc(300000);
    memset(text, 'a', 300000);
    text[1000] = '\0';
    cr_assert_eq(write(file, text, 300000), 300000);
    close(file);
    Report report = {0};
    Source *source = source_read(path, &report);
    cr_assert_eq(source->length, 300000);
    cr_assert_arr_eq(source->text, text, 300000);
    cr_assert_eq(source->text[300000], '\0');
    cr_assert_str_eq(source->name, path);
    source_free(source);
    unlink(path);
    free(text);
}

Test(source, too_large) {
    Report report = {0};
    cr_assert_null(source_from_text("x", "", (size_t)SOURCE_MAX_SIZE + 1, &report));
    cr_assert_str_eq(report.items.items[0].code, "too-large");
    report_free(&report);
}
