/* The parts of a game of two players that is a sum, proven on the circuit. A part is a set of
 * fluents that develops by itself: every move that changes anything reads and changes one part
 * only. The rest are the autonomous fluents, which no move influences: the player to move, or the
 * time. A fluent is fixed if it keeps its value whatever is played from the given state on; so a
 * game may fall into more and more parts during a match. */
#pragma once

#include <assert.h>

#include "search/search.h"

/* Terminal, goals and legality of passing may depend on all parts. They depend on a part only
 * through its local concepts (Guenther 2007): nodes of the circuit that depend on that part alone
 * and feed nodes that do not. Two states of a part with the same local concepts are equivalent for
 * the rest of the game.
 *
 * The effect of a move is read off the circuit with that move, the other player's move and the turn
 * as constants, for all moves that can be legal at the turn. So it always holds. */

enum {
    SUMPARTS_IDLE = UINT32_MAX, /* `part_of_move` of a move that changes nothing */
    SUMPARTS_NOBODY = 2,        /* driver of a part that no role can change */
    SUMPARTS_MAX_TURNS = 16     /* sets of phases that parts and legality tell apart (untuned) */
};

/* A phase: a state of the autonomous fluents. */
typedef struct {
    uint64_t *words; /* a state of the game in this phase */
    uint32_t turn;   /* index into `turns`: phases that parts and legality cannot tell apart */
    uint32_t next;   /* index of the phase that follows */
} SumPhase;

/* A class of phases, also called a turn: a set of phases that parts and legality cannot tell apart.
 */
typedef struct {
    uint32_t phase;        /* one phase of the set */
    U32Vector possible[2]; /* by role: moves that may be legal at the turn */
} PhaseClass;

typedef struct {
    const Circuit *circuit;
    uint32_t count, word_count;
    uint64_t *fluents;       /* by part: a set of word_count words */
    uint64_t *rest;          /* set of the autonomous fluents */
    uint64_t *fixed;         /* set of the fixed fluents */
    uint64_t *seen;          /* set of the autonomous fluents that parts and legality depend on */
    VECTOR(SumPhase) phases; /* the phase of the given state, and all that follow it */
    VECTOR(PhaseClass) turns;
    uint32_t *part_of_move; /* by move of the circuit: its part, or SUMPARTS_IDLE */
    uint8_t *drivers;       /* by part and turn: the role that can change it, or SUMPARTS_NOBODY */
    U32Vector *concepts;    /* by part: its local concepts, as nodes of the circuit */
    U32Vector *nodes;       /* by part: nodes to compute its concepts from, in topological order */
    uint8_t *values;        /* by node; scratch */
    Arena arena;
} SumParts;

/* Finds the parts for matches that go on from the state. False if the game is not a sum of two
 * parts or more, if the analysis takes too long (about twenty million nodes of circuits, 0.1 to 0.2
 * seconds), or the budget is over. The game must have a circuit. Always free the parts. */
bool sumparts_find(Game *game, const State *state, const SearchBudget *budget, SumParts *parts);
void sumparts_free(SumParts *parts);

/* Numbers the sets of a union-find over fluents and then moves. Only sets with a fluent `inside`
 * count, in the order of these fluents. Returns the number of each item, UINT32_MAX for items in no
 * such set, and gives the fluents of each set. The caller frees both. */
uint32_t *sumparts_number_sets(const Circuit *circuit, uint32_t *parents, const uint64_t *inside,
                               uint32_t *count, uint64_t **fluents);

static inline const uint64_t *sumparts_fluents(const SumParts *parts, uint32_t part) {
    assert(part < parts->count);
    return parts->fluents + (size_t)part * parts->word_count;
}

/* The only role whose moves can change the part at the turn; SUMPARTS_NOBODY if none can. */
static inline uint32_t sumparts_driver(const SumParts *parts, uint32_t part, uint32_t turn) {
    assert(part < parts->count && turn < parts->turns.count);
    return parts->drivers[(size_t)part * parts->turns.count + turn];
}

/* The index of the state's phase; UINT32_MAX if it is not in the list. */
uint32_t sumparts_phase(const SumParts *parts, const uint64_t *words);

/* Number of 32-bit words for the concepts of a part. */
static inline size_t sumparts_concept_words(const SumParts *parts, uint32_t part) {
    return parts->concepts[part].count / 32 + 1;
}

/* Computes the values of the part's concepts, as bits. They depend on the part's fluents only. */
void sumparts_look(SumParts *parts, uint32_t part, const uint64_t *words, uint32_t *concepts);
