/* Tests the genetic algorithm of the thesis, as published and repaired: the printed weights have
 * the printed fitness, runs reach the reported results, and the number of threads does not
 * matter. */
#include <math.h>

#include "../material.h"
#include "learn/learners/genetic.h"

TestSuite(genetic, .timeout = 600);

/* The weights printed in the thesis have the fitness printed there. */
Test(genetic, printed_weights_of_paire_give_the_printed_fitness) {
    static const double start[] = {-0.117391, -0.988566, -0.454362, -0.833489};
    static const double best[] = {-0.008419, -0.985841, -0.008419, -0.985841};
    static const double start_squares[] = {-0.055122, -0.437782, -0.048535, 0.203960};
    static const double best_squares[] = {0.215740, -0.968944, 0.279698, -0.993255};
    DataSet *set = puzzle_paire();
    Matrix *m = matrix_of(set, WEIGH_BY_COUNT);
    cr_assert_float_eq(genetic_fitness(m, 0, start, false), 69.610097, 2e-5);
    cr_assert_float_eq(genetic_fitness(m, 0, best, false), 74.646824, 2e-5);
    cr_assert_float_eq(genetic_fitness(m, 0, start_squares, true), 75.331613, 2e-5);
    cr_assert_float_eq(genetic_fitness(m, 0, best_squares, true), 81.365945, 2e-5);
    matrix_free(m);
    dataset_free(set);
}

/* For the first role, all weights of Tictactoe except those of the turn markers are 0.010632 or
 * -0.025442; for the second role they are equal. */
Test(genetic, printed_weights_of_tictactoe_give_the_printed_fitness) {
    static const char *const low[] = {"(cell 1 3 o)", "(cell 2 1 o)", "(cell 2 2 o)",
                                      "(cell 3 2 o)", "(cell 2 1 b)", "(cell 2 1 x)"};
    DataSet *rows = published("tictactoe_P1"), *set = dataset_distinct(rows);
    Matrix *m = matrix_of(set, WEIGH_BY_COUNT);
    double first[29], second[29];
    for (int f = 0; f < 29; f++) {
        first[f] = 0.010632;
        second[f] = -0.002113;
    }
    for (size_t i = 0; i < sizeof low / sizeof *low; i++)
        first[fact_of(set, low[i])] = -0.025442;
    first[fact_of(set, "(control oplayer)")] = 0.965854;
    first[fact_of(set, "(control xplayer)")] = -0.981519;
    second[fact_of(set, "(control oplayer)")] = -0.970338;
    second[fact_of(set, "(control xplayer)")] = 0.964322;
    cr_assert_float_eq(genetic_fitness(m, 0, first, false), 89.878657, 2e-5);
    cr_assert_float_eq(genetic_fitness(m, 1, second, false), 89.591279, 2e-5);
    matrix_free(m);
    dataset_free(set);
    dataset_free(rows);
}

static double best_of_settings(const DataSet *set, GeneticOptions options, unsigned threads,
                               uint32_t output) {
    Matrix *m = matrix_of(set, WEIGH_BY_COUNT);
    Pool *pool = pool_create(threads);
    GeneticRun runs[GENETIC_SETTINGS];
    size_t best = genetic_run_settings(m, output, &options, pool, runs);
    double fitness = runs[best].best;
    cr_assert_float_eq(genetic_fitness(m, output, runs[best].weights.items, options.squares),
                       fitness, 1e-12);
    for (size_t i = 0; i < runs[best].weights.count; i++)
        cr_assert_leq(fabs(runs[best].weights.items[i]), 1);
    for (size_t i = 0; i < GENETIC_SETTINGS; i++)
        vector_free(&runs[i].weights);
    pool_free(pool);
    matrix_free(m);
    return fitness;
}

