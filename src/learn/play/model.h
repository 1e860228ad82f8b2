/* A learnt evaluation: facts by their texts, features over them, a network over the features, and
 * the goals that its outputs 0..1 stand for; or, in place of features and network, dense layers
 * that know moves as well. It is a text file, specified in docs/reference/formats.md; who reads
 * one believes nothing of it before every number is checked. */
#pragma once

#include "learn/data/features.h"
#include "learn/networks/dense_layers.h"
#include "learn/networks/neural_network.h"

enum {
    MODEL_MOST_FEATURES = 1 << 16,
    MODEL_MOST_LITERALS = 1 << 20,
    MODEL_MOST_GROUPS = 1 << 10, /* of moves */
    MODEL_MOST_NODES = 1 << 12,
    MODEL_MOST_EDGES = 1 << 22
};

/* How a search with the model did against the same search without it. */
typedef struct {
    uint64_t matches, wins, draws; /* of the side with the model */
} GateResult;

/* How a search is to use it: see search/evaluation.h. */
typedef struct {
    uint32_t playout_turns;
    double prior_visits, bias, leaf_share;
} ModelUse;

typedef struct {
    char *learner; /* what made it, one word */
    Symbols facts;
    Features features;
    Network network; /* an output for each role */
    /* NULL, or in place of both: facts are its inputs, and its outputs a value for each role, then
     * the moves of the first role, and so on (policy.h). */
    Dense *dense;
    Symbols moves[DATASET_MOST_ROLES];
    uint32_t role_count;
    ScoreRange ranges[DATASET_MOST_ROLES];
    ModelUse use;
    bool is_gated;   /* it is used only if the gate is open; else nobody asked for one */
    GateResult gate; /* no matches: nothing was measured */
} Model;

/* An empty one with the facts of the set and the range of its scores. */
Model *model_create(const char *learner, const DataSet *set);
void model_free(Model *model);

void model_write(const Model *model, Text *out);
/* NULL with the reason in the report. Takes the source over. */
Model *model_read(Source *source, Report *report);

/* The rows of a set as the model sees them: facts are matched by their texts. The game of the set
 * must be there if the model counts moves; else it may be NULL. */
Examples *model_examples(const Model *model, Game *game, const DataSet *set, Weighing weighing);

/* The goal behind a value of an output. */
static inline double model_goal(const Model *model, uint32_t role, double value) {
    const ScoreRange *range = &model->ranges[role];
    return range->lowest + value * (range->highest - range->lowest);
}
