/* Compiles the device code as C and loads it into the test, which runs it thread after thread. */
#ifndef MARELLE_TESTS_GPU_DEVICE_IN_C_H
#define MARELLE_TESTS_GPU_DEVICE_IN_C_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "game/play.h"
#include "gpu/kernel_source.h"
#include "gpu/playouts.h"
#include "gpu/reference.h"

/* The compiler for the machine on which the tests run. */
#ifndef MARELLE_TEST_CC
#define MARELLE_TEST_CC "cc"
#endif

typedef struct {
    void *library;
    void *play, *record; /* the kernels; NULL if the library has none of that name */
} DeviceCode;

__attribute__((unused)) static void write_file(const char *folder, const char *name,
                                               const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

/* Compiles the kernels, with the header that they include unless it is NULL. Skips the test if
 * there is no C compiler. */
__attribute__((unused)) static void *device_library(const char *kernel, const char *header,
                                                    const char *text) {
    char folder[] = "/tmp/marelle_gpu_XXXXXX", command[1000], path[100];
    if (system(MARELLE_TEST_CC " --version >/dev/null 2>&1") != 0)
        cr_skip_test("there is no C compiler");
    cr_assert_not_null(mkdtemp(folder));
    write_file(folder, "unit.cuh", gpu_source_unit);
    write_file(folder, "network.cuh", gpu_source_network);
    write_file(folder, "kernel.c", kernel);
    if (header)
        write_file(folder, header, text);
    snprintf(path, sizeof path, "%s/kernel.so", folder);
    snprintf(command, sizeof command,
             MARELLE_TEST_CC
             " -std=gnu17 -O0 -Wall -Wextra -Werror -Wno-unused-function -Wno-type-limits "
             "-shared -fPIC -I%s -o %s "
             "%s/kernel.c -lm",
             folder, path, folder);
    cr_assert_eq(system(command), 0);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cr_assert_not_null(library, "%s", dlerror());
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
    return library;
}

/* Returns the kernels of random play. */
__attribute__((unused)) static DeviceCode device_code(const char *kernel, const char *header,
                                                      const char *text) {
    DeviceCode code = {.library = device_library(kernel, header, text)};
    code.play = dlsym(code.library, "play");
    cr_assert_not_null(code.play);
    code.record = dlsym(code.library, "record");
    return code;
}

/* Returns an address as the device gets it, which is one of this process. */
__attribute__((unused)) static uint64_t address(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

/* Returns the bits of the initial state for `units` units, laid out as the kernels expect them. */
__attribute__((unused)) static uint32_t *initial_starts(const TurnNetworks *turn, uint32_t units) {
    uint32_t *starts = memory_zalloc((gpu_start_words(turn) * units + 1) * sizeof *starts);
    for (uint32_t u = 0; u < units; u++)
        for (size_t i = 0; i < turn->kept.count; i++)
            if (turn->circuit->initial[turn->kept.items[i]])
                starts[i / 32 * units + u] |= UINT32_C(1) << i % 32;
    return starts;
}

/* Returns the argument of the kernel for large games, with addresses of this process. */
__attribute__((unused)) static GpuProgramArgument argument(const TurnNetworks *turn,
                                                           const GpuProgram *program,
                                                           const U32Vector *gates,
                                                           const void *arena) {
    GpuProgramArgument a = gpu_program_argument(program, turn);
    a.gates = address(gates->items);
    a.segments = address(program->segments.items);
    a.phases = address(program->phases.items);
    a.lists = address(program->lists.items);
    a.initial = address(program->initial.items);
    a.arenas = address(arena);
    return a;
}

#endif
