/* Networks of gates with up to three inputs, the form in which circuits are evaluated. A gate is
 * one `vpternlog` on AVX-512 or one `LOP3` on a GPU; it is stored as a look-up table (Lut). Values
 * are numbered: 0 is constant false, then come the inputs, then the gates in order of evaluation.
 */
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

/* The gates of a network. Inputs and outputs of gates may be complemented in all of them. */
typedef enum {
    GATES_TWO = 2,   /* any function of two inputs */
    GATES_THREE = 3, /* any function of three inputs */
    GATES_SELECT,    /* GATES_TWO, and x ? y : z */
    GATES_SELECT_XOR /* GATES_SELECT, and x ^ y ^ z and x ^ (y & z) */
} GateSet;

/* Maps the cones of the outputs to gates of the set. `inputs` lists the nodes that become inputs 1,
 * 2, ...; every input in the cones must be listed or be a loop variable. Another thread or a signal
 * may set `stopped` (NULL: none): then the rest is mapped at once, one gate per conjunction, to a
 * network that is larger but right. */
LutNetwork *lut_map(const Aig *aig, const uint32_t *inputs, size_t input_count,
                    const Signal *outputs, size_t output_count, GateSet gates, const bool *stopped);
void lut_free(LutNetwork *network);

/* The table of the same function if operand i is moved to position places[i]. */
uint8_t lut_permuted_table(uint8_t table, const uint8_t *places, size_t count);
/* The table of the same function if some operands are complemented, those whose bit is set: 4 for
 * the first one, then 2 and 1. */
uint8_t lut_flipped_table(uint8_t table, unsigned flips);

/* The polynomial over GF(2) of a table (by the Moebius transform): bit i is the coefficient of the
 * product of the operands in i: 4 for a, 2 for b, 1 for c. */
static inline uint8_t lut_polynomial(uint8_t table) {
    table ^= (uint8_t)(table << 1) & 0xaa;
    table ^= (uint8_t)(table << 2) & 0xcc;
    return table ^ ((uint8_t)(table << 4) & 0xf0);
}

static inline uint32_t lut_value(const LutNetwork *network, size_t gate) {
    return 1 + network->input_count + (uint32_t)gate;
}
