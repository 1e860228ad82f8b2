/* Genomes are evaluated one by one, each on all rows at once. The sixteen settings of the thesis
 * run in parallel, each with random numbers of its own. */
#include "learn/learners/genetic.h"

#include <string.h>

#include "base/cpu.h"
#include "base/table.h"
#include "learn/learners/learner.h"

enum { DEFAULT_POPULATION = 100, DEFAULT_GENERATIONS = 1000 }; /* (thesis of 2013) */

/* ---- fitness ---- */

/* Sums are doubles, as in the program of the thesis, whose printed values are reproduced. */
ALWAYS_INLINE double sum_errors(const Matrix *m, uint32_t output, const double *weights,
                                bool squares) {
    double total[8] = {0};
    for (size_t row = 0; row < m->stride; row += MATRIX_BLOCK) {
        double sums[MATRIX_BLOCK] = {0};
        for (uint32_t i = 0; i < m->input_count; i++) {
            const float *column = m->columns + i * m->stride + row;
            for (int k = 0; k < MATRIX_BLOCK; k++)
                sums[k] += weights[i] * (double)column[k];
        }
        const float *targets = m->targets + output * m->stride + row;
        for (int k = 0; k < MATRIX_BLOCK; k++) {
            double value = (sums[k] + 1) * 0.5;
            value = value < 0 ? 0 : value;
            value = value > 1 ? 1 : value;
            double off = (double)targets[k] - value;
            off = squares ? off * off : off < 0 ? -off : off;
            total[k % 8] += off * (double)m->weights[row + (size_t)k];
        }
    }
    double sum = 0;
    for (int k = 0; k < 8; k++)
        sum += total[k];
    return m->weight > 0 ? sum / m->weight : 0;
}

/* Each measure has a loop of its own, without a branch in it. */
ALWAYS_INLINE double mean_error_generic(const Matrix *m, uint32_t output, const double *weights,
                                        bool squares) {
    return squares ? sum_errors(m, output, weights, true) : sum_errors(m, output, weights, false);
}

CPU_DISPATCH(double, mean_error,
             (const Matrix *m, uint32_t output, const double *weights, bool squares),
             (m, output, weights, squares))

double genetic_fitness(const Matrix *m, uint32_t output, const double *weights, bool squares) {
    assert(output < m->output_count);
    return 100 * (1 - mean_error(m, output, weights, squares));
}

/* ---- evolution ---- */

typedef struct {
    const Matrix *matrix;
    uint32_t output;
    const GeneticOptions *options;
    size_t population, genes;
    double *weights, *children; /* genomes of the population and of the next, one after the other */
    double *fitness, *scaled, *rates;
    uint32_t *parents;
    Random random;
    VECTOR(double) bests; /* by generation: the best fitness so far */
    GeneticRun *run;
} Evolution;

static double uniform(Random *random, double low, double high) {
    return low + random_double(random) * (high - low);
}

static double *genome(double *genomes, const Evolution *e, size_t index) {
    return genomes + index * e->genes;
}

static void evaluate(Evolution *e, uint32_t generation) {
    for (size_t i = 0; i < e->population; i++) {
        const double *weights = genome(e->weights, e, i);
        e->fitness[i] = genetic_fitness(e->matrix, e->output, weights, e->options->squares);
        bool is_first = generation == 1 && i == 0;
        if (!is_first && e->fitness[i] <= e->run->best)
            continue;
        e->run->best = e->fitness[i];
        e->run->best_generation = generation;
        memcpy(e->run->weights.items, weights, e->genes * sizeof *weights);
    }
    e->run->evaluations += e->population;
    vector_push(&e->bests, e->run->best);
}

