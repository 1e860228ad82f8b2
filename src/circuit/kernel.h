/* Evaluating a network of gates for 512 states at once, one bit lane per state. The lanes of a
 * value are eight 64-bit words whatever the machine: AVX-512 processes them in one instruction,
 * AVX2 in two, SSE2 and NEON in four, always with the same result. The network is compiled to
 * machine code; where the system forbids that, or if asked, its gates are interpreted. */
#pragma once

#include "circuit/lut.h"

enum { LANES = 512, LANE_WORDS = 8 };
typedef uint64_t Lanes __attribute__((vector_size(64), aligned(64)));

/* Vectors of 16 bytes for one state (or up to 128): four times less memory to move. */
typedef uint64_t NarrowLanes __attribute__((vector_size(16), aligned(16)));

typedef enum {
    KERNEL_AUTO,        /* the fastest this machine can run */
    KERNEL_INTERPRETED, /* gate by gate, on any machine */
    KERNEL_SSE2,        /* this and the following kinds are machine code for an instruction set */
    KERNEL_AVX2,
    KERNEL_AVX512,
    KERNEL_NEON,
    KERNEL_NEON_SHA3,
    KERNEL_KINDS
} KernelKind;

typedef struct Kernel Kernel;

/* The kind that is used if `wanted` is asked for: one that this machine can run. */
KernelKind kernel_choose(KernelKind wanted);
/* The gates to which networks are mapped (lut_map) for the kind that kernel_choose takes. */
GateSet kernel_chosen_gates(KernelKind kind);

/* Takes the network over, which must be mapped to kernel_chosen_gates. If this machine cannot run
 * the kind, another one is used. */
Kernel *kernel_create(LutNetwork *network, KernelKind kind);
/* Creates a kernel for NarrowLanes. */
Kernel *kernel_create_narrow(LutNetwork *network, KernelKind kind);
/* Generates code for a kind that this machine need not have, to look at its size. The network must
 * be mapped to kernel_kind_gates. The kernel cannot be run. */
Kernel *kernel_generate(LutNetwork *network, KernelKind kind);
void kernel_free(Kernel *kernel);

/* The size of the aligned scratch memory of a run, in Lanes (or NarrowLanes). Each thread needs its
 * own. */
size_t kernel_scratch_lanes(const Kernel *kernel);
/* `inputs` are the network's inputs without loop variables, `outputs` its outputs, in order. They
 * must not overlap. */
void kernel_run(const Kernel *kernel, const Lanes *inputs, Lanes *outputs, Lanes *scratch);
void kernel_run_narrow(const Kernel *kernel, const NarrowLanes *inputs, NarrowLanes *outputs,
                       NarrowLanes *scratch);

KernelKind kernel_kind(const Kernel *kernel);
const char *kernel_kind_name(KernelKind kind);
/* True if the processor has the kind and the system lets it run. */
bool kernel_kind_available(KernelKind kind);
/* What the processor must have, in words; NULL if nothing. */
const char *kernel_kind_needs(KernelKind kind);
bool kernel_processor_has(KernelKind kind);
GateSet kernel_kind_gates(KernelKind kind);
/* True if the system allows machine code to be made while the program runs. */
bool kernel_may_execute(void);
const LutNetwork *kernel_network(const Kernel *kernel);
/* Size of the machine code in bytes; 0 if the network is interpreted. */
size_t kernel_code_bytes(const Kernel *kernel);
/* CPU seconds that its generation took. */
double kernel_code_seconds(const Kernel *kernel);
/* Instructions of the machine code, and how often it runs to cover all lanes; 0 if the network is
 * interpreted. */
size_t kernel_instructions(const Kernel *kernel);
unsigned kernel_pieces(const Kernel *kernel);

Lanes *lanes_alloc(size_t count);
NarrowLanes *narrow_alloc(size_t count);
