/* Declares the few functions of the CUDA driver that are needed. All work uses the primary context.
 * Work without a stream uses the default one, which keeps its order. */
#include "gpu/device.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/text.h"

typedef struct CudaContext CudaContext;
typedef struct CudaModule CudaModule;
typedef struct CudaFunction CudaFunction;

/* Constants of the CUDA driver API. */
enum {
    ATTRIBUTE_PROCESSORS = 16,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    ATTRIBUTE_SHARED_OF_PROCESSOR = 81,
    ATTRIBUTE_SHARED_OF_BLOCK = 97,
    FUNCTION_SHARED = 8,
    STREAM_ON_ITS_OWN = 1,
    NOT_READY = 600
};

/* Functions of the driver, in the order of driver_names. They return an error; 0 means success. */
typedef struct {
    int (*init)(unsigned flags);
    int (*device_get)(int *device, int number);
    int (*device_name)(char *name, int bytes, int device);
    int (*device_attribute)(int *value, int attribute, int device);
    int (*context_retain)(CudaContext **context, int device);
    int (*context_release)(int device);
    int (*context_set)(CudaContext *context);
    int (*mem_alloc)(GpuAddress *address, size_t bytes);
    int (*mem_free)(GpuAddress address);
    int (*mem_write)(GpuAddress to, const void *from, size_t bytes);
    int (*mem_read)(void *to, GpuAddress from, size_t bytes);
    int (*mem_zero)(GpuAddress to, unsigned char value, size_t bytes);
    int (*host_alloc)(void **memory, size_t bytes);
    int (*host_free)(void *memory);
    int (*stream_create)(GpuStream **stream, unsigned flags);
    int (*stream_destroy)(GpuStream *stream);
    int (*stream_query)(GpuStream *stream);
    int (*stream_wait)(GpuStream *stream);
    int (*stream_write)(GpuAddress to, const void *from, size_t bytes, GpuStream *stream);
    int (*stream_read)(void *to, GpuAddress from, size_t bytes, GpuStream *stream);
    int (*module_load)(CudaModule **module, const void *image);
    int (*module_unload)(CudaModule *module);
    int (*module_function)(CudaFunction **function, CudaModule *module, const char *name);
    int (*function_set)(CudaFunction *function, int attribute, int value);
    int (*occupancy)(int *blocks, CudaFunction *function, int threads, size_t shared_bytes);
    int (*launch)(CudaFunction *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                  GpuStream *stream, void **arguments, void **extra);
    int (*error_text)(int error, const char **text);
} Driver;

typedef struct {
    Text source; /* the source and all its headers */
    GpuBinary binary;
} Compiled;

struct Gpu {
    void *library;
    Driver driver;
    CudaContext *context;
    int device;
    bool has_context;
    GpuProperties properties;
    GpuCompiler *compiler;
    pthread_mutex_t lock; /* protects `compiled` */
    VECTOR(Compiled) compiled;
};

struct GpuKernel {
    Gpu *gpu;
    CudaModule *module;
    CudaFunction *function;
    size_t shared_bytes;
};

static const char driver_names[] =
    "cuInit cuDeviceGet cuDeviceGetName cuDeviceGetAttribute cuDevicePrimaryCtxRetain "
    "cuDevicePrimaryCtxRelease_v2 cuCtxSetCurrent cuMemAlloc_v2 cuMemFree_v2 cuMemcpyHtoD_v2 "
    "cuMemcpyDtoH_v2 cuMemsetD8_v2 cuMemAllocHost_v2 cuMemFreeHost cuStreamCreate "
    "cuStreamDestroy_v2 cuStreamQuery cuStreamSynchronize cuMemcpyHtoDAsync_v2 "
    "cuMemcpyDtoHAsync_v2 cuModuleLoadData cuModuleUnload cuModuleGetFunction "
    "cuFuncSetAttribute cuOccupancyMaxActiveBlocksPerMultiprocessor cuLaunchKernel "
    "cuGetErrorString";

/* True if the driver reports success. */
static bool check(Gpu *gpu, int error, const char *what, Report *report) {
    const char *text = NULL;
    if (error == 0)
        return true;
    if (gpu->driver.error_text(error, &text) != 0 || !text)
        text = "unknown error";
    report_error(report, "gpu", "%s failed on the GPU: %s", what, text);
    return false;
}

static uint32_t attribute(Gpu *gpu, int number) {
    int value = 0;
    gpu->driver.device_attribute(&value, number, gpu->device);
    return (uint32_t)value;
}

