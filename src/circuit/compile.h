/* Machine code for a network of gates: straight-line code for one of the targets of target.h, with
 * values in vector registers as far as possible. */
#pragma once

#include "circuit/lut.h"
#include "circuit/target.h"

typedef struct {
    void (*run)(const void *inputs, void *outputs, void *scratch);
    void *memory;
    size_t bytes, mapped_bytes;
    size_t scratch_bytes;
    unsigned pieces;      /* runs that cover all lanes, each on one piece of every value */
    unsigned piece_bytes; /* bytes between two pieces in inputs and outputs; the scratch memory is
                             the same for all */
} CompiledCode;

/* Compiles for values of 64 bytes, or of 16 if `narrow`. A binary target needs gates with at most
 * two inputs (lut_map). False if this machine cannot run the target, the network is too large, or
 * executable memory is not available. */
bool compile_network(const LutNetwork *network, const Target *target, bool narrow,
                     CompiledCode *code);
void compiled_free(CompiledCode *code);
