/* Machine code for a network of gates: straight AVX-512, one vpternlogq a gate, values kept in the
 * 32 vector registers as long as they pay. */
#pragma once

#include "circuit/kernel.h"

typedef struct {
    void (*run)(const void *inputs, void *outputs, void *scratch);
    void *memory;
    size_t bytes, mapped_bytes;
    size_t scratch_values;
} CompiledCode;

/* For values of 64 bytes, or of 16 if `narrow`. False if this machine cannot run it or no
 * executable memory is to be had. */
bool compile_network(const LutNetwork *network, bool narrow, CompiledCode *code);
void compiled_free(CompiledCode *code);
