/* Evaluating a network of gates for 512 states at once, one bit (lane) per state. The lanes of a
 * value are eight 64-bit words on every machine: AVX-512 does them in one instruction, AVX2 in two,
 * anything else in more, always with the same result. On AVX-512 the network is compiled to
 * machine code; elsewhere, or if asked, its gates are interpreted. */
#pragma once

#include "circuit/lut.h"

enum { LANES = 512, LANE_WORDS = 8 };
typedef uint64_t Lanes __attribute__((vector_size(64), aligned(64)));

/* For one state (or up to 128) the vectors are 16 bytes: four times less memory to move. */
typedef uint64_t NarrowLanes __attribute__((vector_size(16), aligned(16)));

typedef enum {
    KERNEL_AUTO,     /* the fastest this machine can run */
    KERNEL_PORTABLE, /* the compiler's baseline instructions */
    KERNEL_AVX2,
    KERNEL_AVX512,
    KERNEL_COMPILED /* machine code for AVX-512 */
} KernelKind;

typedef struct Kernel Kernel;

/* Takes ownership of the network. Falls back to a kind that the machine supports. */
Kernel *kernel_create(LutNetwork *network, KernelKind kind);
/* Creates a kernel for NarrowLanes. */
Kernel *kernel_create_narrow(LutNetwork *network, KernelKind kind);
void kernel_free(Kernel *kernel);

/* Number of Lanes (or NarrowLanes) of aligned scratch memory that a run needs; each thread has its
 * own. */
size_t kernel_scratch_lanes(const Kernel *kernel);
/* `inputs` are the network's inputs without loop variables, `outputs` its outputs, in order. They
 * must not overlap. */
void kernel_run(const Kernel *kernel, const Lanes *inputs, Lanes *outputs, Lanes *scratch);
void kernel_run_narrow(const Kernel *kernel, const NarrowLanes *inputs, NarrowLanes *outputs,
                       NarrowLanes *scratch);

KernelKind kernel_kind(const Kernel *kernel);
const char *kernel_kind_name(KernelKind kind);
bool kernel_kind_available(KernelKind kind);
const LutNetwork *kernel_network(const Kernel *kernel);
/* Bytes of machine code, 0 if interpreted. */
size_t kernel_code_bytes(const Kernel *kernel);

Lanes *lanes_alloc(size_t count);
NarrowLanes *narrow_alloc(size_t count);
