/* The properties of a processor that the code generator (compile.c) uses: the number of vector
 * registers, the gates that one instruction computes, and the encoding of instructions. A target
 * works on vectors as wide as its registers. If these are smaller than 64 bytes, a value has
 * several pieces, and the code is repeated for each. */
#pragma once

#include "base/vector.h"
#include "circuit/lut.h"

/* There are two families. On a ternary target (GATES_THREE) any gate with three inputs is one
 * instruction, which overwrites its first operand. On all others a gate is one of the operations
 * below; the generator stores some values complemented, so that few gates need a second
 * instruction. */

typedef enum {
    OP_AND,
    OP_ANDN, /* not first and second */
    OP_OR,
    OP_XOR,
    OP_ORN,    /* first or not second */
    OP_SELECT, /* if first then second else third */
    OP_XOR3,
    OP_XOR_ANDN,   /* first xor (second and not third) */
    OP_SELECT_NOT, /* if first then not second else third */
    OP_XOR_AND,    /* first xor (second and third) */
    OP_XOR_OR,     /* first xor (second or third) */
    OP_COUNT
} GateOp;

/* The operations that every target but the ternary ones has, as a set of bits. */
enum { OPS_OF_ALL = 1 << OP_AND | 1 << OP_ANDN | 1 << OP_OR | 1 << OP_XOR };

typedef enum { BASE_INPUTS, BASE_OUTPUTS, BASE_SCRATCH, BASE_COUNT } Base;

/* A vector in memory, at an offset from an argument of the compiled function. */
typedef struct {
    Base base;
    uint32_t offset; /* bytes */
} MemoryOperand;

/* Code under construction. */
typedef struct {
    VECTOR(uint8_t) bytes;
    size_t instructions;
    U32Vector ones; /* positions of 32-bit displacements to the all-ones vector */
    unsigned width; /* bytes used per register: all of them, or 16 for narrow code */
} MachineCode;

typedef struct Target {
    const char *name;
    const char *needs; /* what the processor must have, in words */
    unsigned register_bytes;
    GateSet gates;           /* what networks are mapped to */
    unsigned ops;            /* set of bits: operations it has; 0 on a ternary target */
    unsigned registers;      /* the generator allocates registers 0 ... registers - 1 */
    unsigned growth;         /* register that collects growth of loop variables */
    bool takes_memory;       /* the last operand of an instruction may be in memory */
    bool overwrites_operand; /* the result replaces the first operand */
    bool (*is_available)(void);

    void (*load)(MachineCode *code, unsigned to, MemoryOperand from);
    void (*store)(MachineCode *code, unsigned from, MemoryOperand to);
    void (*move)(MachineCode *code, unsigned to, unsigned from);
    void (*zero)(MachineCode *code, unsigned reg);
    void (*negate)(MachineCode *code, unsigned reg);
    /* Ternary: applies a table to (to, a, b), where `to` is the highest bit. Binary: to = a OP b.
     * If overwrites_operand is set, `to` is the first operand, and binary targets ignore `a`.
     * Triple: an operation with three operands, any of which may be in `to` as well. */
    void (*ternary)(MachineCode *code, unsigned to, unsigned a, unsigned b, uint8_t table);
    void (*ternary_memory)(MachineCode *code, unsigned to, unsigned a, MemoryOperand b,
                           uint8_t table);
    void (*binary)(MachineCode *code, GateOp op, unsigned to, unsigned a, unsigned b);
    void (*binary_memory)(MachineCode *code, GateOp op, unsigned to, unsigned a, MemoryOperand b);
    void (*triple)(MachineCode *code, GateOp op, unsigned to, const unsigned *operands);
    /* growth |= reg & ~variable. */
    void (*note_growth)(MachineCode *code, unsigned growth, unsigned reg, MemoryOperand variable);
    /* Jumps back to the position if any bit of the register is set. */
    void (*jump_if_any)(MachineCode *code, unsigned reg, size_t position);
    /* Adds `width` to the three arguments and jumps back to the position, until all `bytes` of a
     * value are done; then subtracts what was added. The inputs are aligned to `bytes`, a power of
     * two. */
    void (*repeat_for_pieces)(MachineCode *code, size_t position, unsigned bytes);
    /* Appends the return from the function, and constants after it. */
    void (*finish)(MachineCode *code);
} Target;

extern const Target target_avx512, target_avx2, target_sse2, target_neon, target_neon_sha3;

/* Every instruction starts with this call, so that instructions can be counted. */
static inline void code_instruction(MachineCode *code) {
    code->instructions++;
}

static inline void code_byte(MachineCode *code, unsigned byte) {
    vector_push(&code->bytes, (uint8_t)byte);
}

static inline void code_word32(MachineCode *code, uint32_t word) {
    for (int i = 0; i < 4; i++)
        code_byte(code, word >> (8 * i) & 255);
}
