/* Learners: each takes examples and returns a network. A learner is one file and one entry in the
 * table of learner.c. The entry lists the options of the learner; the help of `marelle learn`, its
 * errors and the defaults all come from there. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "base/text.h"
#include "learn/networks/neural_network.h"

typedef struct {
    uint64_t seed;
    Deadline deadline;   /* time by which training should end; {0}: no limit */
    const bool *stopped; /* set by another thread to end training; NULL: nobody does */
    /* The learner's own options; 0: the default of its table. */
    uint32_t effort; /* generations of a population, or passes over the examples */
    uint32_t hidden; /* hidden units */
    Pool *pool;
    /* Rows on which the best weights are chosen, not trained on; NULL: none. */
    const Examples *held_out;
} LearnOptions;

/* One option of a learner: a whole number. */
typedef struct {
    const char *key;        /* name on the command line, without its hyphens */
    size_t field;           /* offset of its uint32_t in LearnOptions */
    uint32_t least, most;   /* range, both included */
    uint32_t default_value; /* default; 0: it depends on the examples, as `meaning` says */
    const char *meaning;    /* one line for the help, with the unit */
} LearnerOption;

typedef struct {
    const char *name, *summary;
    const LearnerOption *options; /* ends with an entry without a key */
    /* Fills the network, which gets one output per output of the examples. All options are filled
     * in, except for those whose default depends on the examples. */
    void (*train)(const Examples *examples, const LearnOptions *options, Network *network);
} Learner;

/* All learners; NULL at the end. The first one is the default. */
extern const Learner *const learners[];
/* The names of all learners, separated by |: a choice on the command line. */
extern const char learner_names[];

/* NULL if there is none of that name. */
const Learner *learner_find(const char *name);
/* NULL if the learner has no such option. */
const LearnerOption *learner_option(const Learner *learner, const char *key);
/* Describes all learners with their options, for people: two lines or more per learner. */
void learners_write(Text *out);
/* Fills in the defaults and trains. Options must be in their ranges, or 0. */
void learner_train(const Learner *learner, const Examples *examples, const LearnOptions *options,
                   Network *network);
