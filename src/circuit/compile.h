/* Machine code for a network of gates: straight-line code for one of the targets of target.h, with
 * values in vector registers as far as possible. */
#pragma once

#include "circuit/lut.h"
#include "circuit/target.h"

typedef struct {
    void (*run)(const void *inputs, void *outputs, void *scratch);
    void *memory;
    size_t bytes, mapped_bytes;
    size_t instructions;
    double cpu_seconds; /* CPU seconds that generating it took */
    size_t scratch_bytes;
    unsigned pieces; /* pieces of a value: how often each part of the code runs */
} CompiledCode;

/* Code of a network takes at most so many bytes; no jump of AArch64 would go farther than twice as
 * far. The largest in a sample of the corpus takes a third (docs/results/speed.md). */
enum { COMPILE_MAX_BYTES = 1 << 26 };

/* Compiles for values of 64 bytes, or of 16 if `narrow`. The network must be mapped to the gates of
 * the target (lut_map). False if this machine cannot run the target, the code would take more than
 * `max_bytes`, or executable memory is not available. */
bool compile_network(const LutNetwork *network, const Target *target, bool narrow, size_t max_bytes,
                     CompiledCode *compiled);
/* Writes the code, which may be for another processor, but does not make it executable: all of
 * `compiled` is filled but `run` and `memory`. The caller frees code->bytes. False if the code
 * would take more than `max_bytes`. */
bool compile_code(const LutNetwork *network, const Target *target, bool narrow, size_t max_bytes,
                  MachineCode *code, CompiledCode *compiled);
/* True if the system allows this process to make memory executable. */
bool compile_may_execute(void);
void compiled_free(CompiledCode *code);
