/* Sums of impartial games (Sprague 1935, Grundy 1939): two players move in turn, each move is a
 * move in one subgame, both have the same moves, and who cannot move has lost (or won, "misere").
 * Then every state of a subgame is worth a heap of Nim, and the heaps tell who wins. All of this is
 * tested before it is believed: the options of every state met, with either player to move, and the
 * ends of random matches. Subgames are what moves need and change. */
#pragma once

#include "base/clock.h"
#include "game/game.h"

typedef struct Nimbers Nimbers;

/* A glance at a few random matches from the state: false if the game is certainly no such sum, so
 * that there is no need to look closer. The game must have a circuit. */
bool nimbers_are_likely(Game *game, const State *state);

/* NULL if the game is no such sum, or the subgames are too large for the time. The state is one of
 * the match, with a choice. */
Nimbers *nimbers_create(Game *game, const State *state, Deadline deadline);
void nimbers_free(Nimbers *nimbers);

/* A move that leaves the other player without an answer. False if the role is not to move or there
 * is no such move. */
bool nimbers_winning_move(Nimbers *nimbers, const State *state, uint32_t role, uint32_t *move);
bool nimbers_is_misere(const Nimbers *nimbers);
uint32_t nimbers_subgame_count(const Nimbers *nimbers);
