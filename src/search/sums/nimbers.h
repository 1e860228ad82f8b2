/* Sums of impartial games (Sprague 1935, Grundy 1939). Two players move alternately, every move
 * is made in one subgame, both have the same moves, and the player who cannot move loses (in
 * misere play: wins). Then every state of a subgame is worth a heap of Nim, its nimber, and the
 * nimbers decide who wins. These conditions are tested: the options of every state met, with
 * either player to move, and the ends of random matches. Moves read and change the fluents of a
 * subgame together. */
#pragma once

#include "base/clock.h"
#include "game/game.h"

typedef struct Nimbers Nimbers;

/* False if random matches show that the game, which has a circuit, is no sum of impartial games. */
bool nimbers_are_likely(Game *game, const State *state);

/* Returns NULL if the game is not a sum of impartial games, or if its subgames are too large for
 * the time. One role must have a choice in the state. */
Nimbers *nimbers_create(Game *game, const State *state, Deadline deadline);
void nimbers_free(Nimbers *nimbers);

/* Finds a winning move. False if the role is not to move or has no winning move. */
bool nimbers_winning_move(Nimbers *nimbers, const State *state, uint32_t role, uint32_t *move);