static void select_parents(Evolution *e) {
    Spread s = selection_spread(e->fitness, e->population);
    /* The program of the thesis does not rescale populations with a spread below one. */
    if (s.highest - s.mean < 1 && !e->options->is_repaired)
        memcpy(e->scaled, e->fitness, e->population * sizeof *e->scaled);
    else
        selection_rescale(e->fitness, e->population, e->scaled);
    selection_rates(e->scaled, e->population, e->rates);
    if (e->options->is_repaired)
        selection_universal(e->rates, e->population, &e->random, e->parents);
    else
        selection_spin(e->rates, e->population, &e->random, e->parents);
}

static void cross(Evolution *e, size_t pair) {
    const double *mother = genome(e->weights, e, e->parents[2 * pair]);
    const double *father = genome(e->weights, e, e->parents[2 * pair + 1]);
    double *first = genome(e->children, e, 2 * pair), *second = first + e->genes;
    size_t cut = e->genes;
    if (random_double(&e->random) < e->options->crossover)
        cut = random_below(&e->random, e->genes);
    for (size_t g = 0; g < e->genes; g++) {
        first[g] = g < cut ? mother[g] : father[g];
        second[g] = g < cut ? father[g] : mother[g];
    }
}

static void swap_weights(Evolution *e, double *weights, size_t gene) {
    size_t other = random_below(&e->random, e->genes);
    double kept = weights[gene];
    weights[gene] = weights[other];
    weights[other] = kept;
}

static void perturb(Evolution *e, double *weight) {
    double span = uniform(&e->random, 0.1, 0.5);
    *weight += uniform(&e->random, -span, span);
    *weight = *weight < -1 ? -1 : *weight > 1 ? 1 : *weight;
}

/* In the published version perturbation has no effect, so that only swaps change weights. Its
 * number of mutations is rounded down, so that short genomes have hardly any. */
static void mutate(Evolution *e, double *weights) {
    double draw = (double)random_below(&e->random, e->genes) * e->options->mutation;
    double rounding = e->options->is_repaired ? random_double(&e->random) : 0;
    size_t mutations = (size_t)(draw + rounding);
    for (size_t m = 0; m < mutations; m++) {
        size_t gene = random_below(&e->random, e->genes);
        uint64_t kind = random_below(&e->random, e->options->is_repaired ? 5 : 2);
        if (kind == 0)
            swap_weights(e, weights, gene);
        else if (!e->options->is_repaired)
            continue;
        else if (kind == 1)
            weights[gene] = -weights[gene];
        else
            perturb(e, &weights[gene]);
    }
}

static void breed(Evolution *e) {
    select_parents(e);
    for (size_t pair = 0; pair < e->population / 2; pair++)
        cross(e, pair);
    for (size_t i = 0; i < e->population; i++)
        mutate(e, genome(e->children, e, i));
    if (e->options->is_repaired)
        memcpy(e->children, e->run->weights.items, e->genes * sizeof *e->children);
    double *parents = e->weights;
    e->weights = e->children;
    e->children = parents;
}

static void evolve(Evolution *e) {
    GeneticRun *run = e->run;
    uint32_t generations = e->options->generations ? e->options->generations : DEFAULT_GENERATIONS;
    for (size_t i = 0; i < e->population * e->genes; i++)
        e->weights[i] = uniform(&e->random, -1, 1);
    evaluate(e, 1);
    run->start = selection_spread(e->fitness, e->population);
    for (uint32_t g = 2;
         g <= generations && !work_must_end(e->options->deadline, e->options->stopped); g++) {
        breed(e);
        evaluate(e, g);
    }
    run->end = selection_spread(e->fitness, e->population);
    while (e->bests.items[run->near_generation] < run->best - 1)
        run->near_generation++;
    run->near_generation++;
}