static void read_properties(Gpu *gpu) {
    GpuProperties *p = &gpu->properties;
    gpu->driver.device_name(p->name, sizeof p->name - 1, gpu->device);
    p->architecture = 10 * attribute(gpu, ATTRIBUTE_MAJOR) + attribute(gpu, ATTRIBUTE_MINOR);
    p->processors = attribute(gpu, ATTRIBUTE_PROCESSORS);
    p->shared_bytes = attribute(gpu, ATTRIBUTE_SHARED_OF_PROCESSOR);
    p->block_shared_bytes = attribute(gpu, ATTRIBUTE_SHARED_OF_BLOCK);
}

Gpu *gpu_open(Report *report) {
    Gpu *gpu = memory_zalloc(sizeof *gpu);
    pthread_mutex_init(&gpu->lock, NULL);
    gpu->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!gpu->library || !gpu_find_functions(gpu->library, driver_names, &gpu->driver) ||
        gpu->driver.init(0) != 0 || gpu->driver.device_get(&gpu->device, 0) != 0) {
        report_error(report, "no-gpu", "this machine has no GPU with a CUDA driver");
        gpu_close(gpu);
        return NULL;
    }
    gpu->compiler = gpu_compiler_open(report);
    gpu->has_context =
        gpu->compiler &&
        check(gpu, gpu->driver.context_retain(&gpu->context, gpu->device), "opening", report);
    if (!gpu->has_context) {
        gpu_close(gpu);
        return NULL;
    }
    read_properties(gpu);
    return gpu;
}

void gpu_close(Gpu *gpu) {
    if (!gpu)
        return;
    if (gpu->has_context)
        gpu->driver.context_release(gpu->device);
    gpu_compiler_close(gpu->compiler);
    if (gpu->library)
        dlclose(gpu->library);
    for (size_t i = 0; i < gpu->compiled.count; i++)
        vectors_free(&gpu->compiled.items[i].source, &gpu->compiled.items[i].binary);
    vector_free(&gpu->compiled);
    pthread_mutex_destroy(&gpu->lock);
    free(gpu);
}

const GpuProperties *gpu_properties(const Gpu *gpu) {
    return &gpu->properties;
}

static const Compiled *find_compiled(const Gpu *gpu, const Text *source) {
    for (size_t i = 0; i < gpu->compiled.count; i++) {
        const Compiled *c = &gpu->compiled.items[i];
        if (c->source.count == source->count &&
            memcmp(c->source.items, source->items, source->count) == 0)
            return c;
    }
    return NULL;
}

/* The lock is kept while compiling, so that a second thread with the same text finds the result. */
bool gpu_binary(Gpu *gpu, const char *source, const GpuHeader *headers, size_t header_count,
                GpuBinary *binary, Report *report) {
    Compiled made = {0};
    text_add(&made.source, source);
    for (size_t i = 0; i < header_count; i++)
        text_add(&made.source, headers[i].text);
    pthread_mutex_lock(&gpu->lock);
    const Compiled *known = find_compiled(gpu, &made.source);
    if (!known && gpu_compile(gpu->compiler, source, headers, header_count,
                              gpu->properties.architecture, &made.binary, report)) {
        vector_push(&gpu->compiled, made);
        known = &vector_last(&gpu->compiled);
        made = (Compiled){0};
    }
    vector_clear(binary);
    if (known)
        memcpy(vector_extend(binary, known->binary.count), known->binary.items,
               known->binary.count);
    pthread_mutex_unlock(&gpu->lock);
    vectors_free(&made.source, &made.binary);
    return known != NULL;
}

/* Makes the context current in the calling thread. */
static bool enter(Gpu *gpu, Report *report) {
    return check(gpu, gpu->driver.context_set(gpu->context), "entering the context", report);
}

GpuAddress gpu_alloc(Gpu *gpu, size_t bytes, Report *report) {
    GpuAddress address = 0;
    if (!enter(gpu, report) ||
        !check(gpu, gpu->driver.mem_alloc(&address, bytes ? bytes : 1), "taking memory", report))
        return 0;
    return address;
}

void gpu_free(Gpu *gpu, GpuAddress address) {
    if (address && gpu->driver.context_set(gpu->context) == 0)
        gpu->driver.mem_free(address);
}

bool gpu_write(Gpu *gpu, GpuAddress to, const void *from, size_t bytes, Report *report) {
    return !bytes || (enter(gpu, report) && check(gpu, gpu->driver.mem_write(to, from, bytes),
                                                  "copying to the device", report));
}

