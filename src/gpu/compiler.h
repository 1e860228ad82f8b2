/* CUDA source to machine code, by the compiler library NVRTC if the machine has it. It is looked
 * for at run time, so that building needs nothing of CUDA. No GPU is needed to compile. */
#pragma once

#include <stdbool.h>

#include "base/report.h"

typedef struct GpuCompiler GpuCompiler;

/* NULL with an error in the report if there is no such library. */
GpuCompiler *gpu_compiler_open(Report *report);
void gpu_compiler_close(GpuCompiler *compiler);

typedef struct {
    const char *name, *text;
} GpuHeader;

typedef VECTOR(char) GpuBinary;

/* For an architecture such as 90. False with the compiler's first lines in the report. */
bool gpu_compile(GpuCompiler *compiler, const char *source, const GpuHeader *headers,
                 size_t header_count, uint32_t architecture, GpuBinary *binary, Report *report);
