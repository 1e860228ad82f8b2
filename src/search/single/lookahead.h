/* One step ahead in a game of one role: all moves of a state are made abreast. States are arrays of
 * words here, one bit per fluent. */
#pragma once

#include "game/successors.h"

typedef struct {
    Game *game;
    GameWork *work;
    Successors *made;    /* free for questions of the user between two calls */
    uint32_t word_count; /* words per state */
    State state;         /* scratch */
    /* Filled in by lookahead_all: */
    U32Vector legal;
    uint64_t *successors; /* by legal move: the words of the next state */
    bool *ends;           /* by legal move: the match ends there */
    int *goals;           /* by legal move: the goal if it ends */
} LookAhead;

/* The game must have one role and a circuit. */
void lookahead_init(LookAhead *ahead, Game *game);
void lookahead_free(LookAhead *ahead);

/* Writes a state, which may have fewer words, as word_count words. */
void lookahead_words(const LookAhead *ahead, const State *state, uint64_t *words);
/* Makes a state of the words; valid until the next call. */
State *lookahead_state(LookAhead *ahead, const uint64_t *words);
void lookahead_legal(LookAhead *ahead, const uint64_t *words, U32Vector *legal);
/* Makes each of the moves: gives the next state, whether the match ends there, and its goal. */
void lookahead_try(LookAhead *ahead, const uint64_t *words, const uint32_t *moves, uint32_t count,
                   uint64_t *successors, bool *ends, int *goals);
/* Makes all legal moves of a state. The results are in the LookAhead. */
void lookahead_all(LookAhead *ahead, const uint64_t *words);
