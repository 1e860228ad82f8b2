/* The list of learners, and the genetic algorithm as one of them: a run for each output. */
#include "learn/learners/learner.h"

#include <string.h>

#include "learn/learners/genetic.h"
#include "learn/learners/neat.h"

static void add_linear_node(Network *network, const GeneticRun *run) {
    network_add_node(network, ACTIVATION_CLAMP, 0);
    for (uint32_t i = 0; i < run->weights.count; i++)
        network_add_edge(network, i, (float)run->weights.items[i]);
}

static void train_genetic(const Examples *examples, const LearnOptions *options, Network *network,
                          bool is_repaired) {
    Matrix *matrix = matrix_create(examples);
    GeneticOptions genetic = {
        .is_repaired = is_repaired, .generations = options->effort, .deadline = options->deadline};
    network_clear(network, examples->input_count);
    for (uint32_t o = 0; o < examples->output_count; o++) {
        GeneticRun runs[GENETIC_SETTINGS];
        genetic.seed = options->seed + o;
        size_t best = genetic_run_settings(matrix, o, &genetic, options->pool, runs);
        add_linear_node(network, &runs[best]);
        vector_push(&network->outputs, o);
        for (size_t i = 0; i < GENETIC_SETTINGS; i++)
            genetic_run_free(&runs[i]);
    }
    matrix_free(matrix);
}

static void train_repaired(const Examples *examples, const LearnOptions *options,
                           Network *network) {
    train_genetic(examples, options, network, true);
}

static void train_published(const Examples *examples, const LearnOptions *options,
                            Network *network) {
    train_genetic(examples, options, network, false);
}

static const Learner genetic_learner = {
    "ga", "genetic algorithm on one weight a fact, sixteen settings", train_repaired};
static const Learner published_learner = {
    "ga-published", "the same as the thesis published it, its inert mutation included",
    train_published};

/* Few weights are soon tuned, and a shape is to be found. Where there are many, shapes change
 * slowly, what works is not switched off, nothing starts anew, and all breed together, since
 * species divide the children among them. Many rows make ridges, and so a guide takes turns. */
static NeatOptions options_of_evolution(uint32_t weights) {
    enum { FEW_WEIGHTS = 16 };
    NeatOptions o = neat_defaults();
    if (weights <= FEW_WEIGHTS)
        return o;
    o.threshold = INFINITY;
    o.starts_anew = false;
    o.population_patience = 0;
    o.survival = 0.05;
    o.stretch = 100;
    o.genome.repeat = 0.8;
    o.genome.add_node = 0.005;
    o.genome.add_link = 0.01;
    o.genome.toggle = 0;
    o.genome.enable_again = 0.01;
    return o;
}

/* Lessons tune weights better than chance does: what remains to be found is a shape. */
static NeatOptions options_of_lessons(void) {
    NeatOptions o = neat_defaults();
    o.population = 50;
    o.wanted_species = 20;
    o.starts_anew = false;
    o.population_patience = 20;
    o.genome.mutate_weights = 0.1;
    o.genome.add_node = 0.05;
    o.genome.add_link = 0.05;
    o.genome.cut_input = 0.05;
    return o;
}

static void train_neat_with(const Examples *examples, const LearnOptions *options, uint32_t lessons,
                            uint32_t generations, Network *network) {
    Matrix *matrix = matrix_create(examples);
    NeatPrediction prediction = {
        .matrix = matrix, .until = 99.999, .lessons = lessons, .examples = examples};
    NeatTask task = neat_prediction_task(&prediction);
    NeatOptions neat = lessons ? options_of_lessons()
                               : options_of_evolution(matrix->input_count * matrix->output_count);
    NeatResult result;
    neat.generations = options->effort ? options->effort : generations;
    neat.seed = options->seed;
    neat.deadline = options->deadline;
    neat.stopped = options->stopped;
    neat_run(&task, &neat, options->pool, &result);
    network_copy(network, &result.champion);
    neat_result_free(&result);
    matrix_free(matrix);
}

static void train_neat(const Examples *examples, const LearnOptions *options, Network *network) {
    train_neat_with(examples, options, 0, 1000, network);
}

/* Lamarck's way: networks learn by gradient before they are judged, and children inherit it. */
static void train_taught(const Examples *examples, const LearnOptions *options, Network *network) {
    train_neat_with(examples, options, 60, 60, network);
}

static const Learner neat_learner = {"neat", "networks that evolve their shape", train_neat};
static const Learner taught_learner = {
    "neat-taught", "the same, with lessons by gradient that are inherited", train_taught};
extern const Learner linear_learner, logistic_learner, mlp_learner, cascade_learner;

const Learner *const learners[] = {&genetic_learner, &published_learner, &neat_learner,
                                   &taught_learner,  &linear_learner,    &logistic_learner,
                                   &mlp_learner,     &cascade_learner,   NULL};

const Learner *learner_find(const char *name) {
    for (const Learner *const *l = learners; *l; l++)
        if (strcmp((*l)->name, name) == 0)
            return *l;
    return NULL;
}
