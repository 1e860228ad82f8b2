/* How the networks of a game run on a device: kernel_source.c writes them with these macros. An
 * includer defines S(i) and N(i) before: input i of a network, from a pointer s, and output i, from
 * a pointer n. */
#include "unit.cuh"

/* A piece of a network is written with the following macros and becomes one block of PTX. As C
 * code, thousands of statements would take the compiler very long, and there is nothing to
 * optimize. */
#ifdef __CUDACC__
#define CODE_BEGIN asm("{\n\t.reg .b32 zero, sum, shifted;\n\tmov.b32 zero, 0;\n\t"
#define LOAD(name, operand, from) ".reg .b32 " #name "; mov.b32 " #name ", %" #operand ";\n\t"
#define STORE(operand, to, name) "mov.b32 %" #operand ", " #name ";\n\t"
#define GATE(name, table, a, b, c)                                                                 \
    ".reg .b32 " #name "; lop3.b32 " #name ", " #a ", " #b ", " #c ", " #table ";\n\t"
/* Does what `roll` does, with the dice in operands 0 to 3. */
#define ROLL(name)                                                                                 \
    ".reg .b32 " #name ";\n\tadd.u32 sum, %0, %3;\n\tshf.l.wrap.b32 sum, sum, sum, 7;\n\t"         \
    "add.u32 " #name ", sum, %0;\n\tshl.b32 shifted, %1, 9;\n\txor.b32 %2, %2, %0;\n\t"            \
    "xor.b32 %3, %3, %1;\n\txor.b32 %1, %1, %2;\n\txor.b32 %0, %0, %3;\n\t"                        \
    "xor.b32 %2, %2, shifted;\n\tshf.l.wrap.b32 %3, %3, %3, 11;\n\t"
#define CODE_OUTPUTS "}" : "+r"(dice->a), "+r"(dice->b), "+r"(dice->c), "+r"(dice->d)
#define OUT(to) , "=r"(to)
#define CODE_INPUTS : "n"(0)
#define IN(from) , "r"(from)
#define CODE_END );
/* All threads of a warp run the same code, so a loop goes on while any of them needs it. */
#define ANY(lanes) __any_sync(0xffffffffu, (lanes) != 0)
#else
#define CODE_BEGIN                                                                                 \
    const word zero = 0;                                                                           \
    (void)zero;
#define LOAD(name, operand, from) const word name = from;
#define STORE(operand, to, name) to = name;
#define GATE(name, table, a, b, c) const word name = gate(table, a, b, c);
#define ROLL(name) const word name = roll(dice);
#define CODE_OUTPUTS
#define OUT(to)
#define CODE_INPUTS
#define IN(from)
#define CODE_END
#define ANY(lanes) ((lanes) != 0)

DEVICE word gate(unsigned table, word a, word b, word c) {
    word result = 0;
    for (unsigned row = 0; row < 8; row++)
        if (table >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}
#endif
