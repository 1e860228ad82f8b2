/* A genetic algorithm on one weight per fact, the first learner of the thesis of 2013. The clamped
 * sum of the weights of the facts that hold predicts the score of one role. The published version,
 * kept to reproduce its results, does not perturb weights. The repaired version perturbs weights,
 * flips signs, samples without bias and keeps its best genome. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "learn/learners/selection.h"
#include "learn/networks/neural_network.h"

typedef struct {
    uint32_t population;        /* rounded up to an even number; 0: 100 */
    uint32_t generations;       /* 0: 1000 */
    double crossover, mutation; /* probabilities, 0..1 */
    bool is_repaired;
    bool squares; /* fitness by squared errors instead of absolute errors */
    uint64_t seed;
    Deadline deadline;   /* {0}: none */
    const bool *stopped; /* set by another thread to end the run; NULL: nobody does */
} GeneticOptions;

typedef struct {
    Spread start, end;        /* fitness of the first and of the last generation */
    double best;              /* best fitness ever */
    uint32_t best_generation; /* counted from 1 */
    uint32_t near_generation; /* the first generation within one point of the best */
    uint64_t evaluations;
    double crossover, mutation; /* setting of the run */
    double cpu_seconds;
    VECTOR(double) weights; /* weights of the best genome ever, by fact */
} GeneticRun;

/* Returns 100 times (1 - mean error) of the weights on one output of the matrix; at most 100. */
double genetic_fitness(const Matrix *matrix, uint32_t output, const double *weights, bool squares);

/* One run for one output. The caller frees its weights. */
void genetic_run(const Matrix *matrix, uint32_t output, const GeneticOptions *options,
                 GeneticRun *run);

enum { GENETIC_SETTINGS = 16 };
/* Runs the sixteen settings of the thesis in parallel. Returns the index of the best run. */
size_t genetic_run_settings(const Matrix *matrix, uint32_t output, const GeneticOptions *options,
                            Pool *pool, GeneticRun runs[GENETIC_SETTINGS]);
