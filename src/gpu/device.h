/* A GPU behind a few functions: memory, streams, kernels, launches. The CUDA driver is loaded at
 * run time, so that the program builds and starts without CUDA. Threads may share a Gpu. */
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
    uint32_t architecture;     /* 90 for compute capability 9.0 */
    uint32_t processors;       /* streaming multiprocessors */
    size_t shared_bytes;       /* shared memory of one multiprocessor */
    size_t block_shared_bytes; /* most shared memory of one block */
} GpuProperties;
const GpuProperties *gpu_properties(const Gpu *gpu);
/* Compiles for this device. A text that was compiled before is not compiled again. */
bool gpu_binary(Gpu *gpu, const char *source, const GpuHeader *headers, size_t header_count,
                GpuBinary *binary, Report *report);

/* These functions report failures. Addresses are those of device memory. */
GpuAddress gpu_alloc(Gpu *gpu, size_t bytes, Report *report);
void gpu_free(Gpu *gpu, GpuAddress address);
bool gpu_write(Gpu *gpu, GpuAddress to, const void *from, size_t bytes, Report *report);
bool gpu_read(Gpu *gpu, void *to, GpuAddress from, size_t bytes, Report *report);
bool gpu_zero(Gpu *gpu, GpuAddress address, size_t bytes, Report *report);

/* A queue of work. The entries of one stream are done in order, concurrently with the processor and
 * other streams. Host memory used by a stream must come from gpu_host_alloc. */
typedef struct GpuStream GpuStream;
GpuStream *gpu_stream_create(Gpu *gpu, Report *report);
void gpu_stream_free(Gpu *gpu, GpuStream *stream);
bool gpu_stream_write(Gpu *gpu, GpuStream *stream, GpuAddress to, const void *from, size_t bytes,
                      Report *report);
bool gpu_stream_read(Gpu *gpu, GpuStream *stream, void *to, GpuAddress from, size_t bytes,
                     Report *report);
/* True if all queued work is done or has failed. */
bool gpu_stream_is_done(Gpu *gpu, GpuStream *stream);
/* Waits until all queued work is done. */
bool gpu_stream_wait(Gpu *gpu, GpuStream *stream, Report *report);
void *gpu_host_alloc(Gpu *gpu, size_t bytes, Report *report);
void gpu_host_free(Gpu *gpu, void *memory);

/* The kernel of that name in a binary, to be run with so much shared memory per block. */
GpuKernel *gpu_kernel_create(Gpu *gpu, const GpuBinary *binary, const char *name,
                             size_t shared_bytes, Report *report);
void gpu_kernel_free(GpuKernel *kernel);
/* The number of blocks that one multiprocessor runs at a time. */
uint32_t gpu_kernel_blocks(GpuKernel *kernel, uint32_t threads);
/* Launches a kernel in a stream. NULL is the default stream, for which gpu_read waits. */
bool gpu_launch(GpuKernel *kernel, GpuStream *stream, uint32_t blocks, uint32_t threads,
                void **arguments, Report *report);
