/* NEAT, neuroevolution of augmenting topologies (Stanley and Miikkulainen 2002). Networks start
 * without hidden nodes and grow. They compete within species of similar shapes, so that new shapes
 * have time to tune their weights. Breeding uses one stream of random numbers and networks are
 * evaluated in parallel, so that the number of threads does not change the result. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "learn/learners/genome.h"

typedef struct {
    uint32_t population, generations;
    GenomeOptions genome;
    /* Genomes nearer than this to the representative of a species belong to it; INFINITY: there is
     * one species. It changes by steps if a number of species is wanted. */
    double threshold;
    uint32_t wanted_species; /* number of species to aim at; 0: the threshold is fixed */
    /* Factors of the children of species below `young_age` and above `old_age` (0: none). */
    uint32_t young_age, old_age;
    double young_bonus, old_penalty;
    uint32_t patience; /* generations without progress after which a species gets few children */
    /* Generations without progress after which the population restarts (if `starts_anew`) or only
     * its two best species breed; 0: never. Progress is a gain of more than `least_progress`, as a
     * share of the best fitness. */
    uint32_t population_patience;
    double least_progress;
    bool starts_anew;
    /* Generations after which an unsuccessful population restarts in any case; 0: never. For tasks
     * that most runs solve soon and others hardly ever. */
    uint32_t renewal;
    double survival; /* share of a species that breeds, 0..1 */
    /* Probabilities of one parent only, of no mutation, and of a parent of another species. */
    double mutate_only, mate_only, outside_mate;
    /* Number of generations judged by the fitness, then by the guide of the task, in alternation.
     * The last ones are judged by the fitness. If time runs out while the guide judges, the last
     * generation is judged by the fitness, too. 0: no guide. */
    uint32_t generations_per_judge;
    uint32_t champion_size; /* species with more members keep their best genome unchanged */
    bool is_connected;      /* genomes start with links from all inputs to all outputs */
    bool trims;             /* removes the links that a solution does not need */
    /* Hidden nodes of the first genomes; if `starts_at_random` one to this number, with random
     * links. */
    uint32_t start_hidden;
    bool starts_at_random;
    uint64_t seed;
    Deadline deadline;   /* ends breeding and trimming; {0}: none */
    const bool *stopped; /* set by another thread to end the run; NULL: nobody does */
} NeatOptions;

/* For a population of 150 (study: docs/results/neat.md). */
NeatOptions neat_defaults(void);

typedef struct {
    uint32_t input_count, output_count;
    /* The fitness of a network, at least 0; higher is better. Called from several threads. May
     * change weights if `teaches`: the genome inherits them. */
    double (*fitness)(void *context, Network *network, bool *is_solved);
    /* Another measure of the task, used for stretches of generations without a champion. It helps
     * where the fitness has a ridge, along which weights must change together. NULL: none. */
    double (*guide)(void *context, Network *network);
    /* An expensive test whether a network solves the task, if the fitness does not tell. Called for
     * one network per generation: the champion of the best species that has made progress since its
     * last test, unless it is a copy of a tested one. NULL: the fitness tells. */
    bool (*passes)(void *context, const Network *network);
    void *context;
    bool teaches;
} NeatTask;

typedef struct {
    Network champion; /* the first that solved the task, else the fittest ever */
    double fitness;
    bool is_solved;
    uint32_t generation;  /* generation of the champion, from 1 */
    uint64_t evaluations; /* networks evaluated up to the champion that solves the task, else all */
    uint32_t hidden, links; /* live nodes and enabled links of the champion */
    uint32_t trials;        /* networks evaluated while links of the champion were removed */
    uint32_t species;       /* number of species in the last generation */
    double cpu_seconds;     /* CPU time of the calling thread */
} NeatResult;

/* Ends with the first network that solves the task. The caller frees the champion. */
void neat_run(const NeatTask *task, const NeatOptions *options, Pool *pool, NeatResult *result);

/* The task of predicting the rows of a matrix (neat_predict.c). The fitness is 100 times the square
 * of (1 - mean absolute error), as in the thesis of 2013; the guide uses cross-entropy. Solved
 * means all outputs on the right side of 0.5 or, if `until` is above 0, that fitness. */
typedef struct {
    const Matrix *matrix;
    double until;
    /* Gradient steps per network before it is judged, on all rows; 0: none. */
    uint32_t gradient_steps;
    const Examples *examples; /* the rows of the matrix, for the gradient steps */
} NeatPrediction;

NeatTask neat_prediction_task(NeatPrediction *prediction);
