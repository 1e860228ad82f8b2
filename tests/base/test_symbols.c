/* Tests interned names. */
#include "base/symbols.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static Symbol intern(Symbols *symbols, const char *name) {
    return symbols_intern(symbols, name, strlen(name));
}

Test(symbols, numbers_come_in_order_of_appearance) {
    Symbols symbols = {0};
    cr_assert_eq(intern(&symbols, "cell"), 0);
    cr_assert_eq(intern(&symbols, "x"), 1);
    cr_assert_eq(intern(&symbols, "cell"), 0);
    cr_assert_str_eq(symbols_name(&symbols, 1), "x");
    cr_assert_eq(symbols_length(&symbols, 0), 4);
    symbols_free(&symbols);
}

Test(symbols, case_is_folded_and_the_first_spelling_kept) {
    Symbols symbols = {0};
    Symbol symbol = intern(&symbols, "xPlayer");
    cr_assert_eq(intern(&symbols, "XPLAYER"), symbol);
    cr_assert_eq(intern(&symbols, "xplayer"), symbol);
    cr_assert_str_eq(symbols_name(&symbols, symbol), "xPlayer");
    cr_assert_neq(intern(&symbols, "\xc3\x89"), intern(&symbols, "\xc3\xa9"),
                  "only ASCII letters are folded");
    cr_assert_neq(intern(&symbols, "@"), intern(&symbols, "`"), "only letters are folded");
    symbols_free(&symbols);
}

Test(symbols, find_does_not_add) {
    Symbols symbols = {0};
    cr_assert_eq(symbols_find(&symbols, "a", 1), SYMBOL_NONE);
    Symbol symbol = intern(&symbols, "a");
    cr_assert_eq(symbols_find(&symbols, "A", 1), symbol);
    cr_assert_eq(symbols.names.count, 1);
    symbols_free(&symbols);
}

Test(symbols, names_may_be_empty_long_or_hold_nul) {
    Symbols symbols = {0};
    Symbol empty = symbols_intern(&symbols, "", 0);
    Symbol nul = symbols_intern(&symbols, "a\0b", 3), other = symbols_intern(&symbols, "a\0c", 3);
    cr_assert_neq(nul, other);
    cr_assert_eq(symbols_length(&symbols, empty), 0);
    char *large = memory_alloc(1 << 20);
    memset(large, 'q', 1 << 20);
    Symbol long_one = symbols_intern(&symbols, large, 1 << 20);
    cr_assert_eq(symbols_intern(&symbols, large, 1 << 20), long_one);
    cr_assert_neq(symbols_intern(&symbols, large, (1 << 20) - 1), long_one);
    free(large);
    symbols_free(&symbols);
}

Test(symbols, many) {
    Symbols symbols = {0};
    char name[20];
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 50000; i++) {
            snprintf(name, sizeof name, "n%u", i);
            cr_assert_eq(intern(&symbols, name), i);
        }
    symbols_free(&symbols);
}