static int compare_fitness(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Single runs of the published version depend on luck, so this returns the median of five. */
static double median_as_published(const DataSet *set, bool squares) {
    double fitness[5];
    for (uint64_t seed = 0; seed < 5; seed++)
        fitness[seed] =
            best_of_settings(set, (GeneticOptions){.seed = seed, .squares = squares}, 1, 0);
    qsort(fitness, 5, sizeof *fitness, compare_fitness);
    return fitness[2];
}

Test(genetic, paire_as_published_and_repaired) {
    DataSet *set = puzzle_paire();
    double fitness = median_as_published(set, false);
    cr_assert(fitness > 73.9 && fitness < 74.99, "%g", fitness);
    fitness = median_as_published(set, true);
    cr_assert(fitness > 81.3 && fitness < 81.55, "%g", fitness);
    fitness = best_of_settings(set, (GeneticOptions){.seed = 1, .is_repaired = true}, 1, 0);
    cr_assert(fitness > 74.97 && fitness < 74.984, "%g", fitness);
    fitness = best_of_settings(
        set, (GeneticOptions){.seed = 1, .is_repaired = true, .squares = true}, 1, 0);
    cr_assert(fitness > 81.54 && fitness < 81.548, "%g", fitness);
    dataset_free(set);
}

/* Runs a part of the generations with the best of the sixteen settings for the first role. Whole
 * runs take a minute and are in bench/genetic.txt: runs as published need all generations, repaired
 * ones pass the bound for whole runs long before their end. */
#ifdef MEMORY_SANITIZED
enum { REPAIRED_GENERATIONS = 150 };
static const double MIN_REPAIRED = 90;
#else
enum { REPAIRED_GENERATIONS = 400 };
static const double MIN_REPAIRED = 90.7;
#endif

Test(genetic, tictactoe_as_published_and_repaired) {
    DataSet *rows = published("tictactoe_P1"), *set = dataset_distinct(rows);
    GeneticOptions options = {.seed = 0, .generations = 150};
    double fitness = best_of_settings(set, options, 2, 0);
    cr_log_info("as published %.4f", fitness);
    cr_assert(fitness > 87 && fitness < 90.2, "%g", fitness);
    options.is_repaired = true;
    options.generations = REPAIRED_GENERATIONS;
    fitness = best_of_settings(set, options, 2, 0);
    cr_log_info("repaired %.4f", fitness);
    cr_assert_geq(fitness, MIN_REPAIRED, "%g", fitness);
    dataset_free(set);
    dataset_free(rows);
}

Test(genetic, nim_repaired) {
    DataSet *set = puzzle_nim();
    for (uint32_t output = 0; output < 2; output++)
        cr_assert_geq(best_of_settings(
                          set, (GeneticOptions){.seed = 2, .is_repaired = true, .generations = 200},
                          1, output),
                      99.9);
    dataset_free(set);
}

/* This is too slow with sanitizers, which see the same code in the other tests. */
#ifndef MEMORY_SANITIZED
Test(genetic, counters_and_points_repaired) {
    DataSet *rows = puzzle_roshambo(1, 3000), *roshambo = dataset_distinct(rows);
    DataSet *more = puzzle_point_grab(1, 3000), *grab = dataset_distinct(more);
    GeneticOptions options = {.seed = 1, .is_repaired = true, .generations = 500};
    cr_assert_geq(best_of_settings(roshambo, options, 1, 0), 97);
    cr_assert_geq(best_of_settings(grab, options, 1, 0), 96.5);
    dataset_free(rows);
    dataset_free(more);
    dataset_free(roshambo);
    dataset_free(grab);
}
#endif

Test(genetic, knows_when_it_came_near_its_best) {
    DataSet *set = puzzle_nim();
    Examples *examples = examples_of_facts(set, NULL, WEIGH_BY_COUNT);
    Matrix *matrix = matrix_create(examples);
    GeneticOptions options = {
        .seed = 2, .is_repaired = true, .generations = 100, .crossover = 0.5, .mutation = 0.2};
    GeneticRun whole, cut;
    genetic_run(matrix, 0, &options, &whole);
    cr_assert(whole.near_generation >= 1 && whole.near_generation <= whole.best_generation);
    options.generations = whole.near_generation;
    genetic_run(matrix, 0, &options, &cut);
    cr_assert(cut.best >= whole.best - 1);
    vector_free(&cut.weights);
    vector_free(&whole.weights);
    matrix_free(matrix);
    examples_free(examples);
    dataset_free(set);
}

Test(genetic, threads_change_nothing) {
    DataSet *rows = puzzle_roshambo(1, 500), *set = dataset_distinct(rows);
    GeneticOptions options = {.seed = 3, .is_repaired = true, .generations = 60};
    cr_assert_eq(best_of_settings(set, options, 1, 0), best_of_settings(set, options, 2, 0));
    dataset_free(set);
    dataset_free(rows);
}
