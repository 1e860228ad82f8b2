/* Machine code for a network of gates: straight-line code for one of the targets of target.h, with
 * values kept in vector registers as long as that pays. */
#pragma once

#include "circuit/lut.h"
#include "circuit/target.h"

typedef struct {
    void (*run)(const void *inputs, void *outputs, void *scratch);
    void *memory;
    size_t bytes, mapped_bytes;
    size_t scratch_bytes;
    unsigned pieces;      /* runs that cover all lanes, each on the next piece of every value */
    unsigned piece_bytes; /* distance of the pieces in inputs and outputs; scratch is reused */
} CompiledCode;

/* Compiles for values of 64 bytes, or of 16 if `narrow`. A binary target needs a network of gates
 * with at most two inputs (lut_map). Returns false if this machine cannot run the target, the
 * network is too large, or no executable memory is to be had. */
bool compile_network(const LutNetwork *network, const Target *target, bool narrow,
                     CompiledCode *code);
void compiled_free(CompiledCode *code);
