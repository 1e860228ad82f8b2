/* Shared by the studies of learning time: a model with values only, learnt on one core. */
#pragma once

#include "cli/studies/experiment.h"
#include "learn/play/acceptance.h"

typedef struct {
    size_t states;
    uint32_t worth; /* playouts per state that predict as well as the model; 0: not measured */
    double seconds; /* CPU time used */
} MinutesLearnt;

/* Learns a model in that many CPU seconds on one core. The matches for acceptance, whose time does
 * not count, choose how the model is used. NULL if there was nothing to learn from. */
Model *minutes_learn(Game *game, double seconds, uint64_t seed, const AcceptanceOptions *acceptance,
                     Pool *pool, MinutesLearnt *learnt);
/* The name that the studies give to the use of a model. */
const char *minutes_use(const Model *model);

/* Adds the table of all finished runs: the game, the columns `columns`, and in the last two the
 * share of points and its interval. */
void minutes_add_table(ExperimentWork *work, const ResultRows *runs, const char *name,
                       const char *const *columns, Text *page);
