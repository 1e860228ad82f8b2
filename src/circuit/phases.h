/* Fluents that repeat a short cycle whatever the players do, usually those that say whose turn it
 * is. The state of that cycle is the phase. All lanes that start together share the phase, so one
 * network per phase, with these fluents constant, has fewer gates than one network for all
 * phases. */
#pragma once

#include "circuit/circuit.h"

enum { MAX_PHASE_COUNT = 12 };

typedef struct {
    uint32_t count;    /* at least 1 */
    U32Vector fluents; /* fluents that cycle */
    uint8_t *values;   /* `count` rows with one value per fluent; row 0 is the initial state */
} Phases;

Phases phases_find(const Circuit *circuit);
void phases_free(Phases *phases);

/* The phase of a state, a bitset of `words` words; phases->count if it fits none. */
uint32_t phases_of_state(const Phases *phases, const uint64_t *state, uint32_t words);
