/* A kernel runs if the processor has its instructions and the system allows machine code to be made
 * while the program runs. The last kind that runs is the fastest. */
#include "cli/kernels.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "game/game.h"

bool kernel_from_name(const char *name, KernelKind *kind, int *status) {
    Report report = {0};
    assert(kind && status);
    bool is_found = game_find_kernel(name, kind, &report);
    if (!is_found) {
        const Diagnostic *error = &report.items.items[0];
        complain("%s", error->message);
        *status = strcmp(error->code, "no-kernel") == 0 ? STATUS_USAGE : STATUS_EXHAUSTED;
    }
    report_free(&report);
    return is_found;
}

void note_forbidden_code(void) {
    if (!kernel_may_execute())
        complain("the system forbids executable memory: gates are interpreted, which is slower");
}

/* Why a kernel is used or not, in words. */
static const char *verdict(KernelKind kind, KernelKind chosen) {
    if (kind == chosen)
        return kernel_may_execute() ? "used: the fastest of this machine"
                                    : "used: the system forbids executable memory";
    if (kernel_kind_available(kind))
        return "runs, but slower";
    return kernel_processor_has(kind) ? "the system forbids executable memory"
                                      : "the processor lacks what it needs";
}

void print_kernels(void) {
    KernelKind chosen = kernel_choose(KERNEL_AUTO);
    printf("kernel       %s\nexecutable memory is %s\n", kernel_kind_name(chosen),
           kernel_may_execute() ? "allowed" : "forbidden");
    for (int k = KERNEL_INTERPRETED; k < KERNEL_KINDS; k++) {
        const char *needs = kernel_kind_needs((KernelKind)k);
        printf("  %-11s  %s", kernel_kind_name((KernelKind)k), verdict((KernelKind)k, chosen));
        printf(needs ? " (needs %s)\n" : "\n", needs);
    }
}

void add_kernels_json(json_t *object) {
    assert(object);
    KernelKind chosen = kernel_choose(KERNEL_AUTO);
    json_t *kernels = json_array();
    for (int k = KERNEL_INTERPRETED; k < KERNEL_KINDS; k++) {
        KernelKind kind = (KernelKind)k;
        json_array_append_new(
            kernels,
            json_pack("{s:s,s:s?,s:b,s:b,s:s}", "name", kernel_kind_name(kind), "needs",
                      kernel_kind_needs(kind), "processor_has", (int)kernel_processor_has(kind),
                      "available", (int)kernel_kind_available(kind), "why", verdict(kind, chosen)));
    }
    json_object_set_new(object, "kernel", json_string(kernel_kind_name(chosen)));
    json_object_set_new(object, "executable_memory", json_boolean(kernel_may_execute()));
    json_object_set_new(object, "kernels", kernels);
}
