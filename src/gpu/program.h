/* The networks of a game as data for block.cu: gates in rounds. All gates of a round are
 * independent of each other, one for each thread of a block, and between two rounds the threads
 * wait for each other. Values have slots in the shared memory of the block, which they give back
 * after their last use. */
#ifndef MARELLE_GPU_PROGRAM_H
#define MARELLE_GPU_PROGRAM_H

#include "circuit/turn.h"

enum { GPU_UNITS = 4 /* words of 32 lanes in a slot */ };

/* As in block.cu. */
typedef struct {
    uint32_t low, high;
} GpuGate;

typedef struct {
    uint32_t first_round, rounds, first_pair, pairs, is_loop;
} GpuSegment;

typedef struct {
    uint32_t step_first, step_end, goals_first, goals_end;
    uint32_t randoms_first, randoms, outputs, goals;
} GpuPhase;

typedef struct {
    uint32_t threads; /* of a block */
    uint32_t slots;
    uint32_t rounds; /* of all step networks */
    VECTOR(GpuGate) gates;
    VECTOR(GpuSegment) segments;
    VECTOR(GpuPhase) phases;
    U32Vector lists;
    U32Vector initial; /* by kept fluent: all ones or zero */
} GpuProgram;

/* For blocks of that many threads. NULL if there are more slots than a gate can name. */
GpuProgram *gpu_program_create(const Turn *turn, uint32_t threads);
/* For the number of threads that promises most on a device with so much shared memory, in bytes,
 * for the blocks of one processor and for one block. NULL if the game does not fit. */
GpuProgram *gpu_program_choose(const Turn *turn, size_t shared_bytes, size_t block_bytes);
void gpu_program_free(GpuProgram *program);

/* Bytes of shared memory of a block, counters included. */
size_t gpu_program_shared_bytes(const GpuProgram *program, size_t goals);
/* Inputs of the step network that are random and used, in the order in which they are drawn. */
void gpu_program_randoms(const LutNetwork *network, uint32_t kept, U32Vector *values);

#endif
