/* AArch64: NEON, and the two instructions of its SHA3 extension that suit gates. Instructions have
 * four bytes and three operands; EOR3 and BCAX have four. Operands are always in registers. Of the
 * vector registers only those that a function need not preserve are used: v0 to v7 and v16 to v31,
 * the last two of which are reserved for loops and for use inside one call of a function below. */
#include <assert.h>

#include "base/cpu.h"
#include "circuit/target.h"

enum {
    REGISTERS = 22,        /* v0 to v7, v16 to v29 */
    SCRATCH_REGISTER = 22, /* v30 */
    GROWTH = 23,           /* v31 */
    ADDRESS = 9            /* x9; x0, x1 and x2 are the arguments */
};

#define AND 0x4e201c00u
#define BIC 0x4e601c00u /* first and not second */
#define ORR 0x4ea01c00u
#define ORN 0x4ee01c00u /* first or not second */
#define EOR 0x6e201c00u
#define NOT 0x6e205800u
#define BSL 0x6e601c00u  /* destination = destination ? first : second */
#define BIT 0x6ea01c00u  /* destination = second ? first : destination */
#define BIF 0x6ee01c00u  /* destination = second ? destination : first */
#define EOR3 0xce000000u /* SHA3 */
#define BCAX 0xce200000u /* SHA3: first xor (second and not third) */
#define UMAXP 0x6ea0a400u
#define MOVI_0 0x6f00e400u
#define LOAD 0x3dc00000u /* loads 16 bytes; the offset counts in 16 bytes */
#define STORE 0x3d800000u
#define ADD 0x8b000000u
#define ADD_SHIFTED 0x91400000u /* adds a constant times 4096 */
#define ADD_NUMBER 0x91000000u
#define SUBTRACT_NUMBER 0xd1000000u
#define AND_63 0x92401400u
#define MOVZ_HIGH 0xd2a00000u /* a constant times 65536 */
#define FMOV 0x9e660000u      /* from a vector register to another */
#define CBZ 0xb4000000u
#define CBNZ 0xb5000000u
#define BRANCH 0x14000000u
#define RETURN 0xd65f03c0u

/* Writes an instruction. */
static void word(MachineCode *code, uint32_t word) {
    code_instruction(code);
    code_word32(code, word);
}

/* The number of a register of the generator. */
static unsigned v(unsigned reg) {
    assert(reg <= GROWTH);
    return reg < 8 ? reg : reg + 8;
}

static void three(MachineCode *code, uint32_t opcode, unsigned to, unsigned a, unsigned b) {
    word(code, opcode | v(b) << 16 | v(a) << 5 | v(to));
}

static void four(MachineCode *code, uint32_t opcode, unsigned to, unsigned a, unsigned b,
                 unsigned c) {
    word(code, opcode | v(b) << 16 | v(c) << 10 | v(a) << 5 | v(to));
}

/* A load or store. Its offset has 16 bits; the others are added to the base before. */
static void reach(MachineCode *code, uint32_t opcode, unsigned reg, MemoryOperand place) {
    unsigned base = place.base, high = place.offset >> 16;
    assert(place.offset % 16 == 0);
    if (high >= 1 << 8) {
        word(code, MOVZ_HIGH | high << 5 | ADDRESS);
        word(code, ADD | base << 16 | ADDRESS << 5 | ADDRESS);
        base = ADDRESS;
    } else if (high > 0) {
        word(code, ADD_SHIFTED | high << 4 << 10 | base << 5 | ADDRESS); /* by 4096 * 16 * high */
        base = ADDRESS;
    }
    word(code, opcode | (place.offset & 0xffff) >> 4 << 10 | base << 5 | v(reg));
}

static void load(MachineCode *code, unsigned to, MemoryOperand from) {
    reach(code, LOAD, to, from);
}

static void store(MachineCode *code, unsigned from, MemoryOperand to) {
    reach(code, STORE, from, to);
}

static void move(MachineCode *code, unsigned to, unsigned from) {
    three(code, ORR, to, from, from);
}

static void zero(MachineCode *code, unsigned reg) {
    word(code, MOVI_0 | v(reg));
}

static void complement(MachineCode *code, unsigned to, unsigned from) {
    word(code, NOT | v(from) << 5 | v(to));
}

static void negate(MachineCode *code, unsigned reg) {
    complement(code, reg, reg);
}

static void binary(MachineCode *code, GateOp op, unsigned to, unsigned a, unsigned b) {
    static const uint32_t opcodes[] = {
        [OP_AND] = AND, [OP_ANDN] = BIC, [OP_OR] = ORR, [OP_XOR] = EOR, [OP_ORN] = ORN};
    assert(op <= OP_ORN);
    if (op == OP_ANDN)
        three(code, BIC, to, b, a);
    else
        three(code, opcodes[op], to, a, b);
}

