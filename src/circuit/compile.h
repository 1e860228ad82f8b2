/* Machine code for a network of gates: straight-line AVX-512, one vpternlogq per gate, with values
 * kept in the 32 vector registers as long as possible. */
#pragma once

#include "circuit/kernel.h"

typedef struct {
    void (*run)(const void *inputs, void *outputs, void *scratch);
    void *memory;
    size_t bytes, mapped_bytes;
    size_t scratch_values;
} CompiledCode;

/* Compiles for values of 64 bytes, or of 16 if `narrow`. False if this machine cannot run the code
 * or gives no executable memory. */
bool compile_network(const LutNetwork *network, bool narrow, CompiledCode *code);
void compiled_free(CompiledCode *code);
