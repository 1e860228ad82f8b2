/* Compiles CUDA source to machine code with the library NVRTC. It is loaded at run time, so that
 * the program builds without CUDA. Compiling needs no GPU. */
#pragma once

#include <stdbool.h>

#include "base/report.h"

/* Finds functions of a library by their names, separated by spaces, and stores the pointers one
 * after the other. False if one is missing. */
bool gpu_find_functions(void *library, const char *names, void *functions);

typedef struct GpuCompiler GpuCompiler;

/* NULL with an error in the report if the library is not found. */
GpuCompiler *gpu_compiler_open(Report *report);
void gpu_compiler_close(GpuCompiler *compiler);

typedef struct {
    const char *name, *text;
} GpuHeader;

typedef VECTOR(char) GpuBinary;

/* Compiles for an architecture such as 90. False with the compiler's first lines in the report. */
bool gpu_compile(GpuCompiler *compiler, const char *source, const GpuHeader *headers,
                 size_t header_count, uint32_t architecture, GpuBinary *binary, Report *report);
