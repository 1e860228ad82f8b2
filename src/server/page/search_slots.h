/* A gate that lets a limited number of searches think at the same time, so that a small machine can
 * play any number of matches. The others wait in line, first come, first served. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Gate Gate;

Gate *gate_create(size_t places);
void gate_free(Gate *gate);

/* Waits for a place. False, without a place, once *stopped is set and the gate is woken; `stopped`
 * may be NULL. A NULL gate is always open. */
bool gate_enter(Gate *gate, const bool *stopped);
void gate_leave(Gate *gate);
/* Makes all waiting threads test their flags. */
void gate_wake(Gate *gate);

typedef struct {
    /* Numbers of places, of searches inside and of searches in line. */
    size_t places, busy, waiting;
} GateLoad;

GateLoad gate_load(Gate *gate);
