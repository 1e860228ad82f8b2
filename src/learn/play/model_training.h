/* Learns an evaluation for a game within a time limit: collects data, trains a model and measures
 * in matches whether it helps. Used by verbs, studies and the player. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "learn/play/model.h"
#include "search/search.h"

/* Features of a model besides single facts. */
enum {
    MODEL_FEATURES_COUNTS = 1, /* shares of groups of facts */
    MODEL_FEATURES_RULES = 2,  /* sub-goals of the rules */
    MODEL_FEATURES_MINED = 4,  /* significant conjunctions (mining.h) */
    MODEL_FEATURES_MOVES = 8   /* numbers of legal moves */
};

typedef struct {
    const char *learner;     /* NULL: mlp */
    unsigned feature_kinds;  /* sum of MODEL_FEATURES_ constants */
    uint32_t effort, hidden; /* options of the learner; 0: its defaults */
    uint64_t seed;
    bool is_all;         /* trains on all rows, without early stopping */
    Deadline deadline;   /* {0}: none */
    const bool *stopped; /* set by another thread to end training; NULL: nobody does */
    Pool *pool;
} TrainOptions;

/* Trains a model on the set. With the game, whose fluents are the facts with the same numbers,
 * images of states under symmetries are added and rare states weigh more. The game may be NULL. */
Model *model_train(Game *game, const DataSet *set, const TrainOptions *options);

typedef struct {
    const SearchMethod *method; /* search that will use the model; NULL: uct */
    double seconds;             /* wall-clock time for all steps together */
    size_t rows;                /* states to collect, at most; 0: as time allows */
    double move_seconds;        /* CPU time per move in the matches for acceptance, at least */
    uint64_t matches;           /* matches for acceptance, at most */
    uint64_t seed;
    const bool *stopped; /* set by another thread to end; NULL: nobody does */
    /* Called before each step: "data" and "training" in each round, "matches". NULL: not called. */
    void (*on_step)(void *context, const char *step);
    void *context;
    Pool *pool;
} ModelLearnOptions;

/* True if the game has two players, no hidden information and a circuit. */
bool model_can_be_learnt(const Game *game);

/* Collects states from self-play of UCT in a part of the time. NULL if no match reached its end. */
DataSet *model_collect_data(Game *game, const ModelLearnOptions *options);
/* Training options of a model for play. */
TrainOptions model_train_options(const ModelLearnOptions *options);
/* All steps: a model trained in two rounds, the second on self-play of a search with the model of
 * the first, with the result of acceptance. NULL if there was no data. */
Model *model_learn(Game *game, const ModelLearnOptions *options);
