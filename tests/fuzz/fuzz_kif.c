/* Reads any bytes as KIF, also as a message of the game protocol, lowers them and prints the
 * result. */
#include "../clause_text.h"
#include "base/text.h"
#include "gdl/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int is_message = 0; is_message < 2; is_message++) {
        Report report = {0};
        Source *source = source_from_text("fuzz", (const char *)data, size, &report);
        Rules *rules = rules_lower(syntax_read_kif(source, is_message, &report), &report);
        if (rules) {
            Text text = {0};
            for (size_t i = 0; i < rules->clauses.count; i++)
                write_clause(&text, rules, &rules->clauses.items[i], NOTATION_KIF);
            vector_free(&text);
        }
        rules_free(rules);
        report_free(&report);
    }
    return 0;
}
