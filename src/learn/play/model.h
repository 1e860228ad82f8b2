/* A model is a learnt evaluation: facts by their texts, features over facts, a network over
 * features and the ranges of goals for its outputs 0..1. Dense layers with a policy may replace
 * features and network. Models are stored as text files, specified in docs/reference/formats.md;
 * the reader checks every number. */
#pragma once

#include "learn/data/features.h"
#include "learn/networks/dense_layers.h"
#include "learn/networks/neural_network.h"

enum {
    MODEL_MAX_FEATURES = 1 << 16,
    MODEL_MAX_LITERALS = 1 << 20,
    MODEL_MAX_GROUPS = 1 << 10, /* groups of moves */
    MODEL_MAX_NODES = 1 << 12,
    MODEL_MAX_EDGES = 1 << 22
};

/* Results of a search with the model against the same search without it. */
typedef struct {
    uint64_t matches, wins, draws; /* wins of the side with the model */
} AcceptanceResult;

/* How a search uses the model: parameters of search/evaluation.h. */
typedef struct {
    uint32_t playout_turns;
    double prior_visits, bias, leaf_share;
} ModelUse;

typedef struct {
    char *learner; /* name of the learner, one word */
    Symbols facts;
    Features features;
    Network network; /* one output per role, 0..1 */
    /* Replaces features and network unless NULL. Its inputs are facts; its outputs are one value
     * per role, then the moves of the first role, and so on (policy_model.h). */
    Dense *dense;
    Symbols moves[DATASET_MAX_ROLES];
    uint32_t role_count;
    ScoreRange ranges[DATASET_MAX_ROLES];
    ModelUse use;
    bool needs_acceptance;       /* true if the model is used only if it is accepted */
    AcceptanceResult acceptance; /* zero matches if it was not measured */
} Model;

/* A model without features, with the facts and the range of scores of the set. */
Model *model_create(const char *learner, const DataSet *set);
void model_free(Model *model);

void model_write(const Model *model, Text *out);
/* NULL with the reason in the report. Takes ownership of the source. */
Model *model_read(Source *source, Report *report);

/* The rows of a set as inputs of the model; facts are matched by their texts. The game of the set
 * may be NULL unless the model counts legal moves. */
Examples *model_examples(const Model *model, Game *game, const DataSet *set, Weighing weighing);

/* How well the model, which is no policy, predicts the rows of such a set. */
Errors model_errors(const Model *model, Game *game, const DataSet *set, Weighing weighing);

/* Converts an output, 0..1, to a goal. */
static inline double model_goal(const Model *model, uint32_t role, double value) {
    assert(role < model->role_count);
    const ScoreRange *range = &model->ranges[role];
    return range->lowest + value * (range->highest - range->lowest);
}
