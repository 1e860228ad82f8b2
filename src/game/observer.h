/* Random play that can be watched: 512 matches advance together, and a visitor sees the states
 * before and after each turn and the moves of all lanes. The visitor may also ask for the next
 * state if one role had chosen another legal move: this experiment separates the effects of a move
 * from what happens anyway. */
#pragma once

#include "base/clock.h"
#include "game/game.h"
#include "game/lanes.h"
#include "game/mask.h"
#include "game/recorder.h"

typedef struct Observer Observer;

typedef struct {
    const Lanes *state, *next; /* by fluent */
    const uint32_t *moves;     /* the circuit's number of the move of lane l, role r at
                                  l * role_count + r */
    const uint32_t *options;   /* number of legal moves, in the same order */
    LaneMask playing;          /* the lanes in which this turn was played */
    uint32_t turn;             /* 0 for the first; equal in all lanes */
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
    uint64_t playouts, turns, unfinished;
} ObservedCounts;

/* A workspace for one thread; the game must have a circuit. */
Observer *observer_create(Game *game, uint64_t seed);
void observer_free(Observer *observer);

/* Takes matches from the recorder, which must outlive the observer. They are checked: after an
 * illegal move, a wrong end, or (in the first matches) a wrong state, the observer plays by itself
 * again. */
void observer_use_recorder(Observer *observer, const MatchRecorder *recorder);
/* True if all matches of the recorder were correct so far. */
bool observer_trusts_recorder(const Observer *observer);

/* Plays up to 512 matches from the state (NULL: the initial one), each to its end, to the step
 * limit (0: none) or to the deadline, and adds to the counts. */
void observer_play(Observer *observer, const State *start, uint32_t matches, uint32_t step_limit,
                   Deadline deadline, const Visitor *visitor, ObservedCounts *counts);

/* For visitors: evaluates the current turn with another random legal move of one role. */
OtherTurn observer_other(Observer *observer, uint32_t role);
