/* Learning from self-play (Silver and others 2017). Over a hundred matches run at a time, each with
 * a search tree of its own. The current network evaluates the leaves and gives the prior of the
 * moves; the leaves of all trees form one batch. The network learns from the visits of the searches
 * and from the results of the matches. */
#pragma once

#include "base/clock.h"
#include "learn/networks/policy_model.h"

/* Memory is bounded: 1 GB for the replay window, which drops the oldest positions; 1 GB for the
 * positions of running matches, each of which keeps a sample if its share is too small; 2 GB for
 * all trees, 4 MB for one. A full tree stops growing.
 *
 * With a number of matches instead of a time limit, on the processor, one seed gives one result,
 * whatever the number of threads and their speed. Finding symmetries, which otherwise takes 5
 * seconds at most, then has no time limit. */

typedef struct {
    uint64_t matches;     /* finished matches */
    uint64_t given_up;    /* matches that got stuck or took too long */
    uint64_t positions;   /* positions of finished matches */
    uint64_t evaluations; /* leaves evaluated by the network */
    uint64_t steps;       /* training steps */
    uint64_t sound_steps; /* training steps of the last network known to be sound */
    bool has_diverged;    /* the network is not sound any more; the run has ended */
    double loss;          /* moving average of the loss over the last steps */
    double mean_length;   /* mean number of turns per match */
    double seconds;       /* wall-clock time so far */
} SelfplayCounts;

typedef struct {
    uint64_t matches;    /* matches to start, at most; 0: as many as time allows */
    Deadline deadline;   /* {0}: none */
    const bool *stopped; /* set by another thread to end the run; NULL: nobody does */
    uint64_t seed;
    uint32_t visits;                /* visits per search; 0: 100 */
    uint32_t at_once;               /* concurrent matches; 0: 128 */
    double rate;                    /* step size at the start of training; 0: 0.001 */
    size_t training_position_bytes; /* memory for positions of matches under way; 0: 1 GB */
    Pool *pool;
    /* Called about twice per second; may fetch the network from the engine. NULL: not called. */
    void (*watch)(void *context, const SelfplayCounts *counts);
    void *context;
} SelfplayOptions;

/* Trains the model, made by policy_create for that game, in the engine, which has its network. If
 * training diverged, the result is the network of sound_steps. False if the engine failed. */
bool selfplay_learn(Game *game, Model *model, const DenseEngine *engine,
                    const SelfplayOptions *options, SelfplayCounts *counts);
