/* Declares the few functions of NVRTC that are needed and looks them up at run time. The library
 * stays loaded, because it does not release all of its memory. */
#include "gpu/compiler.h"

#include <dlfcn.h>
#include <string.h>

typedef struct NvrtcProgram NvrtcProgram;

struct GpuCompiler {
    void *library;
    /* Functions of the library, in the order of function_names. */
    int (*create)(NvrtcProgram **program, const char *source, const char *name, int header_count,
                  const char *const *headers, const char *const *header_names);
    int (*destroy)(NvrtcProgram **program);
    int (*compile)(NvrtcProgram *program, int option_count, const char *const *options);
    int (*binary_size)(NvrtcProgram *program, size_t *bytes);
    int (*binary)(NvrtcProgram *program, char *code);
    int (*log_size)(NvrtcProgram *program, size_t *bytes);
    int (*log)(NvrtcProgram *program, char *log);
};

static const char *const library_names[] = {
    "libnvrtc.so",
    "libnvrtc.so.13",
    "libnvrtc.so.12",
    "/usr/local/cuda/lib64/libnvrtc.so",
    "/usr/local/cuda/lib64/libnvrtc.so.13",
    "/usr/local/cuda/lib64/libnvrtc.so.12",
};

static const char function_names[] =
    "nvrtcCreateProgram nvrtcDestroyProgram nvrtcCompileProgram nvrtcGetCUBINSize nvrtcGetCUBIN "
    "nvrtcGetProgramLogSize nvrtcGetProgramLog";

bool gpu_find_functions(void *library, const char *names, void *functions) {
    char *copy = memory_strdup(names), *at, *to = functions;
    bool are_found = true;
    for (char *name = strtok_r(copy, " ", &at); name; name = strtok_r(NULL, " ", &at)) {
        void *symbol = dlsym(library, name);
        are_found = are_found && symbol;
        memcpy(to, &symbol, sizeof symbol);
        to += sizeof symbol;
    }
    free(copy);
    return are_found;
}

GpuCompiler *gpu_compiler_open(Report *report) {
    GpuCompiler *c = memory_zalloc(sizeof *c);
    for (size_t i = 0; !c->library && i < sizeof library_names / sizeof *library_names; i++)
        c->library = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (c->library && gpu_find_functions(c->library, function_names, &c->create))
        return c;
    report_error(report, "no-nvrtc", "the CUDA compiler library (libnvrtc) was not found");
    gpu_compiler_close(c);
    return NULL;
}

void gpu_compiler_close(GpuCompiler *compiler) {
    if (!compiler)
        return;
    if (compiler->library)
        dlclose(compiler->library);
    free(compiler);
}

static void report_log(GpuCompiler *c, NvrtcProgram *program, Report *report) {
    size_t bytes = 0;
    char *log = NULL;
    if (c->log_size(program, &bytes) == 0 && bytes) {
        log = memory_zalloc(bytes + 1);
        c->log(program, log);
    }
    report_error(report, "gpu-compile", "the GPU kernel does not compile: %.1000s", log ? log : "");
    free(log);
}

bool gpu_compile(GpuCompiler *c, const char *source, const GpuHeader *headers, size_t header_count,
                 uint32_t architecture, GpuBinary *binary, Report *report) {
    char option[40];
    const char *options[] = {option, "--std=c++17"};
    const char **texts = memory_alloc((header_count + 1) * sizeof *texts);
    const char **names = memory_alloc((header_count + 1) * sizeof *names);
    for (size_t i = 0; i < header_count; i++) {
        texts[i] = headers[i].text;
        names[i] = headers[i].name;
    }
    snprintf(option, sizeof option, "--gpu-architecture=sm_%u", architecture);
    NvrtcProgram *program = NULL;
    size_t bytes = 0;
    bool ok = c->create(&program, source, "play.cu", (int)header_count, texts, names) == 0;
    if (ok && c->compile(program, sizeof options / sizeof *options, options) != 0) {
        report_log(c, program, report);
        ok = false;
    } else if (!ok || c->binary_size(program, &bytes) != 0) {
        report_error(report, "gpu-compile", "the CUDA compiler library refuses the kernel");
        ok = false;
    } else {
        vector_clear(binary);
        ok = c->binary(program, vector_extend(binary, bytes)) == 0;
    }
    if (program)
        c->destroy(&program);
    memory_free(texts, names);
    return ok;
}
