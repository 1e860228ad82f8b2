/* Random play of large games. A block of threads plays 128 matches (four units) together. It
 * evaluates the gates in rounds: each thread evaluates one gate for all lanes, then the threads
 * synchronise. Values are in the shared memory of the block. If that is too small (SPILLED, from
 * `places.h`), the values that are used least are in an arena of global memory that the block owns
 * while it plays. The source is the same for all games; program.c makes the program, which is
 * data. */
#include "unit.cuh"

#include "places.h"

#ifdef __CUDACC__
#define SYNC() __syncthreads()
#define SYNC_ANY(condition) __syncthreads_or(condition)
#define ALIGNED __align__(16)
#else
#define SYNC() ((void)0)
#define SYNC_ANY(condition) (condition)
#define ALIGNED
#endif

enum { UNITS = 4, MAX_THREADS = 1024 };

typedef struct ALIGNED {
    word w[UNITS];
} Row;

/* Slots of three operands and of the result, and the function as a polynomial over GF(2): k7 abc +
 * k6 ab + k5 ac + k4 a + k3 bc + k2 b + k1 c + k0. */
#ifdef SPILLED
typedef struct ALIGNED {
    word a, b, c;
    word result; /* slot: 24 bits, coefficients: 8 bits */
} Gate;
#define OPERAND_A(g) ((g).a)
#define OPERAND_B(g) ((g).b)
#define OPERAND_C(g) ((g).c)
#define RESULT(g) ((g).result & 0xffffff)
/* All bits are ones if coefficient i is 1, else zeros. */
#define COEFFICIENT(g, i) (0u - ((g).result >> (24 + i) & 1u))
#else
typedef struct {
    word low;  /* a: 14 bits, b: 14 bits, c: 4 bits */
    word high; /* c: 10 bits, result: 14 bits, coefficients: 8 bits */
} Gate;
#define OPERAND_A(g) ((g).low & 0x3fff)
#define OPERAND_B(g) ((g).low >> 14 & 0x3fff)
#define OPERAND_C(g) (((g).low >> 28 | (g).high << 4) & 0x3fff)
#define RESULT(g) ((g).high >> 10 & 0x3fff)
#define COEFFICIENT(g, i) (0u - ((g).high >> (24 + i) & 1u))
#endif

typedef struct {
    word first_round, rounds;
    word first_pair, pairs; /* loops only: the lists have `pairs` pairs (slot of a variable, slot of
                               its update) from first_pair on */
    word is_loop;
} Segment;

typedef struct {
    word step_first, step_end;   /* range of segments: the network of a turn */
    word goals_first, goals_end; /* range of segments: the network of the goals */
    word randoms_first, randoms; /* position in the lists, number: slots to fill with random bits */
    word outputs; /* position in the lists: slots of the next fluents, of terminal, and of one flag
                     per role (no legal move) */
    word goals;   /* position in the lists: slots of the goals */
} Phase;

/* Slot 0 is constant false. Slots from `shared` on are in the arena. */
typedef struct {
    const Gate *gates;
    const Segment *segments;
    const Phase *phases;
    const word *lists;
    const word *initial; /* by kept fluent: all ones if it is true initially, else 0 */
    Row *arenas;
    word *taken; /* by arena: 1 while a block owns it */
    word phase_count, kept, roles, goal_count;
    word fluents;       /* position in the lists: slots of the kept fluents */
    word slots, shared; /* number of all slots, and of those in shared memory */
    word arena_count;   /* at least the number of blocks that can run at the same time */
} Program;

typedef struct {
    Row *v, *arena;
    word shared;
    word *tally;         /* by goal and unit: matches that ended with the goal */
    word *fresh, *ended; /* by unit: lanes whose match begins, lanes whose match has just ended */
    Progress *p;         /* by unit */
    word thread, threads;
} Block;

DEVICE Row *row_at(const Block *b, word place) {
#ifdef SPILLED
    return place < b->shared ? &b->v[place] : &b->arena[place - b->shared];
#else
    return &b->v[place];
#endif
}

DEVICE Row *fluent_row(const Program *program, const Block *b, word fluent) {
    return row_at(b, program->lists[program->fluents + fluent]);
}

