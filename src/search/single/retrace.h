/* The moves of a random match that was played among many at once (game/batch.h), in a game of one
 * role. Only the states on its way can be had, by playing it again; so in each of them all legal
 * moves are tried abreast, and the one that leads to the next state is the one that was made. */
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

/* The moves of playout `which` of the batch just played, as batch_retrace has it, the first move
 * of its start included; false if the budget's time was not enough. */
bool retracer_moves(Retracer *retracer, Batch *batch, const PlayoutStart *starts, size_t count,
                    uint32_t step_limit, PlayoutResult *results, size_t which,
                    const SearchBudget *budget, U32Vector *moves);
