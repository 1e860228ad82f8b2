/* Fluents that turn in a short cycle of their own, whatever the players do: whose turn it is, most
 * of the time. All lanes that started together share the phase, so one network a phase, with these
 * fluents constant, does much less work than one network for all. */
#pragma once

#include "circuit/circuit.h"

enum { PHASES_MOST = 12 };

typedef struct {
    uint32_t count;    /* at least 1 */
    U32Vector fluents; /* those that cycle */
    uint8_t *values; /* count rows of one value a fluent of the list; row 0 is the initial state */
} Phases;

Phases phases_find(const Circuit *circuit);
void phases_free(Phases *phases);

/* The phase of a state given as a bitset of so many words; phases->count if it fits none. */
uint32_t phases_of_state(const Phases *phases, const uint64_t *state, uint32_t words);
