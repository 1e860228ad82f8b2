/* Networks of gates with three inputs, the form in which circuits are evaluated. A gate is one
 * `vpternlog` on AVX-512 or one `LOP3` on a GPU. Values are numbered: 0 is constant false, then
 * come the inputs, then the gates in order of evaluation. */
#pragma once

#include "circuit/aig.h"

typedef struct {
    uint32_t a, b, c; /* values; some are equal if the gate has fewer than three inputs */
    uint8_t table;    /* bit 4a+2b+c is the result for those operands */
} Lut;

typedef struct {
    uint32_t first, end; /* range of gates to repeat */
    U32Vector variables; /* inputs that are the variables of the loop */
    U32Vector updates;   /* by variable: the value that updates it */
} LutLoop;

typedef struct {
    uint32_t input_count; /* number of inputs; loop variables are the last ones */
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

/* The table of the same function if operand i is moved to position places[i]. */
uint8_t lut_permuted_table(uint8_t table, const uint8_t *places, size_t count);

static inline uint32_t lut_value(const LutNetwork *network, size_t gate) {
    return 1 + network->input_count + (uint32_t)gate;
}
