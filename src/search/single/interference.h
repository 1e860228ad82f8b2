/* Pairs of moves that interfere in a game of one role, found by trying them: one makes the other
 * illegal, or both change the same fluent. Moves that do not interfere can be made in any order, so
 * a plan may leave the order open. The pairs are observed, not proven. */
#pragma once

#include "game/game.h"

typedef struct {
    uint32_t move, other;
} MovePair;

typedef struct {
    uint32_t words;         /* 64-bit words per row; 0: too many moves to keep pairs */
    uint64_t *rows;         /* by move: the set of moves it interferes with */
    VECTOR(MovePair) pairs; /* each pair once, in the order in which they were seen */
} Interference;

void interference_init(Interference *seen, uint32_t move_count);
void interference_free(Interference *seen);

/* Tries these legal moves and records the pairs that interfere, unless the moves are very many. */
void interference_look(Interference *seen, GameWork *work, const State *state,
                       const uint32_t *moves, size_t count);
