/* Reads any bytes as the definition file of a tournament. */
#include "server/tournament/definition.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Report report = {0};
    Definition definition;
    Source *source = source_from_text("tournament.json", (const char *)data, size, &report);
    definition_parse(&definition, source, &report);
    definition_free(&definition);
    source_free(source);
    report_free(&report);
    return 0;
}
