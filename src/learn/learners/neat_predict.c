/* NEAT as a learner: networks evolve to predict the rows of a matrix. `neat` evolves alone;
 * `neat-taught` trains each network by gradient before it is judged, and the genome inherits the
 * trained weights (Lamarckian evolution). */
#include "learn/learners/gradient.h"
#include "learn/learners/learner.h"
#include "learn/learners/neat.h"

/* Constants of this module. */
enum {
    FEW_WEIGHTS = 16,    /* weights up to which the shape matters more than they do (untuned) */
    GRADIENT_STEPS = 60, /* gradient steps per network of neat-taught (untuned) */
    MANY_ROWS = 1000,    /* rows from which on gradient steps take them in batches (untuned) */
    GRADIENT_BATCH = 64, /* rows per batch of a gradient step (untuned) */
    FEWER_PASSES = 10,   /* divisor of the number of passes if there are many rows (untuned) */
    GENERATIONS = 1000,  /* default number of generations of `neat` (untuned) */
    TAUGHT_GENERATIONS = 60
};
static const double SOLVED = 99.999; /* fitness at which evolution ends (untuned) */

/* ---- the task ---- */

/* Few rows form one batch, with one step per pass; many form several, with fewer passes. */
static void train_by_gradient(const NeatPrediction *p, Network *network) {
    bool has_many = p->matrix->rows > MANY_ROWS;
    GradientOptions gradient = {.loss = LOSS_CROSS_ENTROPY,
                                .rate = has_many ? 0.02 : 0.1,
                                .batch = has_many ? GRADIENT_BATCH : 0,
                                .passes = has_many ? p->gradient_steps / FEWER_PASSES + 1
                                                   : p->gradient_steps};
    gradient_train(network, p->examples, &gradient);
}

static double prediction_fitness(void *context, Network *network, bool *is_solved) {
    const NeatPrediction *p = context;
    if (p->gradient_steps)
        train_by_gradient(p, network);
    bool is_right;
    double correct = 1 - network_absolute_error(network, p->matrix, &is_right);
    double fitness = 100 * correct * correct;
    *is_solved = p->until > 0 ? fitness >= p->until : is_right;
    return fitness;
}

static double prediction_guide(void *context, Network *network) {
    const NeatPrediction *p = context;
    if (p->gradient_steps)
        train_by_gradient(p, network);
    return 100 / (1 + network_cross_entropy(network, p->matrix));
}

NeatTask neat_prediction_task(NeatPrediction *prediction) {
    assert(prediction->matrix && (!prediction->gradient_steps || prediction->examples));
    return (NeatTask){.input_count = prediction->matrix->input_count,
                      .output_count = prediction->matrix->output_count,
                      .fitness = prediction_fitness,
                      .guide = prediction_guide,
                      .context = prediction,
                      .teaches = prediction->gradient_steps > 0};
}

/* ---- the learners ---- */

/* A few weights are soon tuned, so the search is for a shape. With many weights, shapes change
 * slowly, working links are not disabled, the population never restarts, and there is one species,
 * because several would share the children. With many rows the fitness has ridges, so the guide
 * alternates with it (study: docs/how-it-works/learning.md, NEAT on more than 16 weights). */
static NeatOptions options_of_evolution(uint32_t weights) {
    NeatOptions o = neat_defaults();
    if (weights <= FEW_WEIGHTS)
        return o;
    o.threshold = INFINITY;
    o.starts_anew = false;
    o.population_patience = 0;
    o.survival = 0.05;
    o.generations_per_judge = 100;
    o.genome.repeat = 0.8;
    o.genome.add_node = 0.005;
    o.genome.add_link = 0.01;
    o.genome.toggle = 0;
    o.genome.enable_again = 0.01;
    return o;
}

/* Gradient steps tune weights better than mutation does, so evolution only has to find a shape. */
static NeatOptions options_with_gradient(void) {
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

static void train_with(const Examples *examples, const LearnOptions *options,
                       uint32_t gradient_steps, Network *network) {
    Matrix *matrix = matrix_create(examples);
    NeatPrediction prediction = {
        .matrix = matrix, .until = SOLVED, .gradient_steps = gradient_steps, .examples = examples};
    NeatTask task = neat_prediction_task(&prediction);
    NeatOptions neat = gradient_steps
                           ? options_with_gradient()
                           : options_of_evolution(matrix->input_count * matrix->output_count);
    NeatResult result;
    neat.generations = options->effort;
    neat.seed = options->seed;
    neat.deadline = options->deadline;
    neat.stopped = options->stopped;
    neat_run(&task, &neat, options->pool, &result);
    network_copy(network, &result.champion);
    network_free(&result.champion);
    matrix_free(matrix);
}

static void train_neat(const Examples *examples, const LearnOptions *options, Network *network) {
    train_with(examples, options, 0, network);
}

static void train_taught(const Examples *examples, const LearnOptions *options, Network *network) {
    train_with(examples, options, GRADIENT_STEPS, network);
}

static const LearnerOption neat_options[] = {{"effort", offsetof(LearnOptions, effort), 1,
                                              UINT32_MAX, GENERATIONS,
                                              "generations of 150 networks"},
                                             {0}};
static const LearnerOption taught_options[] = {{"effort", offsetof(LearnOptions, effort), 1,
                                                UINT32_MAX, TAUGHT_GENERATIONS,
                                                "generations of 50 networks"},
                                               {0}};

const Learner neat_learner = {
    "neat", "NEAT: evolves weights and shape of a network (Stanley and Miikkulainen 2002)",
    neat_options, train_neat};
const Learner neat_taught_learner = {
    "neat-taught", "NEAT whose networks train by gradient and pass the weights on", taught_options,
    train_taught};
