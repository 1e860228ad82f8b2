/* Up to 512 states evaluated in one pass, with a move of each role where wanted: the look-ahead of
 * searches, and the check that every lane of the sliced kernels agrees with the scalar answers. */
#pragma once

#include "circuit/kernel.h"
#include "game/game.h"

typedef struct LaneBatch LaneBatch;

/* For game.c, which owns them. */
LaneKernels *lane_kernels_create(const Circuit *circuit, KernelKind kind);
void lane_kernels_free(LaneKernels *kernels);

/* One a thread. The game must have a circuit. */
LaneBatch *lanes_create(Game *game);
void lanes_free(LaneBatch *batch);

/* Empties all lanes. */
void lanes_clear(LaneBatch *batch);
/* Puts a state into a lane, with one move a role, or NULL if no next state is wanted. */
void lanes_set(LaneBatch *batch, uint32_t lane, const State *state, const uint32_t *moves);
/* The same for lanes first to end - 1, all of one state; moves are given by lanes_set_moves. */
void lanes_fill(LaneBatch *batch, uint32_t first, uint32_t end, const State *state);
void lanes_set_moves(LaneBatch *batch, uint32_t lane, const uint32_t *moves);
void lanes_evaluate(LaneBatch *batch);

bool lanes_is_terminal(const LaneBatch *batch, uint32_t lane);
void lanes_legal(const LaneBatch *batch, uint32_t lane, uint32_t role, U32Vector *moves);
int lanes_goal(const LaneBatch *batch, uint32_t lane, uint32_t role);
/* Only for lanes with moves. */
void lanes_next(const LaneBatch *batch, uint32_t lane, State *next);
/* The next states of the first lanes, one after the other in as many words as fluents need: much
 * faster than one by one. */
void lanes_next_words(const LaneBatch *batch, uint32_t count, uint64_t *words);
/* Likewise: what game_percept_keys says. */
void lanes_percept_keys(const LaneBatch *batch, uint32_t lane, uint64_t *keys);

/* The same rows for those who work on all lanes at once: row i holds fluent i, move i of the
 * circuit, and so on, bit l of a row is lane l. Who fills the rows of moves keeps one move a role
 * and lane. */
Lanes *lanes_fluent_rows(LaneBatch *batch);
Lanes *lanes_move_rows(LaneBatch *batch);
const Lanes *lanes_terminal_row(const LaneBatch *batch);
const Lanes *lanes_legal_rows(const LaneBatch *batch);
const Lanes *lanes_next_rows(const LaneBatch *batch);
/* Goes on to the next states, which have no moves yet; they are still to be evaluated. */
void lanes_advance(LaneBatch *batch);
/* The parts of lanes_evaluate: terminal, legal and goals; the next states; what roles perceive. */
void lanes_evaluate_answers(LaneBatch *batch);
void lanes_evaluate_next(LaneBatch *batch);
void lanes_evaluate_percepts(LaneBatch *batch);

/* Compares one lane with what a work says about the same state and moves. */
bool lanes_agree(const LaneBatch *batch, uint32_t lane, GameWork *work);
