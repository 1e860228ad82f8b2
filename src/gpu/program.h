/* The networks of a game as data for block.cu. The gates are arranged in rounds: the gates of a
 * round do not depend on each other, each thread of a block evaluates one of them, and the threads
 * synchronise after each round. Values have slots in the shared memory of the block, which are
 * reused after the last use of a value. If shared memory is too small for all slots, those that are
 * used least are spilled to global memory. */
#pragma once

#include "circuit/turn.h"

enum {
    GPU_UNITS = 4,            /* units of a block: 32-bit words, one bit per lane, in a slot */
    GPU_RESERVED_BYTES = 1024 /* bytes of shared memory that CUDA reserves in each block */
};

/* Slots of operands and result, and the function as a polynomial over GF(2) (see block.cu). */
typedef struct {
    uint32_t operands[3], result;
    uint8_t coefficients;
} GpuGate;

/* These two have the layout of Segment and Phase in block.cu, which explains the fields. */

typedef struct {
    uint32_t first_round, rounds, first_pair, pairs, is_loop;
} GpuSegment;

typedef struct {
    uint32_t step_first, step_end, goals_first, goals_end;
    uint32_t randoms_first, randoms, outputs, goals;
} GpuPhase;

typedef struct {
    uint32_t threads; /* per block */
    uint32_t slots;   /* number of slots; slot 0 is constant false */
    uint32_t shared;  /* slots below this number are in shared memory, the others are spilled */
    uint32_t rounds;  /* number of rounds of the step networks of all phases */
    uint32_t fluents; /* position in the lists: slots of the kept fluents */
    VECTOR(GpuGate) gates;
    VECTOR(GpuSegment) segments;
    VECTOR(GpuPhase) phases;
    U32Vector lists;   /* lists of slots, one after the other */
    U32Vector initial; /* by kept fluent: all ones if it is true initially, else 0 */
} GpuProgram;

/* Makes a program for blocks of so many threads with so many bytes of shared memory each. NULL if
 * not even the counters fit, or if there are more than 2^24 slots. */
GpuProgram *gpu_program_create(const TurnNetworks *turn, uint32_t threads, size_t block_bytes);
/* Makes a program for the number of threads, and the share of spilled slots, that should be fastest
 * on a device: `shared_bytes` is the shared memory of a multiprocessor, `block_bytes` the most of
 * one block. NULL if none is possible. */
GpuProgram *gpu_program_choose(const TurnNetworks *turn, size_t shared_bytes, size_t block_bytes);
void gpu_program_free(GpuProgram *program);

static inline bool gpu_program_is_spilled(const GpuProgram *program) {
    return program->shared < program->slots;
}
/* Bytes of shared memory of a block, counters included. */
size_t gpu_program_shared_bytes(const GpuProgram *program, size_t goals);
/* Bytes of global memory for the spilled slots of a block. */
size_t gpu_program_arena_bytes(const GpuProgram *program);
/* The text of `places.h`, which block.cu includes: it tells whether slots are spilled. */
const char *gpu_program_places(const GpuProgram *program);
/* Appends the gates in the packed form that block.cu reads. */
void gpu_program_pack(const GpuProgram *program, U32Vector *words);
/* Lists the random inputs of a step network that are used, in the order in which they are drawn. */
void gpu_program_randoms(const LutNetwork *network, uint32_t kept, U32Vector *values);
