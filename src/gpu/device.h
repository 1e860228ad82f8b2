/* A GPU behind a few functions: memory, kernels, launches. The driver is looked for at run time, so
 * that the program needs no CUDA to be built or to start. Threads may share it. */
#pragma once

#include "gpu/compiler.h"

typedef struct Gpu Gpu;
typedef struct GpuKernel GpuKernel;
typedef uint64_t GpuAddress; /* 0 for none */

/* The first GPU. NULL with an error in the report if there is none, or nothing to compile with. */
Gpu *gpu_open(Report *report);
void gpu_close(Gpu *gpu);

typedef struct {
    char name[100];
    uint32_t architecture; /* 90 for compute capability 9.0 */
    uint32_t processors;
    size_t shared_bytes;       /* of one processor */
    size_t block_shared_bytes; /* that one block can have */
} GpuProperties;
const GpuProperties *gpu_properties(const Gpu *gpu);
/* Compiles for this device, unless the same text was compiled before: then that is given again. */
bool gpu_binary(Gpu *gpu, const char *source, const GpuHeader *headers, size_t header_count,
                GpuBinary *binary, Report *report);

/* All of these tell a failure in the report. */
GpuAddress gpu_alloc(Gpu *gpu, size_t bytes, Report *report);
void gpu_free(Gpu *gpu, GpuAddress address);
bool gpu_write(Gpu *gpu, GpuAddress to, const void *from, size_t bytes, Report *report);
bool gpu_read(Gpu *gpu, void *to, GpuAddress from, size_t bytes, Report *report);
bool gpu_zero(Gpu *gpu, GpuAddress address, size_t bytes, Report *report);

/* Work that is queued: what goes into one stream is done in order, while the processor and other
 * streams go on. Memory of the processor that takes part must come from gpu_host_alloc. */
typedef struct GpuStream GpuStream;
GpuStream *gpu_stream_create(Gpu *gpu, Report *report);
void gpu_stream_free(Gpu *gpu, GpuStream *stream);
bool gpu_stream_write(Gpu *gpu, GpuStream *stream, GpuAddress to, const void *from, size_t bytes,
                      Report *report);
bool gpu_stream_read(Gpu *gpu, GpuStream *stream, void *to, GpuAddress from, size_t bytes,
                     Report *report);
/* Whether all that was queued is done, or failed. */
bool gpu_stream_is_done(Gpu *gpu, GpuStream *stream);
/* Until it is. */
bool gpu_stream_wait(Gpu *gpu, GpuStream *stream, Report *report);
void *gpu_host_alloc(Gpu *gpu, size_t bytes, Report *report);
void gpu_host_free(Gpu *gpu, void *memory);

/* The function of that name in a compiled binary, with so much shared memory a block. */
GpuKernel *gpu_kernel_create(Gpu *gpu, const GpuBinary *binary, const char *name,
                             size_t shared_bytes, Report *report);
void gpu_kernel_free(GpuKernel *kernel);
/* Blocks that one processor runs at a time. */
uint32_t gpu_kernel_blocks(GpuKernel *kernel, uint32_t threads);
/* Starts it, in a stream or, if that is NULL, so that reading what it wrote waits for its end. */
bool gpu_launch(GpuKernel *kernel, GpuStream *stream, uint32_t blocks, uint32_t threads,
                void **arguments, Report *report);
