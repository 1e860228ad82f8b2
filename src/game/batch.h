/* Random playouts from many states at once, one result per state, for searches. A start may have a
 * joint move that is played before the random ones. */
#pragma once

#include "game/game.h"

typedef struct {
    const State *state;
    const uint32_t *moves; /* one per role, played first; NULL for none */
} PlayoutStart;

typedef struct {
    MatchEnd end;
    uint32_t length; /* turns, the first moves included */
    int *goals;      /* one per role: value, GOAL_NONE or GOAL_SEVERAL; owned by the caller */
    /* Receives the set of the moves that were chosen among several, by number in the circuit, if
     * the networks of the batch show them and the state fits a phase (else none); NULL if not
     * wanted. Owned by the caller. */
    uint64_t *moves;
    State *last; /* receives the last state if the end is MATCH_TOO_LONG, without fluents that
                    nothing depends on; NULL if not wanted; owned by the caller */
} PlayoutResult;

typedef struct Batch Batch;

/* A workspace for one thread; NULL if the game has no circuit. The game must outlive it. */
Batch *batch_create(Game *game, uint64_t seed);
/* Creates a batch with other networks of random play, for instance game_decisive_networks. */
Batch *batch_create_on(Game *game, const TurnNetworks *turn, uint64_t seed);
void batch_free(Batch *batch);

/* Plays every start to its end, 512 at a time; results[i] belongs to starts[i]. */
void batch_play(Batch *batch, const PlayoutStart *starts, size_t count, uint32_t step_limit,
                PlayoutResult *results);

/* The states of one playout, from the start of random play to its end. Only the fluents in `known`
 * are valid; nothing depends on the others. */
typedef struct {
    VECTOR(State) states;
    State known;
} PlayoutTrail;

/* Finds the states of playout `which` of the last batch_play, which must have had the same starts
 * and limit. All playouts are repeated with the same random numbers. */
void batch_retrace(Batch *batch, const PlayoutStart *starts, size_t count, uint32_t step_limit,
                   PlayoutResult *results, size_t which, PlayoutTrail *trail);
void batch_trail_free(PlayoutTrail *trail);
