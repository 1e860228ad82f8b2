/* Models that know moves as well as states: dense layers whose inputs are the facts of a state and
 * whose outputs are a value for each role and a weight for each move of each role. What is legal is
 * asked about, nothing else. This part turns states into rows and answers into goals and shares. */
#pragma once

#include "learn/play/model.h"
#include "search/evaluation.h"

/* Whether there can be such a model: nothing hidden, a circuit, not too many roles or moves. */
bool policy_suits(const Game *game);
/* One that knows nothing yet, for a game that suits, whose fluents and moves keep their numbers. */
Model *policy_create(Game *game, uint32_t layers, uint32_t units, uint64_t seed);

/* The numbers of a game in those of a model. */
typedef struct PolicyMap PolicyMap;
/* NULL if the model is about another game. The model must outlive it. */
PolicyMap *policy_map_create(const Model *model, Game *game);
void policy_map_free(PolicyMap *map);

/* The groups of a row: values, then the moves of each role that has a choice. */
static inline uint32_t policy_groups(const Model *model) {
    return 1 + model->role_count;
}

/* The output of a move. */
uint32_t policy_output(const PolicyMap *map, uint32_t role, uint32_t move);
/* Adds a row for what is asked to a batch. */
void policy_ask(const PolicyMap *map, const Advice *asked, DenseBatch *batch);
/* Fills the advice in from the sums of its row, which are changed. */
void policy_answer(const PolicyMap *map, const DenseBatch *batch, uint32_t row, float *sums,
                   const Advice *asked);

/* For SearchOptions.evaluation; valid as long as the model. */
SearchEvaluation policy_interface(const Model *model);
