/* Random play of 512 matches at a time, one per bit lane. Lanes whose match has ended begin a new
 * one while matches are wanted. Every match that was begun is played to its end, so that averages
 * are not biased towards short matches. */
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "circuit/turn.h"

typedef struct {
    uint64_t playouts;     /* finished in a terminal state */
    uint64_t moves;        /* turns of all matches */
    uint64_t stuck;        /* given up: a role had no legal move */
    uint64_t too_long;     /* given up: past the step limit */
    uint64_t *goal_counts; /* by goal of the circuit: terminal states in which it held */
    uint64_t unfinished;   /* matches abandoned when time was up; only their moves are counted */
    uint64_t passes;       /* evaluations of all lanes together; on a GPU, launches */
} PlayoutCounts;

typedef struct {
    uint64_t playouts;   /* matches to begin at most; 0: as many as time allows */
    Deadline deadline;   /* no match begins after it */
    uint32_t step_limit; /* a match of at least so many turns is given up; 0: never */
    bool (*stopped)(
        void *context); /* polled: true ends the play as the deadline does; may be NULL */
    void *context;
    double grace; /* seconds after the deadline when unfinished matches are abandoned; 0: never */
} PlayoutBudget;

/* The lanes of random play. Two arrays alternate as the current and the next state. */
typedef struct {
    const Turn *turn;
    Lanes *state, *other, *goals, *scratch;
} TurnArea;

TurnArea turn_area_create(const Turn *turn);
void turn_area_free(TurnArea *area);

typedef struct Sliced Sliced;

/* A workspace for one thread. */
Sliced *sliced_create(const Turn *turn, uint64_t seed);
void sliced_free(Sliced *sliced);
/* Plays from the initial state and adds to the counts (goal_counts must have room). */
void sliced_play(Sliced *sliced, const PlayoutBudget *budget, PlayoutCounts *counts);
