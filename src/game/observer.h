/* Random play that can be watched: 512 matches in step, with the states before and after a turn and
 * the moves of all lanes open to a visitor. The visitor may also ask what would have happened, had
 * one role chosen another of its legal moves and nobody else: the experiment that tells the effects
 * of a move from what would have happened anyway. */
#pragma once

#include "base/clock.h"
#include "game/game.h"
#include "game/lanes.h"
#include "game/mask.h"
#include "game/recorder.h"

typedef struct Observer Observer;

typedef struct {
    const Lanes *state, *next; /* by fluent */
    const uint32_t *moves; /* of lane l and role r at l * role_count + r: numbers of the circuit */
    const uint32_t *options; /* in the same places: how many legal moves there were */
    LaneMask playing;        /* the lanes in which this turn was played */
    uint32_t turn;           /* the same in all lanes, 0 for the first */
} ObservedTurn;

typedef struct {
    const Lanes *next;     /* by fluent; valid until the next question */
    const uint32_t *moves; /* by lane: the other move of the role */
    LaneMask lanes;        /* those in which the role had another move */
} OtherTurn;

typedef struct {
    void (*turn)(void *context, Observer *observer, const ObservedTurn *turn);
    void *context;
} Visitor;

typedef struct {
    uint64_t playouts, moves, unfinished;
} ObservedCounts;

/* A workspace for one thread; the game must have a circuit. */
Observer *observer_create(Game *game, uint64_t seed);
void observer_free(Observer *observer);

/* From now on the matches are those of the recorder, which must outlive the observer. They are
 * checked: if a move is not legal, or a match does not end where it should, or, in the first
 * matches, a state is not the one that follows, the observer plays by itself again. */
void observer_use_recorder(Observer *observer, const MatchRecorder *recorder);
/* Whether the matches of the recorder were all right so far. */
bool observer_trusts_recorder(const Observer *observer);

/* Plays up to 512 matches from the state (NULL: the initial one), each to its end, to the step
 * limit (0: none) or to the deadline, and adds to the counts. */
void observer_play(Observer *observer, const State *start, uint32_t matches, uint32_t step_limit,
                   Deadline deadline, const Visitor *visitor, ObservedCounts *counts);

/* For visitors: the same turn with another random legal move of one role. */
OtherTurn observer_other(Observer *observer, uint32_t role);
