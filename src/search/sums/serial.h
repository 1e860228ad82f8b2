/* Games of two players that consist of stages played one after the other, solved exactly. States
 * with the same residual game (residual.h) are one position. So all ends of the first stage that
 * mean the same for the next one lead to the same position, and the later stage is solved once for
 * each meaning. The solution is backward induction over everything reachable, so every end is seen.
 * There is no answer where a match need not end, where both players choose at once, or where the
 * goals have no constant sum. An answer is never wrong. */
#pragma once

#include "search/sums/sums.h"

typedef struct Serial Serial;

/* Looks for stages in matches that go on from the state. Returns NULL unless random matches show
 * two stages with different moves before the budget is spent or stopped: in other games too few
 * states share a residual game to make the effort worthwhile. Nothing is solved yet. The
 * solution is given up when it needs more than `byte_limit` bytes. The game has a circuit and
 * outlives it. */
Serial *serial_create(Game *game, const State *state, size_t byte_limit, uint64_t seed,
                      const SearchBudget *budget);
void serial_free(Serial *serial);

/* Computes the value of every legal move of the role, as sums_moves does. */
bool serial_moves(Serial *serial, const State *state, uint32_t role, const SearchBudget *budget,
                  SumMoves *moves);

/* True if the move was seen in a stage after the first. */
bool serial_is_later(const Serial *serial, uint32_t role, uint32_t move);
/* Looks up the goals of both roles under perfect play in a state of a later stage. False if they
 * are not known; then the next call of serial_moves solves this state first. */
bool serial_goals(Serial *serial, const State *state, int goals[2]);
/* Forgets the states that serial_goals was asked about, since the match has moved on. */
void serial_forget_wanted(Serial *serial);

/* False once it has turned out that there will be no answer. */
bool serial_is_open(const Serial *serial);
size_t serial_bytes(const Serial *serial);
