/* Random matches on several threads, and their statistics. Sliced play counts sums; a reasoner for
 * single states also counts lengths and branching if details are wanted. The threads share the
 * matches evenly, each with a random stream of its own, so that one seed and one number of threads
 * give one result unless the clock ends the play. */
#pragma once

#include "game/game.h"
#include "game/sliced.h"

/* A device other than this processor that plays random matches of a game, like sliced_play. */
typedef struct {
    void (*play)(void *context, const PlayoutBudget *budget, PlayoutCounts *counts);
    void *context;
} MatchDevice;

typedef struct {
    Game *game;
    Reasoner reasoner;         /* auto: sliced if there is a circuit */
    const MatchDevice *device; /* plays if the reasoner is REASONER_GPU, in one thread */
    uint64_t playouts;         /* 0: as many as time allows */
    double seconds;            /* wall-clock time after which no match begins; 0: no limit */
    uint64_t seed;
    const State *from; /* where matches begin, for reasoners of single states; NULL: initially */
    unsigned threads;  /* 0 counts as 1 */
    uint32_t step_limit;
    /* If several processes share the matches: the number of random streams (threads) of all of
     * them, and the first stream of this process; 0 streams: this process is alone. */
    uint32_t streams, first_stream;
    bool details;        /* lengths and branching; not from sliced play */
    const bool *stopped; /* set by another thread or a signal to stop; may be NULL */
    /* Progress, called from any thread: matches played. May be NULL. */
    void (*on_progress)(void *context, uint64_t done);
    void *context;
} MatchPlan;

typedef struct {
    uint32_t role;
    int value; /* may be GOAL_NONE or GOAL_SEVERAL */
    uint64_t count;
} GoalCount;

typedef VECTOR(uint64_t) Counts;

typedef struct {
    Reasoner reasoner;         /* the reasoner that played */
    uint64_t playouts;         /* matches that ended in a terminal state */
    uint64_t stuck, too_long;  /* given up: a role had no legal move; step limit */
    uint64_t turns;            /* turns of all matches */
    uint64_t unfinished;       /* matches abandoned when time was up; not counted above */
    uint64_t unfinished_turns; /* their turns */
    VECTOR(GoalCount) goals;   /* by role, then value */
    Counts lengths;            /* matches by number of turns; with details */
    Counts legal_by_role;      /* sums over all states that had a turn; with details */
    uint64_t states;           /* number of these states */
    double cpu_seconds;        /* CPU time of all threads; wall-clock time on a device */
    /* A device counts goals one by one. True if the values of a role do not add up to the matches,
     * as some had several values or none: then nothing is known of them. */
    bool goals_unknown;
} MatchStatistics;

void matches_play(const MatchPlan *plan, MatchStatistics *matches);
void matches_free(MatchStatistics *matches);
/* Adds the results of `from` to those of `to`. */
void matches_add(MatchStatistics *to, const MatchStatistics *from);

static inline uint64_t matches_count(const MatchStatistics *m) {
    return m->playouts + m->stuck + m->too_long;
}
/* Mean number of turns; 0 without matches. */
double matches_mean_length(const MatchStatistics *matches);
/* The mean of a role's goal values at the end of matches; false if no match had a value. */
bool matches_mean_goal(const MatchStatistics *matches, uint32_t role, double *mean);
