/* Random matches on several threads and what they add up to, for all who play many. Sliced
 * play gives sums; a reasoner for single states gives every match as well, if details are wanted.
 * The threads share the matches evenly and have streams of their own, so that one seed and one
 * number of threads give one result unless the clock ends the play. */
#pragma once

#include "game/game.h"
#include "game/sliced.h"

enum { STEP_LIMIT = 10000 }; /* turns after which a match is given up, unless told otherwise */

/* Something other than this processor that plays random matches of a game; like sliced_play. */
typedef struct {
    void (*play)(void *context, const PlayoutBudget *budget, PlayoutCounts *counts);
    void *context;
} MatchDevice;

typedef struct {
    Game *game;
    Reasoner reasoner;         /* auto: sliced if there is a circuit */
    const MatchDevice *device; /* that plays if the reasoner is REASONER_GPU, in one thread */
    uint64_t playouts;         /* 0: as many as time allows */
    double seconds;            /* of wall-clock time, after which none begins; 0: no limit */
    uint64_t seed;
    unsigned threads; /* 0 counts as 1 */
    uint32_t step_limit;
    /* When processes share the matches: streams of all threads of all of them, and the first of
     * this process; 0 streams: it is alone. */
    uint32_t streams, first_stream;
    bool details;        /* lengths and branching; not from sliced play */
    const bool *stopped; /* may be set by another thread or a signal; NULL if nobody will */
    /* Told now and then how far it is, from any thread: matches, or milliseconds if only time is
     * limited. NULL if nobody wants to know. */
    void (*on_progress)(void *context, uint64_t done);
    void *context;
} MatchPlan;

typedef struct {
    uint32_t role;
    int value; /* may be GOAL_NONE or GOAL_SEVERAL */
    uint64_t count;
} GoalCount;

typedef struct {
    Reasoner reasoner;              /* that played */
    uint64_t playouts;              /* that ended in a terminal state */
    uint64_t stuck, too_long;       /* that were given up: a role without a move, step limit */
    uint64_t moves;                 /* turns of all matches */
    uint64_t unfinished;            /* under way when time was up; not counted above */
    uint64_t unfinished_moves;      /* their turns; those of sliced play count as moves */
    VECTOR(GoalCount) goals;        /* by role, then value */
    VECTOR(uint64_t) lengths;       /* matches by number of turns; with details */
    VECTOR(uint64_t) legal_by_role; /* sums over the states in which a move was due; with details */
    uint64_t states;                /* those states */
    double cpu_seconds;             /* of all threads; of wall-clock time on a device */
} Matches;

void matches_play(const MatchPlan *plan, Matches *matches);
void matches_free(Matches *matches);
/* Adds what others have played. */
void matches_add(Matches *to, const Matches *from);

static inline uint64_t matches_count(const Matches *m) {
    return m->playouts + m->stuck + m->too_long;
}
/* Turns of a match, over all of them; 0 if there is none. */
double matches_mean_length(const Matches *matches);
/* The mean of a role's goal values at the end of matches; false if there was none. */
bool matches_mean_goal(const Matches *matches, uint32_t role, double *mean);
