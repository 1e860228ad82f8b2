/* Runs any bytes through all stages of a description: reading, lowering, checking, measuring, and
 * writing as an answer set program. */
#include "gdl/asp.h"
#include "gdl/check/check.h"
#include "gdl/info.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Report report = {0};
    Rules *rules = rules_read_text("fuzz", (const char *)data, size, &report);
    if (rules) {
        rules_check(rules, &report);
        Info info;
        info_collect(&info, rules);
        info_free(&info);
        Text text = {0};
        rules_write_asp(&text, rules);
        vector_free(&text);
    }
    report_sort(&report);
    rules_free(rules);
    report_free(&report);
    return 0;
}
