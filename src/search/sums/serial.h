/* Games of two players that are played one after the other, solved part by part: the later part
 * once for each way in which what was before still counts, then the part before it with those
 * values at its end. The parts are not cut out; states of which the same is left (residual.h) are
 * one, so all ends of the first part that mean the same for the rest lead to the same entry of the
 * second. Backward induction over all that can be reached, so that every end is seen: where a match
 * need not end, both choose at once or the goals have no constant sum, there is no answer. So an
 * answer is never wrong. */
#pragma once

#include "search/sums/sums.h"

typedef struct Serial Serial;

/* For the matches that go on from the state. NULL unless random matches show two stages, the moves
 * of one being others than those of the other, before the budget's deadline passes or it is
 * stopped: elsewhere states of which the same is left are too few to be worth it. Nothing is solved
 * yet. What would take more than `byte_limit` bytes is given up. The game must have a circuit, and
 * outlive the series. */
Serial *serial_create(Game *game, const State *state, size_t byte_limit, uint64_t seed,
                      const SearchBudget *budget);
void serial_free(Serial *series);

/* What every legal move of the role is worth, as of sums_moves. */
bool serial_moves(Serial *series, const State *state, uint32_t role, const SearchBudget *budget,
                  SumMoves *moves);

/* Whether the move is one of a stage after the first, so far as was seen. */
bool serial_is_later(const Serial *series, uint32_t role, uint32_t move);
/* The goals of both roles in a state of a later stage if both play well, if that is known: a
 * look-up. If not, the next question looks into it first, before the state that it is about. */
bool serial_goals(Serial *series, const State *state, int goals[2]);
/* Where the match has gone on, states that were asked about may be out of reach: no question looks
 * into them any more. */
void serial_forget_wanted(Serial *series);

/* False once it has turned out that there will be no answer. */
bool serial_is_open(const Serial *series);
size_t serial_bytes(const Serial *series);

typedef struct {
    uint64_t states;    /* looked at */
    uint64_t residuals; /* different ones among them */
} SerialCounts;

SerialCounts serial_counts(const Serial *series);
