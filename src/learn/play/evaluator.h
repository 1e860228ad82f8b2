/* A model as the evaluation of a search. Each thread keeps its last state, the counters of features
 * and the sums of the first nodes. The next state costs one row of weights per feature that changed
 * (NNUE, Nasu 2018). Models with dense layers evaluate whole batches instead (policy_model.h). */
#pragma once

#include "learn/play/model.h"
#include "search/evaluation.h"

typedef struct Evaluator Evaluator;

/* The model must outlive the evaluator. */
Evaluator *evaluator_create(const Model *model);
void evaluator_free(Evaluator *evaluator);

/* True if the model is for this game: equal numbers of roles, and all its facts are fluents. */
bool evaluator_fits(const Evaluator *evaluator, Game *game);

/* The evaluation for SearchOptions, with the parameters of the model's use. Valid as long as the
 * evaluator. */
SearchEvaluation evaluator_interface(Evaluator *evaluator);

/* Evaluates single states with the memory of one thread. Only for models with features. */
typedef struct EvaluatorWork EvaluatorWork;
EvaluatorWork *evaluator_work(const Evaluator *evaluator, Game *game);
void evaluator_work_free(EvaluatorWork *work);
/* The expected goals, one per role. */
void evaluator_evaluate(EvaluatorWork *work, const State *state, double *goals);
