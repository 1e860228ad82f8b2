/* marelle version: the version, and with --verbose what this machine makes of it. */
#include <stdio.h>

#include "cli/kernels.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cluster/cluster.h"

static int run_version(const Command *command) {
    if (command->common.json) {
        json_t *object = json_pack("{s:s,s:s}", "name", "marelle", "version", MARELLE_VERSION);
        if (command->common.verbose) {
            add_kernels_json(object);
            json_object_set_new(object, "mpi", json_boolean(cluster_has_mpi()));
        }
        print_json(object);
        return STATUS_DONE;
    }
    puts("marelle " MARELLE_VERSION);
    if (command->common.verbose) {
        print_kernels();
        puts(cluster_has_mpi() ? "processes    several, by MPI"
                               : "processes    one (built without MPI)");
    }
    return STATUS_DONE;
}

const Verb verb_version = {
    .name = "version",
    .arguments = "",
    .summary = "print the version",
    .description = "Prints the version of the program. With --verbose also which kernel evaluates\n"
                   "gates on this machine, why not another one, and whether several processes can\n"
                   "work together.",
    .example = "version --verbose",
    .unused = "seed threads time playouts quiet kernel",
    .run = run_version,
};
