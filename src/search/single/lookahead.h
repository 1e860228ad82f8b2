/* One step ahead in a game of one role: all moves of a state are made in one pass over the circuit,
 * a lane for each, and a second pass judges what they lead to. The rows that come out of the first
 * are the rows that go into the second. States are words here, one bit a fluent. */
#pragma once

#include "game/lanes.h"

typedef struct {
    Game *game;
    GameWork *work;
    LaneBatch *lanes;
    uint32_t fluent_count;
    uint32_t word_count; /* of a state */
    State state;         /* scratch */
} LookAhead;

/* The game must have one role and a circuit. */
void lookahead_init(LookAhead *ahead, Game *game);
void lookahead_free(LookAhead *ahead);

/* The words of a state, which may be shorter. */
void lookahead_words(const LookAhead *ahead, const State *state, uint64_t *words);
/* The state of the words; valid until the next call. */
State *lookahead_state(LookAhead *ahead, const uint64_t *words);
void lookahead_legal(LookAhead *ahead, const uint64_t *words, U32Vector *legal);
/* Sets the inputs for moves: move i in lane i, none in the lanes behind. */
void lookahead_put_moves(LookAhead *ahead, const uint32_t *moves, uint32_t count);
/* What each of the moves leads to: the words of the next state, whether the match ends there, and
 * the goal if it does. */
void lookahead_try(LookAhead *ahead, const uint64_t *words, const uint32_t *moves, uint32_t count,
                   uint64_t *successors, bool *ends, int *goals);
