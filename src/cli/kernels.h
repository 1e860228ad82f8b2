/* What the command line says about kernels: the choice by name, and what this machine has. */
#pragma once

#include <stdbool.h>

#include "circuit/kernel.h"
#include "cli/options.h"

/* The names that `--kernel` takes, besides those of the GPU. */
#define KERNEL_CHOICES "auto|interpreted|sse2|avx2|avx512|neon|neon-sha3"

/* Finds the kernel that the user named; NULL is auto. False, with a status and a complaint that
 * lists the kernels of this machine, if there is no such kernel or the machine cannot run it. */
bool kernel_from_name(const char *name, KernelKind *kind, int *status);

/* Says on standard error that gates are interpreted if the system forbids executable memory. */
void note_forbidden_code(void);

/* Prints which kernel is used, what the others need, and whether code may be executed. */
void print_kernels(void);
/* Adds what print_kernels prints to the object. */
void add_kernels_json(json_t *object);
