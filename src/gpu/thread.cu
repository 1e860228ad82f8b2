/* Random play of small games in registers. A thread plays a unit of 32 matches, a gate is one LOP3
 * instruction, and whole matches are played in one launch. kernel_source.c writes `networks.h` for
 * a game: its sizes, and functions that evaluate its networks. */
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

#include "networks.h"

/* Plays one turn in every lane: matches that have ended are counted, the others go on. */
#define TURN(phase)                                                                                \
    if (phase >= skipped) {                                                                        \
        step##phase(s, next, v, &dice);                                                            \
        word ended = next[KEPT] & p->alive;                                                        \
        if (ANY(ended)) {                                                                          \
            goals##phase(s, goals, v, &dice);                                                      \
            count_goals(tally, goals, ended);                                                      \
            end_matches(p, ended);                                                                 \
        }                                                                                          \
        move_on(p, stuck_lanes(next), play->step_limit);                                           \
        copy(s, next);                                                                             \
    }

DEVICE void count_goals(word *tally, const word *goals, word ended) {
    UNROLLED
    for (word i = 0; i < GOALS; i++)
        tally[i] += COUNT(goals[i] & ended);
}

DEVICE word stuck_lanes(const word *next) {
    word stuck = 0;
    UNROLLED
    for (word r = 0; r < ROLES; r++)
        stuck |= next[KEPT + 1 + r];
    return stuck;
}

DEVICE void copy(word *s, const word *next) {
    UNROLLED
    for (word i = 0; i < KEPT; i++)
        s[i] = next[i];
}

DEVICE void load_start(word *s, const word *start, word stride) {
    UNROLLED
    for (word i = 0; i < KEPT; i++)
        s[i] = 0u - (start[i / 32 * stride] >> i % 32 & 1u);
}

DEVICE void play_unit(const Play *play, word unit, Progress *p, word *tally) {
    word s[KEPT + 1], next[KEPT + 1 + ROLES], goals[GOALS + 1], v[SLOTS + 1];
    Dice dice = dice_of_thread(play->seed, unit);
    word skipped = phase_of_unit(play, unit);
    p->left = matches_of_unit(play, unit);
    UNROLLED
    for (word i = 0; i < KEPT; i++)
        s[i] = 0;
    if (play->starts) {
        load_start(s, play->starts + unit, play->stride);
        take_lanes(p, play->step_limit);
        p->left = 0;
    }
    while (ANY(p->alive | p->left)) {
        if (ANY(p->left))
            begin(s, take_lanes(p, play->step_limit));
        EACH_PHASE(TURN)
        skipped = 0;
    }
}

#ifdef __CUDACC__
DEVICE void add_up(wide *total, wide value) {
    for (int distance = 16; distance; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, value);
}

extern "C" __global__ void __launch_bounds__(BLOCK, 2) play(const Play play) {
    word unit = blockIdx.x * blockDim.x + threadIdx.x;
#else
DEVICE void add_up(wide *total, wide value) {
    *total += value;
}

void play(const Play play, word unit) {
#endif
    Progress p = {0};
    word tally[GOALS + 1] = {0};
    play_unit(&play, unit, &p, tally);
    const word counts[FIRST_GOAL] = {p.playouts, p.moves, p.stuck, p.too_long};
    UNROLLED
    for (word i = 0; i < FIRST_GOAL + GOALS; i++) {
        word count = i < FIRST_GOAL ? counts[i] : tally[i - FIRST_GOAL];
        if (play.starts)
            play.results[i * play.stride + unit] = count;
        else
            add_up(&play.totals[i], count);
    }
}
