/* A model at work in a search. Every thread keeps the last state it looked at, the counters of the
 * features and the sums of the first nodes; a state that differs in a few fluents costs the rows of
 * the features that changed (the idea of NNUE, Nasu 2018). Models with dense layers are asked anew
 * about each batch of states (policy.h). */
#pragma once

#include "learn/play/model.h"
#include "search/evaluation.h"

typedef struct Evaluator Evaluator;

/* The model must outlive it. */
Evaluator *evaluator_create(const Model *model);
void evaluator_free(Evaluator *evaluator);

/* Whether the model is about this game: as many roles, and fluents by the names of its facts. */
bool evaluator_fits(const Evaluator *evaluator, Game *game);

/* For SearchOptions.evaluation, with the numbers of the model's use. Valid as long as the
 * evaluator.
 */
SearchEvaluation evaluator_interface(Evaluator *evaluator);

/* The same for whoever asks about single states: one thread's memory. For models with features. */
typedef struct EvaluatorWork EvaluatorWork;
EvaluatorWork *evaluator_work(const Evaluator *evaluator, Game *game);
void evaluator_work_free(EvaluatorWork *work);
/* The goals to expect, one a role. */
void evaluator_judge(EvaluatorWork *work, const State *state, double *goals);
