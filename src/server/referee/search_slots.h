/* Slots for searches: a limited number of them think at the same time, so that a small machine can
 * play any number of matches. The others wait in line, first come, first served. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct SearchSlots SearchSlots;

SearchSlots *slots_create(size_t places);
void slots_free(SearchSlots *slots);

/* Waits for a slot. False, without one, once *stopped is set and slots_wake is called; `stopped`
 * may be NULL. NULL stands for any number of slots. */
bool slots_enter(SearchSlots *slots, const bool *stopped);
void slots_leave(SearchSlots *slots);
/* Makes all waiting threads test their flags. */
void slots_wake(SearchSlots *slots);

typedef struct {
    /* Numbers of places, of searches inside and of searches in line. */
    size_t places, busy, waiting;
} SlotsLoad;

SlotsLoad slots_load(SearchSlots *slots);
