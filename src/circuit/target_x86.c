/* x86-64 without AVX-512. Both targets have sixteen registers and the same opcodes for their four
 * gates. AVX2 has a VEX prefix and a third operand; SSE2 overwrites the first operand. The last two
 * registers are reserved for loops. */
#include "base/cpu.h"
#include "circuit/target.h"

enum {
    REGISTERS = 14,
    SCRATCH_REGISTER = 14, /* free for use inside one call of a function below */
    GROWTH = 15,
    MOVE_LOAD = 0x6f, /* vmovdqa, movdqa */
    MOVE_STORE = 0x7f,
    XOR = 0xef,
    EQUAL = 0x76 /* vpcmpeqd, pcmpeqd */
};

static const uint8_t base_register[BASE_COUNT] = {7, 6, 2}; /* rdi, rsi, rdx: the arguments */
static const uint8_t opcodes[] = {
    [OP_AND] = 0xdb, [OP_ANDN] = 0xdf, [OP_OR] = 0xeb, [OP_XOR] = XOR};

static void modrm_registers(MachineCode *code, unsigned reg, unsigned rm) {
    code_byte(code, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

static void modrm_memory(MachineCode *code, unsigned reg, MemoryOperand place) {
    unsigned base = base_register[place.base] | (reg & 7) << 3;
    if (place.offset < 128) {
        code_byte(code, 0x40 | base);
        code_byte(code, place.offset);
    } else {
        code_byte(code, 0x80 | base);
        code_word32(code, place.offset);
    }
}

/* Writes the address of the all-ones vector after the code; `finish` fills it in. */
static void modrm_ones(MachineCode *code, unsigned reg) {
    code_byte(code, 0x05 | (reg & 7) << 3); /* relative to the next instruction */
    vector_push(&code->ones, (uint32_t)code->bytes.count);
    code_word32(code, 0);
}

static void place_ones(MachineCode *code) {
    while (code->bytes.count % code->width)
        code_byte(code, 0xcc);
    size_t place = code->bytes.count;
    for (unsigned i = 0; code->ones.count && i < code->width; i++)
        code_byte(code, 0xff);
    for (size_t i = 0; i < code->ones.count; i++) {
        uint32_t at = code->ones.items[i], distance = (uint32_t)(place - (at + 4));
        for (unsigned k = 0; k < 4; k++)
            code->bytes.items[at + k] = (uint8_t)(distance >> (8 * k));
    }
}

static void jump_if_not_zero(MachineCode *code, size_t position) {
    code_instruction(code); /* jnz */
    code_byte(code, 0x0f), code_byte(code, 0x85);
    code_word32(code, (uint32_t)(position - (code->bytes.count + 4)));
}

/* Adds a number of one signed byte to the three arguments. */
static void advance(MachineCode *code, int bytes) {
    for (unsigned base = 0; base < BASE_COUNT; base++) {
        code_instruction(code); /* add base, bytes */
        code_byte(code, 0x48), code_byte(code, 0x83);
        modrm_registers(code, 0, base_register[base]);
        code_byte(code, (unsigned)bytes & 255);
    }
}

static void repeat_for_pieces(MachineCode *code, size_t position, unsigned bytes) {
    advance(code, (int)code->width);
    code_instruction(code); /* test dil, bytes - 1 */
    code_byte(code, 0x40), code_byte(code, 0xf6), code_byte(code, 0xc7);
    code_byte(code, bytes - 1);
    jump_if_not_zero(code, position);
    advance(code, -(int)bytes);
}

/* ---- AVX2 ---- */

/* Writes a VEX prefix and an opcode: 256 or 128 bits wide, 66 prefix. In the short form the last
 * operand must be a register below 8. */
static void vex(MachineCode *code, unsigned opcode, unsigned reg, unsigned vvvv, unsigned rm) {
    code_instruction(code);
    unsigned tail = (~vvvv & 15) << 3 | (code->width == 32 ? 4 : 0) | 1;
    if (rm & 8) {
        code_byte(code, 0xc4);
        code_byte(code, (reg & 8 ? 0 : 0x80) | 0x40 | 1);
        code_byte(code, tail);
    } else {
        code_byte(code, 0xc5);
        code_byte(code, (reg & 8 ? 0 : 0x80) | tail);
    }
    code_byte(code, opcode);
}

static void avx2_load(MachineCode *code, unsigned to, MemoryOperand from) {
    vex(code, MOVE_LOAD, to, 0, 0);
    modrm_memory(code, to, from);
}

static void avx2_store(MachineCode *code, unsigned from, MemoryOperand to) {
    vex(code, MOVE_STORE, from, 0, 0);
    modrm_memory(code, from, to);
}

static void avx2_move(MachineCode *code, unsigned to, unsigned from) {
    vex(code, MOVE_LOAD, to, 0, from);
    modrm_registers(code, to, from);
}

static void avx2_binary(MachineCode *code, GateOp op, unsigned to, unsigned a, unsigned b) {
    if (op != OP_ANDN && b >= 8 && a < 8) { /* swap for a shorter prefix */
        unsigned swapped = a;
        a = b;
        b = swapped;
    }
    vex(code, opcodes[op], to, a, b);
    modrm_registers(code, to, b);
}

static void avx2_binary_memory(MachineCode *code, GateOp op, unsigned to, unsigned a,
                               MemoryOperand b) {
    vex(code, opcodes[op], to, a, 0);
    modrm_memory(code, to, b);
}

static void avx2_zero(MachineCode *code, unsigned reg) {
    avx2_binary(code, OP_XOR, reg, reg, reg);
}

static void avx2_negate(MachineCode *code, unsigned reg) {
    vex(code, XOR, reg, reg, 0);
    modrm_ones(code, reg);
}

static void avx2_note_growth(MachineCode *code, unsigned growth, unsigned reg,
                             MemoryOperand variable) {
    avx2_load(code, SCRATCH_REGISTER, variable);
    avx2_binary(code, OP_ANDN, SCRATCH_REGISTER, SCRATCH_REGISTER, reg);
    avx2_binary(code, OP_OR, growth, growth, SCRATCH_REGISTER);
}

static void avx2_jump_if_any(MachineCode *code, unsigned reg, size_t position) {
    code_instruction(code); /* vptest reg, reg */
    code_byte(code, 0xc4);
    code_byte(code, (reg & 8 ? 0 : 0x80) | 0x40 | (reg & 8 ? 0 : 0x20) | 2);
    code_byte(code, 0x78 | (code->width == 32 ? 4 : 0) | 1);
    code_byte(code, 0x17);
    modrm_registers(code, reg, reg);
    jump_if_not_zero(code, position);
}

static void avx2_finish(MachineCode *code) {
    code_instruction(code); /* vzeroupper */
    code_byte(code, 0xc5), code_byte(code, 0xf8), code_byte(code, 0x77);
    code_instruction(code); /* ret */
    code_byte(code, 0xc3);
    place_ones(code);
}

const Target target_avx2 = {
    .name = "avx2",
    .needs = "AVX2, POPCNT and BMI",
    .register_bytes = 32,
    .gates = GATES_TWO,
    .ops = OPS_OF_ALL,
    .registers = REGISTERS,
    .growth = GROWTH,
    .takes_memory = true,
    .is_available = cpu_has_avx2,
    .load = avx2_load,
    .store = avx2_store,
    .move = avx2_move,
    .zero = avx2_zero,
    .negate = avx2_negate,
    .binary = avx2_binary,
    .binary_memory = avx2_binary_memory,
    .note_growth = avx2_note_growth,
    .jump_if_any = avx2_jump_if_any,
    .repeat_for_pieces = repeat_for_pieces,
    .finish = avx2_finish,
};

/* ---- SSE2 ---- */

static void sse2(MachineCode *code, unsigned opcode, unsigned reg, unsigned rm) {
    code_instruction(code);
    code_byte(code, 0x66);
    if ((reg | rm) & 8)
        code_byte(code, 0x40 | (reg & 8 ? 4 : 0) | (rm & 8 ? 1 : 0));
    code_byte(code, 0x0f);
    code_byte(code, opcode);
}

static void sse2_load(MachineCode *code, unsigned to, MemoryOperand from) {
    sse2(code, MOVE_LOAD, to, 0);
    modrm_memory(code, to, from);
}

static void sse2_store(MachineCode *code, unsigned from, MemoryOperand to) {
    sse2(code, MOVE_STORE, from, 0);
    modrm_memory(code, from, to);
}

static void sse2_move(MachineCode *code, unsigned to, unsigned from) {
    sse2(code, MOVE_LOAD, to, from);
    modrm_registers(code, to, from);
}

static void sse2_binary(MachineCode *code, GateOp op, unsigned to, unsigned a, unsigned b) {
    (void)a;
    sse2(code, opcodes[op], to, b);
    modrm_registers(code, to, b);
}

static void sse2_binary_memory(MachineCode *code, GateOp op, unsigned to, unsigned a,
                               MemoryOperand b) {
    (void)a;
    sse2(code, opcodes[op], to, 0);
    modrm_memory(code, to, b);
}

static void sse2_zero(MachineCode *code, unsigned reg) {
    sse2_binary(code, OP_XOR, reg, reg, reg);
}

static void sse2_negate(MachineCode *code, unsigned reg) {
    sse2(code, XOR, reg, 0);
    modrm_ones(code, reg);
}

static void sse2_note_growth(MachineCode *code, unsigned growth, unsigned reg,
                             MemoryOperand variable) {
    sse2_load(code, SCRATCH_REGISTER, variable);
    sse2_binary(code, OP_ANDN, SCRATCH_REGISTER, SCRATCH_REGISTER, reg);
    sse2_binary(code, OP_OR, growth, growth, SCRATCH_REGISTER);
}

/* Compares with zero and tests the sign bits of all bytes. */
static void sse2_jump_if_any(MachineCode *code, unsigned reg, size_t position) {
    sse2_zero(code, SCRATCH_REGISTER);
    sse2(code, EQUAL, SCRATCH_REGISTER, reg);
    modrm_registers(code, SCRATCH_REGISTER, reg);
    sse2(code, 0xd7, 0, SCRATCH_REGISTER); /* pmovmskb eax, scratch */
    modrm_registers(code, 0, SCRATCH_REGISTER);
    code_instruction(code); /* cmp eax, 0xffff */
    code_byte(code, 0x3d);
    code_word32(code, 0xffff);
    jump_if_not_zero(code, position);
}

static void sse2_finish(MachineCode *code) {
    code_instruction(code); /* ret */
    code_byte(code, 0xc3);
    place_ones(code);
}

const Target target_sse2 = {
    .name = "sse2",
    .needs = "x86-64",
    .register_bytes = 16,
    .gates = GATES_TWO,
    .ops = OPS_OF_ALL,
    .registers = REGISTERS,
    .growth = GROWTH,
    .takes_memory = true,
    .overwrites_operand = true,
    .is_available = cpu_is_x86_64,
    .load = sse2_load,
    .store = sse2_store,
    .move = sse2_move,
    .zero = sse2_zero,
    .negate = sse2_negate,
    .binary = sse2_binary,
    .binary_memory = sse2_binary_memory,
    .note_growth = sse2_note_growth,
    .jump_if_any = sse2_jump_if_any,
    .repeat_for_pieces = repeat_for_pieces,
    .finish = sse2_finish,
};
