/* Sums of games of two players, solved exactly: each part by itself for every order in which the
 * players may move in it (the turn-move sequences of Zhao, Schiffel and Thielscher 2009), then all
 * together. Sequences are not listed. Two states of a part are the same if they have the same local
 * concepts and, whoever is to move, lead to states that are the same: then they can stand for each
 * other in any sum (bisimulation), as mirrored boards do, or boards on which nobody can win any
 * more. What is left of the whole game are combinations of such classes.
 *
 *   in turn    one player chooses, in any part: backward induction over combinations of classes
 *   in step    each player has one part to move in: parts are solved one by one, if the goals are
 *              sums of what the parts bring and nothing but the end of all parts ends the match
 *
 * That the game is such a sum is proven on the circuit (sumparts.h) or by visiting all that can be
 * reached; the goals of both players must have a constant sum. Where something is not proven there
 * is no answer, so an answer is never wrong. */
#pragma once

#include "search/search.h"

typedef struct Sums Sums;

/* What a playout of a budget is worth here, in units of work: a unit is a look-up, or a few dozen
 * nodes of the circuit evaluated, and all of them a tenth of a millisecond or two. */
enum { SUMS_WORK_OF_PLAYOUT = 10000 };

/* For the matches that go on from the state. NULL if the game does not fall into parts, so far as
 * can be seen until the budget's deadline passes or it is stopped; the work has a fixed bound
 * besides (sumparts.h), whatever the playouts. The game must have a circuit, and outlive the sums.
 * Nothing is solved yet. What would take more than `byte_limit` bytes is given up. */
Sums *sums_create(Game *game, const State *state, size_t byte_limit, const SearchBudget *budget);
void sums_free(Sums *sums);

typedef struct {
    uint32_t move;
    int value; /* the goal of the role if it makes the move and both play well then */
} SumMove;
typedef VECTOR(SumMove) SumMoves;

/* What every legal move of the role is worth in a state that is not terminal and that a match can
 * come to from where the sums began. False if it is seen that none can, or if that is not known
 * when the budget is spent or stopped: by its deadline, or after SUMS_WORK_OF_PLAYOUT units
 * for each of its playouts, if it counts them. What was found out is kept for the next time. */
bool sums_moves(Sums *sums, const State *state, uint32_t role, const SearchBudget *budget,
                SumMoves *moves);

/* False once it has turned out that there will be no answer: the game is no such sum after all, or
 * too large for the work or the memory allowed. */
bool sums_are_open(const Sums *sums);

typedef struct {
    uint32_t parts;
    bool is_in_step;
    uint64_t locals, classes,
        positions; /* states of parts, and what is left of them; combinations */
} SumCounts;

SumCounts sums_counts(const Sums *sums);
/* Bytes that they hold. */
size_t sums_bytes(const Sums *sums);