DEVICE void evaluate(const Block *b, Gate g) {
    Row x = *row_at(b, OPERAND_A(g)), y = *row_at(b, OPERAND_B(g)), z = *row_at(b, OPERAND_C(g));
    Row result;
    word k0 = COEFFICIENT(g, 0), k1 = COEFFICIENT(g, 1), k2 = COEFFICIENT(g, 2);
    word k3 = COEFFICIENT(g, 3), k4 = COEFFICIENT(g, 4), k5 = COEFFICIENT(g, 5);
    word k6 = COEFFICIENT(g, 6), k7 = COEFFICIENT(g, 7);
    UNROLLED
    for (word u = 0; u < UNITS; u++) {
        word with_x = (((k7 & z.w[u]) ^ k6) & y.w[u]) ^ (k5 & z.w[u]) ^ k4;
        word without = (((k3 & z.w[u]) ^ k2) & y.w[u]) ^ (k1 & z.w[u]) ^ k0;
        result.w[u] = (with_x & x.w[u]) ^ without;
    }
    *row_at(b, RESULT(g)) = result;
}

/* The next gate is prefetched. The program ends with an empty round, so that the last prefetch is
 * in range. */
DEVICE void run_rounds(const Program *program, const Block *b, const Segment *segment) {
    const Gate *at = program->gates + (wide)segment->first_round * b->threads + b->thread;
    Gate next = *at;
    for (word r = 0; r < segment->rounds; r++) {
        Gate gate = next;
        at += b->threads;
        next = *at;
        evaluate(b, gate);
        SYNC();
    }
}

DEVICE word update_variables(const Program *program, const Block *b, const Segment *segment) {
    const word *pairs = program->lists + segment->first_pair;
    word grown = 0;
    for (word i = b->thread; i < segment->pairs; i += b->threads) {
        Row *variable = row_at(b, pairs[2 * i]), update = *row_at(b, pairs[2 * i + 1]);
        for (word u = 0; u < UNITS; u++) {
            grown |= update.w[u] & ~variable->w[u];
            variable->w[u] |= update.w[u];
        }
    }
    return grown;
}

DEVICE void run_network(const Program *program, const Block *b, word first, word end) {
    const Row zero = {{0}};
    for (word s = first; s < end; s++) {
        const Segment segment = program->segments[s];
        if (!segment.is_loop) {
            run_rounds(program, b, &segment);
            continue;
        }
        for (word i = b->thread; i < segment.pairs; i += b->threads)
            *row_at(b, program->lists[segment.first_pair + 2 * i]) = zero;
        SYNC();
        do
            run_rounds(program, b, &segment);
        while (SYNC_ANY(update_variables(program, b, &segment) != 0));
    }
}

DEVICE void draw(const Program *program, const Block *b, const Phase *phase, Dice *dice) {
    for (word i = b->thread; i < phase->randoms * UNITS; i += b->threads)
        row_at(b, program->lists[phase->randoms_first + i / UNITS])->w[i % UNITS] = roll(dice);
    SYNC();
}

DEVICE void count_goals(const Program *program, const Block *b, const Phase *phase) {
    run_network(program, b, phase->goals_first, phase->goals_end);
    for (word i = b->thread; i < program->goal_count * UNITS; i += b->threads)
        b->tally[i] += COUNT(row_at(b, program->lists[phase->goals + i / UNITS])->w[i % UNITS] &
                             b->ended[i % UNITS]);
    SYNC();
}

/* The lanes of a unit in the row whose slot is at this position of the lists. */
DEVICE word lanes_of(const Program *program, const Block *b, word slot_in_list, word unit) {
    return row_at(b, program->lists[slot_in_list])->w[unit];
}

DEVICE void play_turn(const Program *program, const Block *b, const Phase *phase, Dice *dice,
                      word step_limit) {
    draw(program, b, phase, dice);
    run_network(program, b, phase->step_first, phase->step_end);
    word some = 0;
    for (word u = b->thread; u < UNITS; u += b->threads) {
        b->ended[u] = lanes_of(program, b, phase->outputs + program->kept, u) & b->p[u].alive;
        some |= b->ended[u];
    }
    if (SYNC_ANY(some != 0))
        count_goals(program, b, phase);
    for (word u = b->thread; u < UNITS; u += b->threads) {
        word stuck = 0;
        for (word r = 0; r < program->roles; r++)
            stuck |= lanes_of(program, b, phase->outputs + program->kept + 1 + r, u);
        end_matches(&b->p[u], b->ended[u]);
        move_on(&b->p[u], stuck, step_limit);
    }
    for (word i = b->thread; i < program->kept; i += b->threads)
        *fluent_row(program, b, i) = *row_at(b, program->lists[phase->outputs + i]);
    SYNC();
}

DEVICE void begin_matches(const Program *program, const Block *b, word step_limit) {
    for (word u = b->thread; u < UNITS; u += b->threads)
        b->fresh[u] = take_lanes(&b->p[u], step_limit);
    SYNC();
    for (word i = b->thread; i < program->kept; i += b->threads)
        for (word u = 0; u < UNITS; u++) {
            word *row = &fluent_row(program, b, i)->w[u];
            *row = (*row & ~b->fresh[u]) | (program->initial[i] & b->fresh[u]);
        }
    SYNC();
}