/* There is an instruction for each operand that may be overwritten. */
static void choose(MachineCode *code, unsigned to, unsigned condition, unsigned a, unsigned b) {
    if (to == a) {
        three(code, BIF, to, b, condition);
    } else if (to == b) {
        three(code, BIT, to, a, condition);
    } else {
        if (to != condition)
            move(code, to, condition);
        three(code, BSL, to, a, b);
    }
}

static void triple(MachineCode *code, GateOp op, unsigned to, const unsigned *operands) {
    unsigned a = operands[0], b = operands[1], c = operands[2], negated;
    switch (op) {
    case OP_SELECT:
        choose(code, to, a, b, c);
        break;
    case OP_SELECT_NOT:
        negated = to == a || to == c ? SCRATCH_REGISTER : to;
        complement(code, negated, b);
        choose(code, to, a, negated, c);
        break;
    case OP_XOR3:
        four(code, EOR3, to, a, b, c);
        break;
    case OP_XOR_ANDN:
        four(code, BCAX, to, a, b, c);
        break;
    case OP_XOR_AND:
    case OP_XOR_OR:
        three(code, op == OP_XOR_AND ? AND : ORR, SCRATCH_REGISTER, b, c);
        three(code, EOR, to, a, SCRATCH_REGISTER);
        break;
    default:
        assert(false);
    }
}

static void note_growth(MachineCode *code, unsigned growth, unsigned reg, MemoryOperand variable) {
    load(code, SCRATCH_REGISTER, variable);
    three(code, BIC, SCRATCH_REGISTER, reg, SCRATCH_REGISTER);
    three(code, ORR, growth, growth, SCRATCH_REGISTER);
}

/* Jumps back to the position if the register ADDRESS is not 0. A conditional branch reaches 1 MB,
 * an unconditional one 128 MB (COMPILE_MAX_BYTES is less). */
static void jump_if_not_zero(MachineCode *code, size_t position) {
    uint32_t back = (uint32_t)((code->bytes.count - position) / 4);
    if (back <= 1 << 18) {
        word(code, CBNZ | (-back & 0x7ffff) << 5 | ADDRESS);
    } else {
        word(code, CBZ | 2 << 5 | ADDRESS);
        word(code, BRANCH | (-(back + 1) & 0x3ffffff));
    }
}

static void jump_if_any(MachineCode *code, unsigned reg, size_t position) {
    three(code, UMAXP, SCRATCH_REGISTER, reg, reg);
    word(code, FMOV | v(SCRATCH_REGISTER) << 5 | ADDRESS);
    jump_if_not_zero(code, position);
}

static void repeat_for_pieces(MachineCode *code, size_t position, unsigned bytes) {
    for (unsigned base = 0; base < BASE_COUNT; base++)
        word(code, ADD_NUMBER | code->width << 10 | base << 5 | base);
    assert(bytes == 64);
    word(code, AND_63 | BASE_INPUTS << 5 | ADDRESS);
    jump_if_not_zero(code, position);
    for (unsigned base = 0; base < BASE_COUNT; base++)
        word(code, SUBTRACT_NUMBER | bytes << 10 | base << 5 | base);
}

static void finish(MachineCode *code) {
    word(code, RETURN);
}

enum { NEON_OPS = OPS_OF_ALL | 1 << OP_ORN | 1 << OP_SELECT | 1 << OP_SELECT_NOT };

const Target target_neon = {
    .name = "neon",
    .needs = "AArch64",
    .register_bytes = 16,
    .gates = GATES_SELECT,
    .ops = NEON_OPS,
    .registers = REGISTERS,
    .growth = GROWTH,
    .is_available = cpu_is_aarch64,
    .load = load,
    .store = store,
    .move = move,
    .zero = zero,
    .negate = negate,
    .binary = binary,
    .triple = triple,
    .note_growth = note_growth,
    .jump_if_any = jump_if_any,
    .repeat_for_pieces = repeat_for_pieces,
    .finish = finish,
};

const Target target_neon_sha3 = {
    .name = "neon-sha3",
    .needs = "AArch64 with SHA3",
    .register_bytes = 16,
    .gates = GATES_SELECT_XOR,
    .ops = NEON_OPS | 1 << OP_XOR3 | 1 << OP_XOR_ANDN | 1 << OP_XOR_AND | 1 << OP_XOR_OR,
    .registers = REGISTERS,
    .growth = GROWTH,
    .is_available = cpu_has_sha3,
    .load = load,
    .store = store,
    .move = move,
    .zero = zero,
    .negate = negate,
    .binary = binary,
    .triple = triple,
    .note_growth = note_growth,
    .jump_if_any = jump_if_any,
    .repeat_for_pieces = repeat_for_pieces,
    .finish = finish,
};
