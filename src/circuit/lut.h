/* Networks of 3-input gates: what the sliced evaluators run. One gate is one `vpternlog` on
 * AVX-512 or one `LOP3` on a GPU. Values are numbered: 0 is constant false, then the inputs, then
 * the gates in order of evaluation. */
#pragma once

#include "circuit/aig.h"

typedef struct {
    uint32_t a, b, c; /* values; equal ones where fewer than three matter */
    uint8_t table;    /* bit 4a+2b+c is the result for those operands */
} Lut;

typedef struct {
    uint32_t first, end; /* gates to repeat */
    U32Vector variables; /* values of kind input */
    U32Vector updates;   /* values */
} LutLoop;

typedef struct {
    uint32_t input_count; /* loop variables included, at the end */
    VECTOR(Lut) luts;
    VECTOR(LutLoop) loops;
    U32Vector outputs; /* values, in the order the outputs were given */
} LutNetwork;

/* Maps the cones of the outputs to gates with at most `gate_inputs` inputs, 2 or 3. `inputs` lists
 * the nodes that become inputs 1, 2, ...; every input in the cones must be listed or be a loop
 * variable. */
LutNetwork *lut_map(const Aig *aig, const uint32_t *inputs, size_t input_count,
                    const Signal *outputs, size_t output_count, unsigned gate_inputs);
void lut_free(LutNetwork *network);

/* The table of the same function when operand i stands at places[i]. */
uint8_t lut_permuted_table(uint8_t table, const uint8_t *places, size_t count);

static inline uint32_t lut_value(const LutNetwork *network, size_t gate) {
    return 1 + network->input_count + (uint32_t)gate;
}
