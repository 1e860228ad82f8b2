/* What the studies of minutes of learning share: a model of values alone, by one processor. */
#pragma once

#include "cli/studies/experiment.h"
#include "learn/play/model_gate.h"

typedef struct {
    size_t states;
    uint32_t worth; /* random matches from a state; 0: not measured */
    double seconds; /* of the processor */
} MinutesLearnt;

/* A model that so many seconds of one processor made, and that has chosen how it is used best by
 * the matches of the gate, which do not count. NULL if there was nothing to learn from. */
Model *minutes_learn(Game *game, double seconds, uint64_t seed, const GateOptions *gate, Pool *pool,
                     MinutesLearnt *learnt);
/* The words of the studies for how a model is used. */
const char *minutes_use(const Model *model);

/* Adds the table of all runs that ended: the game, the columns of that name, and in the last two
 * the share of the matches and its interval. */
void minutes_add_table(ExperimentWork *work, const Records *runs, const char *name,
                       const char *const *columns, Text *page);
