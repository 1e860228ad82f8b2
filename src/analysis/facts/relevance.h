/* What can influence what, by walking the circuit backwards from its outputs. A fluent that no such
 * walk meets is useless, however busy it is; a move that none meets changes nothing that matters.
 */
#pragma once

#include "circuit/circuit.h"

typedef struct {
    uint32_t fluent_words, move_words;
    /* Bitsets of fluents: the premises of these outputs in the present state. */
    uint64_t *in_terminal, *in_goal, *in_legal, *in_sees;
    /* Bitsets of fluents on which, sooner or later, ... */
    uint64_t *needed; /* anything depends that a player can notice: legal, terminal, goal, sees */
    uint64_t
        *needed_for_result; /* the end or a goal depends, legality counting for moves that do */
    /* Bitsets of moves, as the circuit numbers them. */
    uint64_t *moves_needed; /* with an influence on needed fluents or percepts */
    uint64_t *moves_needed_for_result;
    /* Bitset of fluents with no move in the cone of their next value. */
    uint64_t *explicitly_independent;
} Relevance;

Relevance *relevance_find(const Circuit *circuit);
void relevance_free(Relevance *relevance);

/* The same for one role: fluents and moves on which, sooner or later, the end or its own goal
 * depends. They are added to the caller's sets. */
void relevance_for_role(const Circuit *circuit, uint32_t role, uint64_t *fluents, uint64_t *moves);
