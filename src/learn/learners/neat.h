/* Neuroevolution of augmenting topologies (Stanley and Miikkulainen 2002): networks start without
 * hidden nodes and grow; those of different shape compete within their own species, so that new
 * shapes have time to tune their weights. Breeding uses one stream of random numbers and networks
 * are tried in parallel, so that threads change nothing. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "learn/learners/genome.h"

typedef struct {
    uint32_t population, generations;
    GenomeOptions genome;
    /* Genomes nearer to a species' representative than this belong to it; INFINITY: one species.
     * With a wanted number of species the threshold moves by a step a generation. */
    double threshold;
    uint32_t wanted_species; /* 0: the threshold stays */
    uint32_t young_age, old_age;
    double young_bonus, old_penalty;
    uint32_t patience; /* generations without progress that a species survives */
    /* Generations without progress after which the population starts anew, or only its two best
     * species breed; 0: never. Less than `least_progress`, a share of the best, is none. */
    uint32_t population_patience;
    double least_progress;
    bool starts_anew;
    /* Generations after which a population that has not solved the task starts anew, however well
     * it gets on; 0: never. For tasks that most runs solve soon and others hardly ever. */
    uint32_t renewal;
    double survival; /* share of a species that breeds */
    double mutate_only, mate_only, outside_mate;
    /* Generations by the fitness before as many by the task's guide, and so on; the last ones are
     * by the fitness. Where time ends among guided ones, the last of them is judged by the fitness
     * as well. 0: no guide. */
    uint32_t stretch;
    uint32_t champion_size; /* species of more members keep their best unchanged */
    bool is_connected;      /* inputs are linked to outputs at the start */
    bool trims; /* a network that solves the task loses the links that it can do without */
    /* Hidden nodes at the start: so many between all inputs and all outputs; or, if
     * `starts_at_random`, one at least and so many at most, with links drawn at random. */
    uint32_t start_hidden;
    bool starts_at_random;
    uint64_t seed;
    Deadline deadline;   /* no generation is bred after it, and trimming ends; {0}: never */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
} NeatOptions;

/* With a population of 150; docs/results/neat.md says where they come from. */
NeatOptions neat_defaults(void);

typedef struct {
    uint32_t input_count, output_count;
    /* How fit a network is, at least 0; the higher the better. Called from several threads. May
     * change weights, if `teaches`: the genome inherits them. */
    double (*fitness)(void *context, Network *network, bool *is_solved);
    /* Another measure of the same task for stretches of generations, in which no champion is looked
     * for: it leads on where the fitness has a ridge, since weights would have to move together.
     * NULL: none. */
    double (*guide)(void *context, Network *network);
    /* Whether the task is solved, where the fitness does not tell and it is costly to know. Asked
     * of one network a generation: the fittest of the best species that has made progress since it
     * was last asked, unless it is a copy of one that was asked. NULL: the fitness tells. */
    bool (*passes)(void *context, const Network *network);
    void *context;
    bool teaches;
} NeatTask;

typedef struct {
    Network champion; /* the first that solved the task, else the fittest ever */
    double fitness;
    bool is_solved;
    uint32_t generation;  /* of the champion, from 1 */
    uint64_t evaluations; /* until it was found, itself counted, and with `passes` the whole of its
                             generation; all of them if not solved */
    uint32_t hidden, links; /* live nodes and enabled links of the champion */
    uint32_t trials;        /* networks tried in trimming it */
    uint32_t species;       /* in the last generation */
    double cpu_seconds;     /* of the calling thread */
} NeatResult;

/* Ends with the first network that solves the task. */
void neat_run(const NeatTask *task, const NeatOptions *options, Pool *pool, NeatResult *result);
void neat_result_free(NeatResult *result);

/* Predicting the rows of a matrix. The fitness is (5.2), the guide is by cross-entropy; solved:
 * every output of every row on the right side of 0.5, or, if `until` is above 0, a fitness of at
 * least that. */
typedef struct {
    const Matrix *matrix;
    double until;
    /* Steps of gradient for each network before it is judged, on all rows; 0: none. */
    uint32_t lessons;
    const Examples *examples; /* the same rows, for the lessons */
} NeatPrediction;

NeatTask neat_prediction_task(NeatPrediction *prediction);
