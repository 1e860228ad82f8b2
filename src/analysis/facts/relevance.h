/* Relevance: what can influence what, found by walking the circuit backwards from its outputs. A
 * fluent that no such walk meets is useless, however often it changes. A move that none meets
 * changes nothing that matters. */
#pragma once

#include "circuit/circuit.h"

typedef struct {
    uint32_t fluent_words, move_words; /* 64-bit words of the bitsets below */
    /* Bitsets of fluents: those that each kind of output depends on in the present state. */
    uint64_t *in_terminal, *in_goal, *in_legal, *in_sees;
    /* Bitsets of fluents, with all later states included. */
    uint64_t *needed;            /* legal, terminal, goal or sees depends on it sooner or later */
    uint64_t *needed_for_result; /* terminal or goal does; legality counts for moves that do */
    /* Bitsets of moves, as the circuit numbers them. */
    uint64_t *moves_needed; /* has an influence on needed fluents or percepts */
    uint64_t *moves_needed_for_result;
    /* Bitset of fluents with no move in the cone of their next value. */
    uint64_t *explicitly_independent;
    Arena arena; /* owns the bitsets */
} Relevance;

Relevance *relevance_find(const Circuit *circuit);
void relevance_free(Relevance *relevance);

/* Adds the fluents and moves on which, sooner or later, the end or the role's own goal depends. */
void relevance_for_role(const Circuit *circuit, uint32_t role, uint64_t *fluents, uint64_t *moves);
