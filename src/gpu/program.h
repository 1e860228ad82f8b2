/* The networks of a game as data for block.cu: gates in rounds. All gates of a round are
 * independent of each other, one for each thread of a block, and between two rounds the threads
 * wait for each other. Values have slots in the shared memory of the block, which they give back
 * after their last use. Where there are more slots than shared memory has places, those that are
 * used least are spilled to global memory. */
#pragma once

#include "circuit/turn.h"

enum {
    GPU_UNITS = 4,            /* words of 32 lanes in a slot */
    GPU_RESERVED_BYTES = 1024 /* of shared memory, that a block takes for itself */
};

/* Three operands and the result, by slot; the function as the coefficients of a polynomial over two
 * elements. */
typedef struct {
    uint32_t operands[3], result;
    uint8_t coefficients;
} GpuGate;

/* As in block.cu. */

typedef struct {
    uint32_t first_round, rounds, first_pair, pairs, is_loop;
} GpuSegment;

typedef struct {
    uint32_t step_first, step_end, goals_first, goals_end;
    uint32_t randoms_first, randoms, outputs, goals;
} GpuPhase;

typedef struct {
    uint32_t threads; /* of a block */
    uint32_t slots;   /* slot 0 is false */
    uint32_t shared;  /* slots below are in shared memory, the others are spilled */
    uint32_t rounds;  /* of all step networks */
    uint32_t fluents; /* in the lists: slots of the kept fluents */
    VECTOR(GpuGate) gates;
    VECTOR(GpuSegment) segments;
    VECTOR(GpuPhase) phases;
    U32Vector lists;   /* of slots */
    U32Vector initial; /* by kept fluent: all ones or zero */
} GpuProgram;

/* For blocks of that many threads, with so many bytes of shared memory each. NULL if not even the
 * counters fit into that, or if there are more slots than gates have names for (2^24). */
GpuProgram *gpu_program_create(const Turn *turn, uint32_t threads, size_t block_bytes);
/* For the number of threads, and the share of spilled values, that promise most on a device with so
 * much shared memory, in bytes, for the blocks of one processor and for one block. */
GpuProgram *gpu_program_choose(const Turn *turn, size_t shared_bytes, size_t block_bytes);
void gpu_program_free(GpuProgram *program);

static inline bool gpu_program_is_spilled(const GpuProgram *program) {
    return program->shared < program->slots;
}
/* Bytes of shared memory of a block, counters included. */
size_t gpu_program_shared_bytes(const GpuProgram *program, size_t goals);
/* Bytes of global memory of a block. */
size_t gpu_program_arena_bytes(const GpuProgram *program);
/* `places.h` for block.cu. */
const char *gpu_program_places(const GpuProgram *program);
/* The gates as block.cu reads them. */
void gpu_program_pack(const GpuProgram *program, U32Vector *words);
/* Inputs of the step network that are random and used, in the order in which they are drawn. */
void gpu_program_randoms(const LutNetwork *network, uint32_t kept, U32Vector *values);