bool gpu_read(Gpu *gpu, void *to, GpuAddress from, size_t bytes, Report *report) {
    return !bytes || (enter(gpu, report) && check(gpu, gpu->driver.mem_read(to, from, bytes),
                                                  "running a kernel", report));
}

bool gpu_zero(Gpu *gpu, GpuAddress address, size_t bytes, Report *report) {
    return !bytes || (enter(gpu, report) && check(gpu, gpu->driver.mem_zero(address, 0, bytes),
                                                  "clearing memory", report));
}

GpuStream *gpu_stream_create(Gpu *gpu, Report *report) {
    GpuStream *stream = NULL;
    if (!enter(gpu, report) || !check(gpu, gpu->driver.stream_create(&stream, STREAM_ON_ITS_OWN),
                                      "making a stream", report))
        return NULL;
    return stream;
}

void gpu_stream_free(Gpu *gpu, GpuStream *stream) {
    if (stream && gpu->driver.context_set(gpu->context) == 0)
        gpu->driver.stream_destroy(stream);
}

bool gpu_stream_write(Gpu *gpu, GpuStream *stream, GpuAddress to, const void *from, size_t bytes,
                      Report *report) {
    return !bytes ||
           (enter(gpu, report) && check(gpu, gpu->driver.stream_write(to, from, bytes, stream),
                                        "copying to the device", report));
}

bool gpu_stream_read(Gpu *gpu, GpuStream *stream, void *to, GpuAddress from, size_t bytes,
                     Report *report) {
    return !bytes ||
           (enter(gpu, report) && check(gpu, gpu->driver.stream_read(to, from, bytes, stream),
                                        "copying from the device", report));
}

bool gpu_stream_is_done(Gpu *gpu, GpuStream *stream) {
    return gpu->driver.context_set(gpu->context) != 0 ||
           gpu->driver.stream_query(stream) != NOT_READY;
}

bool gpu_stream_wait(Gpu *gpu, GpuStream *stream, Report *report) {
    return enter(gpu, report) &&
           check(gpu, gpu->driver.stream_wait(stream), "running a kernel", report);
}

void *gpu_host_alloc(Gpu *gpu, size_t bytes, Report *report) {
    void *memory = NULL;
    if (!enter(gpu, report) ||
        !check(gpu, gpu->driver.host_alloc(&memory, bytes ? bytes : 1), "taking memory", report))
        return NULL;
    memset(memory, 0, bytes);
    return memory;
}

void gpu_host_free(Gpu *gpu, void *memory) {
    if (memory && gpu->driver.context_set(gpu->context) == 0)
        gpu->driver.host_free(memory);
}

GpuKernel *gpu_kernel_create(Gpu *gpu, const GpuBinary *binary, const char *name,
                             size_t shared_bytes, Report *report) {
    GpuKernel *kernel = memory_zalloc(sizeof *kernel);
    kernel->gpu = gpu;
    kernel->shared_bytes = shared_bytes;
    if (enter(gpu, report) &&
        check(gpu, gpu->driver.module_load(&kernel->module, binary->items), "loading a kernel",
              report) &&
        check(gpu, gpu->driver.module_function(&kernel->function, kernel->module, name),
              "finding a kernel", report) &&
        (!shared_bytes ||
         check(gpu, gpu->driver.function_set(kernel->function, FUNCTION_SHARED, (int)shared_bytes),
               "taking shared memory", report)))
        return kernel;
    gpu_kernel_free(kernel);
    return NULL;
}

void gpu_kernel_free(GpuKernel *kernel) {
    if (!kernel)
        return;
    if (kernel->module && kernel->gpu->driver.context_set(kernel->gpu->context) == 0)
        kernel->gpu->driver.module_unload(kernel->module);
    free(kernel);
}

uint32_t gpu_kernel_blocks(GpuKernel *kernel, uint32_t threads) {
    int blocks = 0;
    kernel->gpu->driver.occupancy(&blocks, kernel->function, (int)threads, kernel->shared_bytes);
    return blocks > 0 ? (uint32_t)blocks : 1;
}

bool gpu_launch(GpuKernel *kernel, GpuStream *stream, uint32_t blocks, uint32_t threads,
                void **arguments, Report *report) {
    Gpu *gpu = kernel->gpu;
    return enter(gpu, report) &&
           check(gpu,
                 gpu->driver.launch(kernel->function, blocks, 1, 1, threads, 1, 1,
                                    (unsigned)kernel->shared_bytes, stream, arguments, NULL),
                 "starting a kernel", report);
}
