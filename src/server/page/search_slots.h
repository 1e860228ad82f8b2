/* Who may use the processor now: a small machine plays any number of matches, but so many searches
 * think at a time and no more. The others wait in line, first come first served. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Gate Gate;

Gate *gate_create(size_t places);
void gate_free(Gate *gate);

/* Waits for a place; false, and no place, once *stopped (which may be NULL) is set and the gate is
 * woken. A NULL gate is always open. */
bool gate_enter(Gate *gate, const bool *stopped);
void gate_leave(Gate *gate);
/* Makes those who wait look at their flags. */
void gate_wake(Gate *gate);

typedef struct {
    size_t places, busy, waiting;
} GateLoad;

GateLoad gate_load(Gate *gate);
