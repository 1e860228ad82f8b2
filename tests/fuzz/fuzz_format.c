/* Tests the promises of the formatter on any bytes: formatting keeps the expressions of a readable
 * text, and formatting twice changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gdl/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what, const Text *text) {
    if (holds)
        return;
    fprintf(stderr, "%s:\n%.*s\n", what, (int)text->count, text_string(text));
    abort();
}

static bool same_trees(const Syntax *a, const Syntax *b) {
    if (a->nodes.count != b->nodes.count || a->roots.count != b->roots.count)
        return false;
    for (size_t i = 0; i < a->nodes.count; i++) {
        const Node *x = &a->nodes.items[i], *y = &b->nodes.items[i];
        if (x->size != y->size || (x->symbol == SYMBOL_NONE) != (y->symbol == SYMBOL_NONE))
            return false;
        if (x->symbol != SYMBOL_NONE && strcasecmp(symbols_name(&a->symbols, x->symbol),
                                                   symbols_name(&b->symbols, y->symbol)) != 0)
            return false;
    }
    return true;
}

static Syntax *read_as(Notation notation, const char *text, size_t length, Report *report) {
    Source *source = source_from_text("fuzz", text, length, report);
    return notation == NOTATION_KIF ? syntax_read_kif(source, false, report)
                                    : syntax_read_infix(source, report);
}

static void check(Notation notation, const uint8_t *data, size_t size) {
    Report report = {0}, again_report = {0};
    Syntax *syntax = read_as(notation, (const char *)data, size, &report);
    if (!report_failed(&report)) {
        Text once = {0}, twice = {0}, other = {0};
        rules_format(&once, syntax, notation);
        Syntax *again = read_as(notation, text_string(&once), once.count, &again_report);
        require(!report_failed(&again_report), "formatted text has errors", &once);
        require(same_trees(syntax, again), "formatted text has other expressions", &once);
        rules_format(&twice, again, notation);
        require(strcmp(text_string(&twice), text_string(&once)) == 0, "not stable", &once);
        rules_format(&other, syntax, notation == NOTATION_KIF ? NOTATION_INFIX : NOTATION_KIF);
        vector_free(&once);
        vector_free(&twice);
        vector_free(&other);
        syntax_free(again);
    }
    syntax_free(syntax);
    report_free(&report);
    report_free(&again_report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check(NOTATION_KIF, data, size);
    check(NOTATION_INFIX, data, size);
    return 0;
}
