/* Random play of 512 matches at a time, one per bit lane. Lanes whose match has ended begin a new
 * one while matches are wanted. Every match that was begun is played to its end, so that averages
 * are not biased towards short matches. */
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "circuit/turn.h"

typedef struct {
    uint64_t playouts;      /* finished in a terminal state */
    uint64_t turns;         /* turns of all matches */
    uint64_t stuck;         /* given up: a role had no legal move */
    uint64_t too_long;      /* given up: past the step limit */
    const int *goal_values; /* by goal of the circuit, as game_goal_values gives them */
    uint64_t *goal_counts;  /* by goal: terminal states in which this was the role's only value */
    uint64_t *several;      /* by role: terminal states in which it had several values */
    uint64_t unfinished;    /* matches abandoned when time was up; not counted above */
    uint64_t unfinished_turns; /* their turns */
    uint64_t passes;           /* evaluations of all lanes together; on a GPU, launches */
} PlayoutCounts;

typedef struct {
    uint64_t playouts;   /* matches to begin at most; 0: as many as time allows */
    Deadline deadline;   /* no match begins after it */
    uint32_t step_limit; /* a match that is not over after so many turns is given up; 0: never */
    bool (*stopped)(
        void *context); /* polled: true ends the play as the deadline does; may be NULL */
    void *context;
    double grace; /* seconds after the deadline when unfinished matches are abandoned; 0: never */
} PlayoutBudget;

typedef struct Sliced Sliced;

/* A workspace for one thread. */
Sliced *sliced_create(const TurnNetworks *turn, uint64_t seed);
void sliced_free(Sliced *sliced);
/* Plays from the initial state and adds to the counts (its arrays must have room). */
void sliced_play(Sliced *sliced, const PlayoutBudget *budget, PlayoutCounts *counts);