void genetic_run(const Matrix *matrix, uint32_t output, const GeneticOptions *options,
                 GeneticRun *run) {
    double started = clock_thread_cpu_seconds();
    size_t population = options->population ? options->population : DEFAULT_POPULATION;
    Evolution e = {.matrix = matrix, .output = output, .options = options, .run = run};
    assert(output < matrix->output_count);
    *run = (GeneticRun){.crossover = options->crossover, .mutation = options->mutation};
    e.population = population + population % 2;
    e.genes = matrix->input_count;
    size_t cells = e.population * e.genes + 1;
    e.weights = memory_alloc(cells * sizeof *e.weights);
    e.children = memory_alloc(cells * sizeof *e.children);
    e.fitness = memory_alloc(3 * e.population * sizeof *e.fitness);
    e.scaled = e.fitness + e.population;
    e.rates = e.scaled + e.population;
    e.parents = memory_alloc(e.population * sizeof *e.parents);
    vector_reserve(&run->weights, e.genes);
    run->weights.count = e.genes;
    random_seed(&e.random, options->seed);
    if (e.genes > 0)
        evolve(&e);
    memory_free(e.weights, e.children, e.fitness, e.parents);
    vector_free(&e.bests);
    run->cpu_seconds = clock_thread_cpu_seconds() - started;
}

/* ---- the sixteen settings ---- */

typedef struct {
    const Matrix *matrix;
    uint32_t output;
    const GeneticOptions *options;
    GeneticRun *runs;
} Settings;

static void run_setting(void *context, size_t setting, unsigned worker) {
    static const double crossovers[] = {0.1, 0.3, 0.5, 0.7}, mutations[] = {0.1, 0.2, 0.3, 0.4};
    (void)worker;
    const Settings *s = context;
    GeneticOptions own = *s->options;
    own.crossover = crossovers[setting / 4];
    own.mutation = mutations[setting % 4];
    own.seed = hash_finish(hash_mix(own.seed, setting));
    genetic_run(s->matrix, s->output, &own, &s->runs[setting]);
}

size_t genetic_run_settings(const Matrix *matrix, uint32_t output, const GeneticOptions *options,
                            Pool *pool, GeneticRun runs[GENETIC_SETTINGS]) {
    Settings settings = {matrix, output, options, runs};
    size_t best = 0;
    pool_run(pool, GENETIC_SETTINGS, run_setting, &settings);
    for (size_t i = 1; i < GENETIC_SETTINGS; i++)
        if (runs[i].best > runs[best].best)
            best = i;
    return best;
}

/* ---- as a learner: a run of all settings for each output ---- */

static void train(const Examples *examples, const LearnOptions *options, Network *network,
                  bool is_repaired) {
    Matrix *matrix = matrix_create(examples);
    GeneticOptions genetic = {.is_repaired = is_repaired,
                              .generations = options->effort,
                              .deadline = options->deadline,
                              .stopped = options->stopped};
    network_clear(network, examples->input_count);
    for (uint32_t o = 0; o < examples->output_count; o++) {
        GeneticRun runs[GENETIC_SETTINGS];
        genetic.seed = options->seed + o;
        const GeneticRun *best =
            &runs[genetic_run_settings(matrix, o, &genetic, options->pool, runs)];
        vector_push(&network->outputs, network_add_node(network, ACTIVATION_CLAMP, 0));
        for (uint32_t i = 0; i < best->weights.count; i++)
            network_add_edge(network, i, (float)best->weights.items[i]);
        for (size_t i = 0; i < GENETIC_SETTINGS; i++)
            vector_free(&runs[i].weights);
    }
    matrix_free(matrix);
}

static void train_repaired(const Examples *examples, const LearnOptions *options,
                           Network *network) {
    train(examples, options, network, true);
}

static void train_published(const Examples *examples, const LearnOptions *options,
                            Network *network) {
    train(examples, options, network, false);
}

static const LearnerOption learner_options[] = {
    {"effort", offsetof(LearnOptions, effort), 1, UINT32_MAX, DEFAULT_GENERATIONS,
     "generations of 100 genomes, for each of 16 settings"},
    {0}};

const Learner genetic_learner = {"ga", "genetic algorithm on one weight per fact, sixteen settings",
                                 learner_options, train_repaired};
const Learner genetic_published_learner = {
    "ga-published", "that algorithm as the thesis of 2013 published it, inert mutation included",
    learner_options, train_published};
