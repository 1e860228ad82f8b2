/* A helper of test_equivalence.py: export_circuit GAME plain|optimised FILE writes the circuit of a
 * game as AIGER. With "constants" instead of a kind, it writes a line "0", "1" or "-" for each
 * fluent: the constant value that the optimised circuit assumes, or none. */
#include <stdio.h>
#include <string.h>

#include "circuit/circuit_export.h"
#include "circuit/ternary.h"

static bool write_constants(const Circuit *circuit, const char *path) {
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    Ternary *state = ternary_reachable(circuit);
    for (uint32_t f = 0; f < circuit->fluent_count; f++)
        fprintf(out, "%c\n", "?01-"[state[f]]);
    free(state);
    return fclose(out) == 0;
}

static bool export_circuit(const char *game, const char *what, const char *path, Report *report) {
    GroundBudget budget = {.seconds = 60, .bytes = (size_t)2 << 30};
    CircuitOptions options = {.factors = strcmp(what, "plain") != 0,
                              .finds_constants = strcmp(what, "optimised") == 0};
    Rules *rules = rules_read(game, report);
    Grounding *grounding = rules ? ground_rules(rules, &budget, report) : NULL;
    Circuit *circuit = grounding ? circuit_build(grounding, &options, report) : NULL;
    bool ok = circuit != NULL;
    if (ok)
        ok = strcmp(what, "constants") == 0 ? write_constants(circuit, path)
                                            : circuit_write_aiger(circuit, grounding, path, report);
    circuit_free(circuit);
    grounding_free(grounding);
    rules_free(rules);
    return ok;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: %s GAME plain|optimised|constants FILE\n", arguments[0]);
        return 2;
    }
    Report report = {0};
    bool ok = export_circuit(arguments[1], arguments[2], arguments[3], &report);
    report_print(&report, stderr, SEVERITY_ERROR);
    report_free(&report);
    return ok ? 0 : 1;
}
