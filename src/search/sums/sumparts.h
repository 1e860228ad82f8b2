/* Games of two players that are sums, proven on the circuit: parts of the state that develop each
 * by itself. Every move that changes anything needs and changes one part alone; what no move
 * drives (whose turn it is, the time) is outside all parts, runs by itself, and is the rest; what
 * nothing can change from the state on is fixed, so that there are more parts the later it is in a
 * match that falls apart. The end, the goals and who may pass can look at all parts; what they
 * look at in one part are its local concepts (Guenther 2007): the circuit's nodes that depend on
 * that part alone and that the others are made of. Two states of a part with the same local
 * concepts are the same to the rest of the game.
 *
 * What a move changes is read off the circuit with that move, the other player's and the turn put
 * in as constants, for all that can be legal at the turn; so it holds in every state that can be
 * reached, and what is concluded from parts holds for the game. */
#pragma once

#include "search/search.h"

enum {
    SUMPARTS_IDLE = UINT32_MAX, /* in place of a part: a move that changes nothing */
    SUMPARTS_NOBODY = 2         /* in place of a role */
};

/* A state of the rest. */
typedef struct {
    uint64_t *words; /* a state with this rest */
    uint32_t turn;   /* the same where neither parts nor legality see a difference */
    uint32_t next;
} SumPhase;

typedef struct {
    uint32_t phase;        /* one of them */
    U32Vector possible[2]; /* moves of each role that may be legal at the turn */
} SumTurn;

typedef struct {
    const Circuit *circuit;
    uint32_t count, word_count;
    uint64_t *fluents;       /* of each part, word_count words each */
    uint64_t *rest;          /* fluents that no move drives */
    uint64_t *fixed;         /* those that keep the value of the state, whatever is played */
    uint64_t *seen;          /* of the rest: what parts and the legality of moves look at */
    VECTOR(SumPhase) phases; /* all that follow the first */
    VECTOR(SumTurn) turns;
    uint32_t *part_of_move; /* by move of the circuit; SUMPARTS_IDLE */
    uint8_t *drivers;       /* by part and turn: the role that can change it; SUMPARTS_NOBODY */
    U32Vector *concepts;    /* of each part: nodes of the circuit */
    U32Vector *nodes;       /* of each part: those that concepts are computed from, in order */
    uint8_t *values;        /* by node; scratch */
    Arena arena;
} SumParts;

/* For matches that go on from the state. False if the game is no sum of two parts or more, takes
 * too long to look at (some twenty million nodes of circuits, a tenth of a second or two), or the
 * budget's deadline passes or it is stopped before. The game must have a circuit. Free the parts in
 * any case. */
bool sumparts_find(Game *game, const State *state, const SearchBudget *budget, SumParts *parts);
void sumparts_free(SumParts *parts);

/* Numbers the sets of a union-find over fluents and then moves that have a fluent `inside`, in the
 * order of these fluents. Returns the number of each item, UINT32_MAX for those in no such set, and
 * gives the fluents of each set, `bitset_words(fluent_count)` words each. The caller frees both. */
uint32_t *sumparts_number_sets(const Circuit *circuit, uint32_t *parents, const uint64_t *inside,
                               uint32_t *count, uint64_t **fluents);

static inline const uint64_t *sumparts_fluents(const SumParts *parts, uint32_t part) {
    return parts->fluents + (size_t)part * parts->word_count;
}

/* The only role whose moves can change the part at the turn. */
static inline uint32_t sumparts_driver(const SumParts *parts, uint32_t part, uint32_t turn) {
    return parts->drivers[(size_t)part * parts->turns.count + turn];
}

/* The phase of a state of the match; UINT32_MAX if it is none of these. */
uint32_t sumparts_phase(const SumParts *parts, const uint64_t *words);

/* The 32-bit words that the concepts of a part fill. */
static inline size_t sumparts_concept_words(const SumParts *parts, uint32_t part) {
    return parts->concepts[part].count / 32 + 1;
}

/* The concepts of the part in a state, as bits; of the state, only the part is looked at. */
void sumparts_look(SumParts *parts, uint32_t part, const uint64_t *words, uint32_t *concepts);
