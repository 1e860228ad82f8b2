/* Pairs of moves that interfere in a game of one role, found by trying them: one makes the other
 * illegal, or both change the same fluent. Moves that do not interfere can be made in any order, so
 * a plan may leave the order open. Nothing is proven: other states may show more pairs. */
#pragma once

#include "game/game.h"

typedef struct {
    uint32_t move, other;
} MovePair;

typedef struct {
    uint32_t words;         /* of a row; 0: too many moves to keep pairs of */
    uint64_t *rows;         /* by move: those it interferes with */
    VECTOR(MovePair) pairs; /* each once, in the order they were seen */
} Interference;

void interference_init(Interference *seen, uint32_t move_count);
void interference_free(Interference *seen);

/* Tries these moves, all legal in the state, and notes the pairs; of very many it tries none. */
void interference_look(Interference *seen, GameWork *work, const State *state,
                       const uint32_t *moves, size_t count);
