/* Evaluates up to 512 states in one pass, each with a joint move if wanted. Searches use it to look
 * ahead, tests to compare every lane of the sliced kernels with the scalar reasoner. */
#pragma once

#include "circuit/kernel.h"
#include "game/game.h"

typedef struct LaneBatch LaneBatch;

/* Called by game.c, which owns the kernels. */
/* `stopped` is as for lut_map. */
LaneKernels *lane_kernels_create(const Circuit *circuit, KernelKind kind, const bool *stopped);
void lane_kernels_free(LaneKernels *kernels);

/* A workspace for one thread. The game must have a circuit. */
LaneBatch *lane_batch_create(Game *game);
void lane_batch_free(LaneBatch *batch);

/* Empties all lanes. */
void lane_batch_clear(LaneBatch *batch);
/* Puts a state into a lane, with one move per role, or NULL if no next state is wanted. */
void lane_batch_set(LaneBatch *batch, uint32_t lane, const State *state, const uint32_t *moves);
/* Puts one state into the lanes first to end - 1; lane_batch_set_moves adds moves. */
void lane_batch_fill(LaneBatch *batch, uint32_t first, uint32_t end, const State *state);
void lane_batch_set_moves(LaneBatch *batch, uint32_t lane, const uint32_t *moves);
void lane_batch_evaluate(LaneBatch *batch);

bool lane_batch_is_terminal(const LaneBatch *batch, uint32_t lane);
void lane_batch_legal(const LaneBatch *batch, uint32_t lane, uint32_t role, U32Vector *moves);
int lane_batch_goal(const LaneBatch *batch, uint32_t lane, uint32_t role);
/* Only for lanes with moves. */
void lane_batch_next(const LaneBatch *batch, uint32_t lane, State *next);
/* The next states of the first lanes, one after the other in as many words as fluents need: much
 * faster than one by one. */
void lane_batch_next_words(const LaneBatch *batch, uint32_t count, uint64_t *words);
/* Writes what game_percept_keys writes; only for lanes with moves. */
void lane_batch_percept_keys(const LaneBatch *batch, uint32_t lane, uint64_t *keys);

/* Direct access to all lanes: row i is fluent i or move i of the circuit, bit l of a row is lane l.
 * A caller that fills the rows of moves sets one move per role and lane. */
Lanes *lane_batch_fluent_rows(LaneBatch *batch);
Lanes *lane_batch_move_rows(LaneBatch *batch);
const Lanes *lane_batch_terminal_row(const LaneBatch *batch);
const Lanes *lane_batch_legal_rows(const LaneBatch *batch);
const Lanes *lane_batch_next_rows(const LaneBatch *batch);
Lanes *lane_batch_percept_rows(LaneBatch *batch);
/* Makes the next states the current ones, without moves and not yet evaluated. */
void lane_batch_advance(LaneBatch *batch);
/* The steps of lane_batch_evaluate: terminal, legal and goals; the next states; percepts. */
void lane_batch_evaluate_answers(LaneBatch *batch);
void lane_batch_evaluate_next(LaneBatch *batch);
void lane_batch_evaluate_percepts(LaneBatch *batch);

/* True if a lane gives the same answers as a GameWork for the same state and moves. */
bool lane_batch_agree(const LaneBatch *batch, uint32_t lane, GameWork *work);
