/* Relevance: which fluents and moves can influence which outputs, found by walking the circuit
 * backwards from the outputs. A fluent that no walk reaches is useless, however often it changes. A
 * move that no walk reaches changes nothing that matters. */
#pragma once

#include "circuit/circuit.h"

typedef struct {
    uint32_t fluent_words, move_words; /* 64-bit words of the bitsets below */
    /* Bitsets of the fluents that each kind of output depends on in the current state. */
    uint64_t *in_terminal, *in_goal, *in_legal, *in_sees;
    /* Bitsets of the fluents that outputs depend on in the current or a later state. */
    uint64_t *needed; /* legal, terminal, goal or sees depends on it */
    /* Terminal or goal depends on it; legality counts only for moves that they depend on. */
    uint64_t *needed_for_result;
    /* Bitsets of moves, numbered as in the circuit. */
    uint64_t *moves_needed; /* moves that needed fluents or percepts depend on */
    uint64_t *moves_needed_for_result;
    /* Bitset of the fluents whose next value has no move in its cone. */
    uint64_t *explicitly_independent;
    Arena arena; /* owns the bitsets */
} Relevance;

Relevance *relevance_find(const Circuit *circuit);
void relevance_free(Relevance *relevance);

/* Adds the fluents and moves on which the end or the role's own goal depends, now or later. */
void relevance_for_role(const Circuit *circuit, uint32_t role, uint64_t *fluents, uint64_t *moves);
