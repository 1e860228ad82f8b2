/* A genetic algorithm on one weight a fact: the thesis's first learner. The sum of the weights of
 * the facts that hold, clamped, is the score of one role. The version that was published has a
 * slip: its perturbation of weights adds nothing. Reproducing it means keeping the slip; the
 * repaired version perturbs, flips signs, samples without bias and keeps its best. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "learn/networks/neural_network.h"

typedef struct {
    uint32_t population;  /* 0: 100; made even */
    uint32_t generations; /* 0: 1000 */
    double crossover, mutation;
    bool is_repaired;
    bool squares; /* fitness by (4.4) in place of (4.3) */
    uint64_t seed;
    Deadline deadline; /* ends a run early; {0}: never */
} GeneticOptions;

typedef struct {
    double start_lowest, start_mean, start_highest; /* of the first generation */
    double end_lowest, end_mean, end_highest;       /* of the last */
    double best;                                    /* ever */
    uint32_t best_generation;                       /* from 1 */
    uint32_t near_generation;                       /* the first within a point of the best ever */
    uint64_t evaluations;
    double crossover, mutation; /* the setting */
    double cpu_seconds;
    VECTOR(double) weights; /* of the best ever */
} GeneticRun;

/* The fitness of given weights on one output of the matrix. */
double genetic_fitness(const Matrix *matrix, uint32_t output, const double *weights, bool squares);

/* One run for one output. Free the run. */
void genetic_run(const Matrix *matrix, uint32_t output, const GeneticOptions *options,
                 GeneticRun *run);
void genetic_run_free(GeneticRun *run);

enum { GENETIC_SETTINGS = 16 };
/* All sixteen settings of the thesis, in parallel; runs[i] belongs to setting i whatever the number
 * of threads. Returns the index of the best. */
size_t genetic_run_settings(const Matrix *matrix, uint32_t output, const GeneticOptions *options,
                            Pool *pool, GeneticRun runs[GENETIC_SETTINGS]);
