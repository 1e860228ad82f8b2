/* Recovers the moves of a random match that was played in a batch (game/batch.h), in a game of one
 * role. A batch keeps no moves; only the states of the match are available, by playing it again. So
 * all legal moves are tried at once in each state, and the one that leads to the next state is the
 * move that was made (or one with the same effect). */
#pragma once

#include "game/batch.h"
#include "search/search.h"
#include "search/single/lookahead.h"

typedef struct {
    LookAhead ahead;
    PlayoutTrail trail;
    State state; /* scratch */
    U32Vector legal;
} Retracer;

/* The game must have one role and a circuit. */
void retracer_init(Retracer *retracer, Game *game);
void retracer_free(Retracer *retracer);

/* Lists the moves of playout `which` of the batch just played (see batch_retrace), including the
 * first move that its start prescribes. False if the budget's time was too short. */
bool retracer_moves(Retracer *retracer, Batch *batch, const PlayoutStart *starts, size_t count,
                    uint32_t step_limit, PlayoutResult *results, size_t which,
                    const SearchBudget *budget, U32Vector *moves);
