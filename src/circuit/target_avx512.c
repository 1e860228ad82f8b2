/* AVX-512: one vpternlogq per gate and 32 registers, the last of which is reserved for loops. */
#include "base/cpu.h"
#include "circuit/target.h"

enum { GROWTH = 31, MAP_0F = 1, MAP_0F38 = 2, MAP_0F3A = 3 };

static const uint8_t base_register[BASE_COUNT] = {7, 6, 2}; /* rdi, rsi, rdx: the arguments */

/* Writes an EVEX prefix: 512 or 128 bits wide, 66 prefix, W1. `rm_high` are bits 3 and 4 of the
 * third operand. */
static void evex(MachineCode *code, unsigned map, unsigned reg, unsigned vvvv, unsigned rm_high) {
    code_instruction(code);
    code_byte(code, 0x62);
    code_byte(code, (reg & 8 ? 0 : 0x80) | (rm_high & 2 ? 0 : 0x40) | (rm_high & 1 ? 0 : 0x20) |
                        (reg & 16 ? 0 : 0x10) | map);
    code_byte(code, 0x80 | ((~vvvv & 15) << 3) | 4 | 1);
    code_byte(code, (code->width == 64 ? 0x40 : 0) | (vvvv & 16 ? 0 : 8));
}

static void modrm_registers(MachineCode *code, unsigned reg, unsigned rm) {
    code_byte(code, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

/* A displacement of one byte counts in units of whole vectors. */
static void modrm_memory(MachineCode *code, unsigned reg, MemoryOperand place) {
    if (place.offset % code->width == 0 && place.offset / code->width < 128) {
        code_byte(code, 0x40 | (reg & 7) << 3 | base_register[place.base]);
        code_byte(code, place.offset / code->width);
    } else {
        code_byte(code, 0x80 | (reg & 7) << 3 | base_register[place.base]);
        code_word32(code, place.offset);
    }
}

static void load(MachineCode *code, unsigned to, MemoryOperand from) {
    evex(code, MAP_0F, to, 0, 0);
    code_byte(code, 0x6f); /* vmovdqa64 */
    modrm_memory(code, to, from);
}

static void store(MachineCode *code, unsigned from, MemoryOperand to) {
    evex(code, MAP_0F, from, 0, 0);
    code_byte(code, 0x7f); /* vmovdqa64 */
    modrm_memory(code, from, to);
}

static void move(MachineCode *code, unsigned to, unsigned from) {
    evex(code, MAP_0F, to, 0, from >> 3);
    code_byte(code, 0x6f);
    modrm_registers(code, to, from);
}

static void ternary(MachineCode *code, unsigned to, unsigned a, unsigned b, uint8_t table) {
    evex(code, MAP_0F3A, to, a, b >> 3);
    code_byte(code, 0x25); /* vpternlogq */
    modrm_registers(code, to, b);
    code_byte(code, table);
}

static void ternary_memory(MachineCode *code, unsigned to, unsigned a, MemoryOperand b,
                           uint8_t table) {
    evex(code, MAP_0F3A, to, a, 0);
    code_byte(code, 0x25);
    modrm_memory(code, to, b);
    code_byte(code, table);
}

static void zero(MachineCode *code, unsigned reg) {
    ternary(code, reg, reg, reg, 0x00);
}

static void negate(MachineCode *code, unsigned reg) {
    ternary(code, reg, reg, reg, 0x0f);
}

static void note_growth(MachineCode *code, unsigned growth, unsigned reg, MemoryOperand variable) {
    ternary_memory(code, growth, reg, variable, 0xf4);
}

static void jump_if_any(MachineCode *code, unsigned reg, size_t position) {
    evex(code, MAP_0F38, 1, reg, reg >> 3); /* vptestmq k1, reg, reg */
    code_byte(code, 0x27);
    modrm_registers(code, 1, reg);
    code_instruction(code); /* kortestw k1, k1 */
    code_byte(code, 0xc5), code_byte(code, 0xf8), code_byte(code, 0x98), code_byte(code, 0xc9);
    code_instruction(code); /* jnz */
    code_byte(code, 0x0f), code_byte(code, 0x85);
    code_word32(code, (uint32_t)(position - (code->bytes.count + 4)));
}

static void finish(MachineCode *code) {
    code_instruction(code); /* vzeroupper */
    code_byte(code, 0xc5), code_byte(code, 0xf8), code_byte(code, 0x77);
    code_instruction(code); /* ret */
    code_byte(code, 0xc3);
}

const Target target_avx512 = {
    .name = "avx512",
    .needs = "AVX-512 (F, VL, BW, DQ) and BMI2",
    .register_bytes = 64,
    .gates = GATES_THREE,
    .registers = GROWTH,
    .growth = GROWTH,
    .takes_memory = true,
    .overwrites_operand = true,
    .is_available = cpu_has_avx512,
    .load = load,
    .store = store,
    .move = move,
    .zero = zero,
    .negate = negate,
    .ternary = ternary,
    .ternary_memory = ternary_memory,
    .note_growth = note_growth,
    .jump_if_any = jump_if_any,
    .finish = finish,
};
