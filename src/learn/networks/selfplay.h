/* Learning from matches of a search against itself (Silver et al. 2017): hundreds of matches at a
 * time, each with a tree of its own whose leaves are judged and whose moves are proposed by the
 * network as it is; the leaves of all trees make one batch. What the searches decided and how the
 * matches ended is what the network learns meanwhile.
 *
 * Memory is bounded whatever the game: 1 GB for the window of positions, of which the oldest fall
 * out; 1 GB for the positions of matches under way, each of which keeps a sample of its own if its
 * share is too small; 2 GB for all trees, 4 MB for one. A tree that is full grows no further.
 *
 * With a number of matches in place of a time, the processor as the engine and one seed, there is
 * one result, whatever the number of threads and however fast they are: symmetries, for which there
 * are 5 seconds otherwise, are then looked for as long as it takes. */
#pragma once

#include "base/clock.h"
#include "learn/networks/policy_model.h"

typedef struct {
    uint64_t matches, given_up; /* that ended; that were stuck or too long */
    uint64_t positions;         /* of the matches that ended */
    uint64_t evaluations;       /* of leaves, by the network */
    uint64_t steps;             /* of training */
    uint64_t sound_steps;       /* after which the network was last seen to be sound */
    bool has_diverged;          /* it is not any more; the run has ended */
    double loss;                /* mean of the last steps */
    double mean_length;         /* turns of a match */
    double seconds;             /* so far */
} SelfplayCounts;

typedef struct {
    uint64_t matches;    /* to begin at most; 0: as many as time allows */
    Deadline deadline;   /* {0}: never */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
    uint64_t seed;
    uint32_t visits;     /* of a search for a move; 0: 100 */
    uint32_t at_once;    /* matches; 0: 128 */
    double rate;         /* of the first steps of training; 0: 0.001 */
    size_t lesson_bytes; /* for positions of matches under way; 0: 1 GB */
    Pool *pool;
    /* Is told how things stand some times a second; may ask the engine for the network. NULL:
     * nobody is. */
    void (*watch)(void *context, const SelfplayCounts *counts);
    void *context;
} SelfplayOptions;

/* Trains the model of policy_create for that game in the engine, which holds its network, and
 * leaves the result in the model: if training diverged, the network of sound_steps. False if the
 * engine failed. */
bool selfplay_learn(Game *game, Model *model, const DenseEngine *engine,
                    const SelfplayOptions *options, SelfplayCounts *counts);
