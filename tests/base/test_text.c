/* Tests growing strings. */
#include "base/text.h"

#include <criterion/criterion.h>
#include <string.h>

Test(text, always_ends_with_nul) {
    Text text = {0};
    cr_assert_str_eq(text_string(&text), "");
    text_clear(&text);
    text_add(&text, "");
    cr_assert_str_eq(text.items, "");
    for (int i = 0; i < 1000; i++) {
        text_add_char(&text, 'a');
        cr_assert_eq(strlen(text.items), text.count);
    }
    text_clear(&text);
    cr_assert_eq(text.count, 0);
    cr_assert_str_eq(text.items, "");
    vector_free(&text);
}

Test(text, pieces) {
    Text text = {0};
    text_add(&text, "one");
    text_add_spaces(&text, 2);
    text_add_spaces(&text, 0);
    text_add_bytes(&text, "two!", 3);
    text_printf(&text, "-%d-%s", 3, "four");
    cr_assert_str_eq(text.items, "one  two-3-four");
    text_add_bytes(&text, "\0z", 2);
    cr_assert_eq(text.count, strlen("one  two-3-four") + 2);
    vector_free(&text);
}

Test(text, csv_cells_double_their_quotes) {
    Text text = {0};
    text_add_csv(&text, "say \"so\", twice");
    cr_assert_str_eq(text.items, "\"say \"\"so\"\", twice\"");
    vector_free(&text);
}
