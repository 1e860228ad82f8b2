/* Models with a policy: dense layers whose inputs are the facts of a state and whose outputs are
 * one value per role and one weight per move of each role. Only legal moves are evaluated. This
 * file turns states into rows of a batch and outputs into goals and move probabilities. */
#pragma once

#include "learn/play/model.h"
#include "search/evaluation.h"

/* True for games with a circuit, without hidden information, with not too many roles and moves. */
bool policy_suits(const Game *game);
/* An untrained model, with fluents and moves numbered as in the game; NULL if it is too large. */
Model *policy_create(Game *game, uint32_t layers, uint32_t units, uint64_t seed);

/* Maps fluents and moves of a game to inputs and outputs of a model. */
typedef struct PolicyMap PolicyMap;
/* NULL if the model is for another game. The model must outlive the map. */
PolicyMap *policy_map_create(const Model *model, Game *game);
void policy_map_free(PolicyMap *map);

/* The number of groups of a row: the values, then the moves of each role with a choice. */
static inline uint32_t policy_groups(const Model *model) {
    return 1 + model->role_count;
}

/* The number of the output for a move. */
uint32_t policy_output(const PolicyMap *map, uint32_t role, uint32_t move);
/* Adds the row of a request to a batch. */
void policy_ask(const PolicyMap *map, const Advice *asked, DenseBatch *batch);
/* Fills in the advice from the sums of its row, which are changed. */
void policy_answer(const PolicyMap *map, const DenseBatch *batch, uint32_t row, float *sums,
                   const Advice *asked);

/* The model as an evaluation for SearchOptions; valid as long as the model. */
SearchEvaluation policy_interface(const Model *model);
