/* From a game to an evaluation that helps: matches for data, training, and the gate, within a
 * clock. What `marelle learn train`, the study of models and the player have in common. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "learn/play/model.h"
#include "search/search.h"

/* What a model looks at besides single facts. */
enum {
    LOOK_AT_COUNTS = 1, /* shares of groups of facts */
    LOOK_AT_RULES = 2,  /* sub-goals of the rules */
    LOOK_AT_MINED = 4,  /* conjunctions that tell, by counting */
    LOOK_AT_MOVES = 8   /* how many moves are legal */
};

typedef struct {
    const char *learner; /* NULL: mlp */
    unsigned looks;      /* the sum of what it looks at */
    uint32_t effort, hidden;
    uint64_t seed;
    bool is_all;         /* nothing is held out to stop training in time */
    Deadline deadline;   /* {0}: never */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
    Pool *pool;
} TrainOptions;

/* A model of the set. With its game, whose fluents are the facts under the same numbers, states are
 * mirrored and rare ones count for more; NULL without one. */
Model *apprentice_train(Game *game, const DataSet *set, const TrainOptions *options);

typedef struct {
    const SearchMethod *method; /* that is to be helped; NULL: uct */
    double seconds;      /* of the clock for everything; parts of it are given to each step */
    size_t rows;         /* states to play for at most; 0: as time allows */
    double move_seconds; /* of the processor, in the matches of the gate */
    uint64_t matches;    /* of the gate at most */
    uint64_t seed;
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
    Pool *pool;
} ApprenticeOptions;

/* Whether there is anything to learn: two players, nothing hidden, a circuit. */
bool apprentice_suits(const Game *game);

/* States of matches that UCT plays against itself, half of the clock. NULL if none came to its end.
 */
DataSet *apprentice_collect(Game *game, const ApprenticeOptions *options);
/* How a model for play is trained. */
TrainOptions apprentice_training(const ApprenticeOptions *options);
/* All of it: a model that knows how it did against play without it. NULL if there was no data. */
Model *apprentice_learn(Game *game, const ApprenticeOptions *options);