DEVICE void load_starts(const Program *program, const Block *b, const Play *play, word first_unit) {
    for (word i = b->thread; i < program->kept; i += b->threads)
        for (word u = 0; u < UNITS; u++)
            fluent_row(program, b, i)->w[u] =
                0u - (play->starts[i / 32 * play->stride + first_unit + u] >> i % 32 & 1u);
}

DEVICE word is_under_way(const Block *b) {
    word some = 0;
    for (word u = b->thread; u < UNITS; u += b->threads)
        some |= b->p[u].alive | b->p[u].left;
    return some;
}

DEVICE void play_block(const Program *program, const Block *b, const Play *play, word first_unit,
                       Dice *dice) {
    const Row zero = {{0}};
    const Progress none = {0};
    word first_phase = phase_of_unit(play, first_unit);
    for (word i = b->thread; i < program->slots; i += b->threads)
        *row_at(b, i) = zero;
    for (word i = b->thread; i < program->goal_count * UNITS; i += b->threads)
        b->tally[i] = 0;
    for (word u = b->thread; u < UNITS; u += b->threads) {
        b->p[u] = none;
        b->p[u].left = matches_of_unit(play, first_unit + u);
    }
    SYNC();
    if (play->starts) {
        load_starts(program, b, play, first_unit);
        for (word u = b->thread; u < UNITS; u += b->threads) {
            take_lanes(&b->p[u], play->step_limit);
            b->p[u].left = 0;
        }
        SYNC();
    }
    while (SYNC_ANY(is_under_way(b) != 0)) {
        if (!play->starts)
            begin_matches(program, b, play->step_limit);
        for (word phase = first_phase; phase < program->phase_count; phase++)
            play_turn(program, b, &program->phases[phase], dice, play->step_limit);
        first_phase = 0;
    }
}

DEVICE void report(const Play *play, word counter, word unit, word count) {
    if (play->starts)
        play->results[counter * play->stride + unit] = count;
    else
#ifdef __CUDACC__
        atomicAdd(&play->totals[counter], (wide)count);
#else
        play->totals[counter] += count;
#endif
}

DEVICE void report_block(const Program *program, const Block *b, const Play *play,
                         word first_unit) {
    for (word u = b->thread; u < UNITS; u += b->threads) {
        report(play, PLAYOUTS, first_unit + u, b->p[u].playouts);
        report(play, MOVES, first_unit + u, b->p[u].moves);
        report(play, STUCK, first_unit + u, b->p[u].stuck);
        report(play, TOO_LONG, first_unit + u, b->p[u].too_long);
    }
    for (word i = b->thread; i < program->goal_count * UNITS; i += b->threads)
        report(play, FIRST_GOAL + i / UNITS, first_unit + i % UNITS, b->tally[i]);
}

/* ---- records ---- */

/* The argument of the kernel `record`, which continues the matches of all lanes for some turns and
 * writes down every turn; recorded_matches.h declares the same struct. A row belongs to a block,
 * and each of its four words to a unit. The game has one phase, and its step network has the moves
 * as outputs. */
typedef struct {
    wide seed;
    Row *state; /* row i of block b at state[i * blocks + b]: fluents, then lanes with a match under
                   way */
    Row *records; /* row i of turn t at records[(t * rows + i) * blocks + b]: lanes that played the
                     turn, fluents after it, moves */
    word blocks, turns, moves;
} Tape;

DEVICE void write_turn(const Program *program, const Block *b, const Tape *tape, word block,
                       word turn) {
    const Phase *phase = program->phases;
    word rows = 1 + program->kept + tape->moves, outputs = phase->outputs;
    Row *to = tape->records + (wide)turn * rows * tape->blocks + block;
    for (word u = b->thread; u < UNITS; u += b->threads)
        to->w[u] = b->p[u].alive;
    for (word i = b->thread; i < program->kept; i += b->threads) {
        Row next = *row_at(b, program->lists[outputs + i]);
        *fluent_row(program, b, i) = next;
        to[(wide)(1 + i) * tape->blocks] = next;
    }
    outputs += program->kept + 1 + program->roles;
    for (word i = b->thread; i < tape->moves; i += b->threads)
        to[(wide)(1 + program->kept + i) * tape->blocks] = *row_at(b, program->lists[outputs + i]);
    SYNC();
}

