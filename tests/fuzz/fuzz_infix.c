/* Reads any bytes as infix notation, lowers them and prints the result. */
#include "../clause_text.h"
#include "base/text.h"
#include "gdl/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Report report = {0};
    Source *source = source_from_text("fuzz", (const char *)data, size, &report);
    Rules *rules = rules_lower(syntax_read_infix(source, &report), &report);
    if (rules) {
        Text text = {0};
        for (size_t i = 0; i < rules->clauses.count; i++)
            write_clause(&text, rules, &rules->clauses.items[i], NOTATION_INFIX);
        vector_free(&text);
    }
    rules_free(rules);
    report_free(&report);
    return 0;
}
