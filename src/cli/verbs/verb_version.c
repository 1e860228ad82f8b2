/* marelle version: the version, and with --verbose what this machine makes of it. */
#include <stdio.h>

#include "cli/kernels.h"
#include "cli/output.h"
#include "cli/verbs.h"

static int run_version(const Command *command) {
    if (command->common.json) {
        json_t *object = json_pack("{s:s,s:s}", "name", "marelle", "version", MARELLE_VERSION);
        if (command->common.verbose)
            add_kernels_json(object);
        print_json(object);
        return STATUS_DONE;
    }
    puts("marelle " MARELLE_VERSION);
    if (command->common.verbose)
        print_kernels();
    return STATUS_DONE;
}

const Verb verb_version = {
    .name = "version",
    .arguments = "",
    .summary = "print the version",
    .description = "Prints the version of the program. With --verbose also which kernel evaluates\n"
                   "gates on this machine, and why not another one.",
    .example = "version --verbose",
    .unused = "seed threads time playouts quiet kernel",
    .run = run_version,
};
