/* Everything that learns, behind one call: examples in, a network out. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "learn/networks/neural_network.h"

typedef struct {
    uint64_t seed;
    Deadline deadline;   /* by which it should end; {0}: when it is done */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
    uint32_t effort;     /* generations or passes over the examples; 0: the learner's default */
    uint32_t hidden;     /* units, for those that have a fixed number; 0: the default */
    Pool *pool;
    const Examples *held_out; /* rows that learners by gradient may choose by; NULL: none */
} LearnOptions;

static inline bool learn_is_over(const LearnOptions *options) {
    return (options->deadline.at > 0 && deadline_passed(options->deadline)) ||
           (options->stopped && __atomic_load_n(options->stopped, __ATOMIC_RELAXED));
}

typedef struct {
    const char *name, *summary;
    /* Fills the network, which has an output for each output of the examples. */
    void (*train)(const Examples *examples, const LearnOptions *options, Network *network);
} Learner;

/* NULL at the end. */
extern const Learner *const learners[];
/* NULL if there is none of that name. */
const Learner *learner_find(const char *name);