/* Plays a turn. Lanes whose match has ended, or where a role has no legal move, stop playing. */
DEVICE void record_turn(const Program *program, const Block *b, const Tape *tape, word block,
                        word turn, Dice *dice) {
    const Phase *phase = program->phases;
    draw(program, b, phase, dice);
    run_network(program, b, phase->step_first, phase->step_end);
    for (word u = b->thread; u < UNITS; u += b->threads)
        for (word i = 0; i <= program->roles; i++)
            b->p[u].alive &= ~lanes_of(program, b, phase->outputs + program->kept + i, u);
    SYNC();
    write_turn(program, b, tape, block, turn);
}

DEVICE void record_block(const Program *program, const Block *b, const Tape *tape, word block,
                         Dice *dice) {
    const Row zero = {{0}};
    const Progress none = {0};
    word kept = program->kept;
    for (word i = b->thread; i < program->slots; i += b->threads)
        *row_at(b, i) = zero;
    SYNC();
    for (word i = b->thread; i < kept; i += b->threads)
        *fluent_row(program, b, i) = tape->state[(wide)i * tape->blocks + block];
    for (word u = b->thread; u < UNITS; u += b->threads) {
        b->p[u] = none;
        b->p[u].alive = tape->state[(wide)kept * tape->blocks + block].w[u];
    }
    SYNC();
    for (word turn = 0; turn < tape->turns; turn++)
        record_turn(program, b, tape, block, turn, dice);
    for (word i = b->thread; i < kept; i += b->threads)
        tape->state[(wide)i * tape->blocks + block] = *fluent_row(program, b, i);
    for (word u = b->thread; u < UNITS; u += b->threads)
        tape->state[(wide)kept * tape->blocks + block].w[u] = b->p[u].alive;
}

/* ---- arenas ---- */

/* Finds a free arena; there is one for every block that can run. The fence makes sure that no stale
 * values of its last owner are read from a cache. */
DEVICE word take_arena(const Program *program, word block) {
#if defined(SPILLED) && defined(__CUDACC__)
    word arena = block % program->arena_count;
    while (atomicCAS(&program->taken[arena], 0u, 1u))
        arena = arena + 1 < program->arena_count ? arena + 1 : 0;
    __threadfence();
    return arena;
#else
    (void)program, (void)block;
    return 0;
#endif
}

DEVICE void give_arena_back(const Program *program, word arena) {
#if defined(SPILLED) && defined(__CUDACC__)
    __threadfence();
    atomicExch(&program->taken[arena], 0u);
#else
    (void)program, (void)arena;
#endif
}

/* ---- kernels ---- */

/* The memory of the block: slots in shared memory, then `fresh`, `ended`, the number of the arena,
 * the progress of the units, and the counters of the goals. */
DEVICE Block block_in(const Program *program, Row *memory, word block, word thread, word threads) {
    Row *behind = memory + program->shared;
    word *arena = behind[2].w;
    if (thread == 0)
        *arena = take_arena(program, block);
    SYNC();
    Block b = {memory,
               program->arenas + (wide)*arena * (program->slots - program->shared),
               program->shared,
               behind[3 + UNITS * sizeof(Progress) / sizeof(Row)].w,
               behind[0].w,
               behind[1].w,
               (Progress *)&behind[3],
               thread,
               threads};
    return b;
}

DEVICE void close_block(const Program *program, const Block *b) {
    SYNC();
    if (b->thread == 0)
        give_arena_back(program, b->v[program->shared + 2].w[0]);
}

#ifdef __CUDACC__
#define KERNEL(name, parameter)                                                                    \
    extern "C" __global__ void __launch_bounds__(MAX_THREADS)                                     \
        name(const parameter, const Program program)
#define SHARED_MEMORY extern __shared__ Row memory[];
#define BLOCK blockIdx.x
#define THREAD threadIdx.x
#define THREADS blockDim.x
#else
/* Without CUDA a block has one thread. */
#define KERNEL(name, parameter)                                                                    \
    void name(const parameter, const Program program, word BLOCK, Row *memory)
#define SHARED_MEMORY
#define THREAD 0
#define THREADS 1
#endif

KERNEL(play, Play play) {
    SHARED_MEMORY
    const Block b = block_in(&program, memory, BLOCK, THREAD, THREADS);
    Dice dice = dice_of_thread(play.seed, BLOCK * THREADS + THREAD);
    play_block(&program, &b, &play, BLOCK * UNITS, &dice);
    report_block(&program, &b, &play, BLOCK * UNITS);
    close_block(&program, &b);
}

KERNEL(record, Tape tape) {
    SHARED_MEMORY
    const Block b = block_in(&program, memory, BLOCK, THREAD, THREADS);
    Dice dice = dice_of_thread(tape.seed, BLOCK * THREADS + THREAD);
    record_block(&program, &b, &tape, BLOCK, &dice);
    close_block(&program, &b);
}
