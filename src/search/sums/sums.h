/* Sums of games of two players, solved exactly. A part is a subgame of the sum. Each part is
 * explored by itself for every order in which the players may move in it (the turn-move sequences
 * of Zhao, Schiffel and Thielscher 2009; they are not listed here). Two states of a part are in one
 * class if they have the same local concepts and, whoever is to move, lead to the same classes
 * (bisimulation). Then each can replace the other in any sum: mirrored boards, for instance, or
 * boards on which nobody can win any more. The whole game becomes combinations of classes. */
#pragma once

#include "search/search.h"

/* There are two kinds of sums:
 *
 *   in turn    one player chooses, in any part: backward induction over combinations of classes
 *   in step    each player has one part to move in: parts are solved one by one, if goals are sums
 *              over the parts and the match ends exactly when all parts have ended
 *
 * That the game is such a sum is proven on the circuit (sumparts.h) or by visiting everything
 * reachable; the goals of both players must have a constant sum. Without a proof there is no
 * answer, so an answer is never wrong. */

typedef struct Sums Sums;

/* Units of work that one playout of a budget pays for. A unit is a look-up, or a few dozen
 * evaluated nodes of the circuit; so many take 0.1 to 0.2 milliseconds (untuned). */
enum { SUMS_WORK_PER_PLAYOUT = 10000 };

/* Looks for a sum in matches that go on from the state. Returns NULL if the game is not found to
 * fall into parts before the budget's deadline passes or it is stopped. The work has a fixed bound
 * as well (sumparts.h), which does not depend on the budget's playouts. The game must have a
 * circuit, and outlive the sums. Nothing is solved yet. The solution is given up when it needs more
 * than `byte_limit` bytes. */
Sums *sums_create(Game *game, const State *state, size_t byte_limit, const SearchBudget *budget);
void sums_free(Sums *sums);

typedef struct {
    uint32_t move;
    int value; /* the role's goal after the move under perfect play */
} SumMove;
typedef VECTOR(SumMove) SumMoves;

/* Computes the value of every legal move of the role. The state must not be terminal. False if no
 * match leads to the state from the first one, or if the values are not known when the budget is
 * spent or stopped. With a number of playouts, the budget pays for SUMS_WORK_PER_PLAYOUT units of
 * work each. Results so far are kept for the next call. */
bool sums_moves(Sums *sums, const State *state, uint32_t role, const SearchBudget *budget,
                SumMoves *moves);

/* False once it is known that there will be no answer: the game is no sum, or too large. */
bool sums_may_answer(const Sums *sums);

/* Memory in use, in bytes. */
size_t sums_bytes(const Sums *sums);
