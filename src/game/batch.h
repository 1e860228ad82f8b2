/* Random playouts from many states at once, one result each: what searches feed on. A state may
 * come with a first move for every role, which is played before the random ones. */
#pragma once

#include "game/game.h"

typedef struct {
    const State *state;
    const uint32_t *moves; /* one a role, played first; NULL for none */
} PlayoutStart;

typedef struct {
    MatchEnd end;
    uint32_t length; /* turns, the first moves included */
    int *goals;      /* one a role: value, GOAL_NONE or GOAL_SEVERAL; owned by the caller */
    State *last;     /* filled if the end is MATCH_TOO_LONG, but for fluents that nothing depends
                        on; NULL if not wanted; owned by the caller */
} PlayoutResult;

typedef struct Batch Batch;

/* A workspace for one thread; NULL if the game has no circuit. The game must outlive it. */
Batch *batch_create(Game *game, uint64_t seed);
void batch_free(Batch *batch);

/* Plays every start to its end, 512 at a time; results[i] belongs to starts[i]. */
void batch_play(Batch *batch, const PlayoutStart *starts, size_t count, uint32_t step_limit,
                PlayoutResult *results);

/* The states of one playout, from the one where random play began to its end. They tell of the
 * fluents in `known` only: nothing depends on the others. */
typedef struct {
    VECTOR(State) states;
    State known;
} PlayoutTrail;

/* The way of playout `which` of the last call of batch_play, which must have had the same starts
 * and limit: all are played once more with the same random numbers. */
void batch_retrace(Batch *batch, const PlayoutStart *starts, size_t count, uint32_t step_limit,
                   PlayoutResult *results, size_t which, PlayoutTrail *trail);
void batch_trail_free(PlayoutTrail *trail);
