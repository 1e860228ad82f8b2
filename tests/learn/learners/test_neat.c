/* Tests NEAT: its genes, and tasks that it must solve: exclusive or, Nim, Paire, Roshambo and a
 * short run of two poles. The number of threads must not matter. docs/experiments/neat has series
 * of a hundred runs. */
#include "../material.h"
#include "learn/learners/gradient.h"
#include "learn/learners/poles.h"

TestSuite(neat, .timeout = 600);

static void assert_genome(const Genome *g, const Innovations *v) {
    for (size_t i = 0; i < g->links.count; i++) {
        const LinkGene *link = &g->links.items[i];
        cr_assert(i == 0 || g->links.items[i - 1].innovation < link->innovation);
        cr_assert_gt(link->to, v->input_count);
        for (size_t k = 0; k < i; k++)
            cr_assert(g->links.items[k].from != link->from || g->links.items[k].to != link->to);
    }
}

/* In random populations, genes stay sorted, networks stay acyclic, and weights can be copied to a
 * network and back. */
Test(neat, genomes_stay_sound) {
    Innovations v;
    Random random;
    Genome pool[20] = {0}, child = {0};
    GenomeOptions o = neat_defaults().genome;
    Network network = {0}, again = {0};
    o.add_link = 0.4;
    o.add_node = 0.2;
    o.cut_input = 0.05;
    innovations_init(&v, 5, 2);
    random_seed(&random, 1);
    for (int i = 0; i < 20; i++)
        if (i % 4 == 3)
            genome_start_at_random(&pool[i], &v, 4, false, &random);
        else
            genome_start(&pool[i], &v, i % 2, i % 3, &random);
    for (int round = 0; round < 2000; round++) {
        Genome *a = &pool[random_below(&random, 20)], *b = &pool[random_below(&random, 20)];
        genome_cross(&child, a, b, &o, &random);
        cr_assert_eq(child.links.count, a->links.count);
        genome_mutate(&child, &v, &o, &random);
        assert_genome(&child, &v);
        cr_assert_float_eq(genome_distance(a, b, &o), genome_distance(b, a, &o), 1e-12);
        cr_assert_eq(genome_distance(a, a, &o), 0);
        genome_express(&child, &v, &network);
        cr_assert(network_is_sound(&network));
        cr_assert_eq(network.outputs.count, 2);
        genome_take_weights(&child, &v, &network);
        genome_express(&child, &v, &again);
        for (size_t e = 0; e < network.edges.count; e++)
            cr_assert_float_eq(network.edges.items[e].weight, again.edges.items[e].weight, 1e-3);
        if (child.links.count < 60)
            genome_copy(&pool[random_below(&random, 20)], &child);
    }
    for (int i = 0; i < 20; i++)
        genome_free(&pool[i]);
    genome_free(&child);
    network_free(&network);
    network_free(&again);
    innovations_free(&v);
}

Test(neat, equal_inventions_have_equal_numbers) {
    Innovations v;
    Random random;
    Genome a = {0}, b = {0};
    GenomeOptions o = {.add_node = 1};
    innovations_init(&v, 1, 1);
    random_seed(&random, 2);
    genome_start(&a, &v, true, 0, &random);
    genome_start(&b, &v, true, 0, &random);
    genome_mutate(&a, &v, &o, &random);
    genome_mutate(&b, &v, &o, &random);
    cr_assert_eq(a.hidden.count, 1);
    cr_assert_eq(a.hidden.items[0], b.hidden.items[0]);
    cr_assert_eq(a.links.count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(a.links.items[i].innovation, b.links.items[i].innovation);
    genome_free(&a);
    genome_free(&b);
    innovations_free(&v);
}

/* From the second change of a weight on, a change continues in the direction of the last one or
 * goes back. */
Test(neat, moves_are_taken_up) {
    Innovations v;
    Random random;
    Genome g = {0};
    GenomeOptions o = {.mutate_weights = 1, .power = 1, .repeat = 1};
    innovations_init(&v, 3, 1);
    random_seed(&random, 3);
    genome_start(&g, &v, true, 0, &random);
    genome_mutate(&g, &v, &o, &random);
    for (int round = 0; round < 50; round++) {
        float weights[4], moves[4];
        for (size_t i = 0; i < 4; i++) {
            weights[i] = g.links.items[i].weight;
            moves[i] = g.links.items[i].moved;
        }
        genome_mutate(&g, &v, &o, &random);
        for (size_t i = 0; i < 4; i++) {
            float share = g.links.items[i].moved / moves[i];
            cr_assert(share >= -1.0F && share <= 1.5F);
            cr_assert_float_eq(g.links.items[i].weight, weights[i] + g.links.items[i].moved, 1e-6);
        }
    }
    genome_free(&g);
    innovations_free(&v);
}

static NeatResult run_neat(const NeatTask *task, const NeatOptions *options, unsigned threads) {
    Pool *pool = pool_create(threads);
    NeatResult result;
    neat_run(task, options, pool, &result);
    pool_free(pool);
    return result;
}

/* Numbers of networks without hidden nodes, by generation. */
typedef struct {
    uint32_t population, tried;
    uint32_t bare[40];
} Census;

static double count_bare(void *context, Network *network, bool *is_solved) {
    Census *census = context;
    census->bare[census->tried++ / census->population] += network_hidden(network) == 0;
    *is_solved = false;
    return 1;
}

/* All genomes are equally fit, and a new node, which is a species of its own, appears now and then.
 * Genomes without hidden nodes form the first species, whose share depends on its age. */
static Census census_of(uint64_t seed, uint32_t young_age, double young_bonus, uint32_t old_age,
                        double old_penalty) {
    Census census = {.population = 200};
    NeatTask task = {
        .input_count = 2, .output_count = 1, .fitness = count_bare, .context = &census};
    NeatOptions o = neat_defaults();
    o.population = census.population;
    o.generations = 40;
    o.genome = (GenomeOptions){.add_node = 0.004, .excess = 1, .disjoint = 1};
    o.threshold = 0.5;
    o.mutate_only = 1;
    o.patience = 1000;
    o.population_patience = 0;
    o.trims = false;
    o.young_age = young_age;
    o.young_bonus = young_bonus;
    o.old_age = old_age;
    o.old_penalty = old_penalty;
    o.seed = seed;
    NeatResult result = run_neat(&task, &o, 1);
    cr_assert_eq(census.tried, census.population * o.generations);
    network_free(&result.champion);
    return census;
}

static double bare_between(const Census *census, uint32_t first, uint32_t end) {
    double sum = 0;
    for (uint32_t g = first; g < end; g++)
        sum += census->bare[g];
    return sum;
}

/* As long as all species are young, or none is old, ageing changes nothing. Later the first
 * species, which is no longer young, or is old, gives places to newer ones. */
Test(neat, the_young_get_more_and_the_old_less) {
    enum { RUNS = 10, AGE = 8 };
    double without = 0, of_young = 0, of_old = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        Census plain = census_of(seed, 10, 1, 0, 1);
        Census all_young = census_of(seed, 1000, 4, 0, 1),
               none_old = census_of(seed, 10, 1, 1000, 0.1);
        cr_assert_arr_eq(plain.bare, all_young.bare, sizeof plain.bare);
        cr_assert_arr_eq(plain.bare, none_old.bare, sizeof plain.bare);
        Census young = census_of(seed, AGE, 4, 0, 1), old = census_of(seed, 10, 1, AGE, 0.1);
        cr_assert_arr_eq(plain.bare, young.bare, AGE * sizeof *plain.bare);
        cr_assert_arr_eq(plain.bare, old.bare, AGE * sizeof *plain.bare);
        without += bare_between(&plain, AGE + 2, 2 * AGE);
        of_young += bare_between(&young, AGE + 2, 2 * AGE);
        of_old += bare_between(&old, AGE + 2, 2 * AGE);
    }
    cr_log_info("of the first species: %g, with a bonus for the young %g, with a penalty for the "
                "old %g",
                without, of_young, of_old);
    cr_assert_lt(of_young, 0.6 * without);
    cr_assert_lt(of_old, 0.4 * without);
}

typedef struct {
    unsigned solved;
    unsigned small, without_idle; /* champions with at most two hidden nodes; champions without
                                     links from constants */
    double evaluations, hidden, generations;
} Series;

static bool has_idle_links(const Network *network, const Matrix *matrix) {
    for (size_t e = 0; e < network->edges.count; e++) {
        uint32_t from = network->edges.items[e].from;
        bool is_constant = from < network->input_count;
        for (size_t row = 1; row < matrix->rows && is_constant; row++)
            is_constant = matrix_column(matrix, from)[row] == matrix_column(matrix, from)[0];
        if (is_constant)
            return true;
    }
    return false;
}

static Series run_series(const DataSet *set, uint32_t gradient_steps, double until, unsigned runs,
                         unsigned threads) {
    Examples *examples = examples_of_facts(set, NULL, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(examples);
    NeatPrediction prediction = {
        .matrix = matrix, .until = until, .gradient_steps = gradient_steps, .examples = examples};
    NeatTask task = neat_prediction_task(&prediction);
    NeatOptions options = neat_defaults();
    Pool *pool = pool_create(threads);
    Series series = {0};
    options.generations = 100;
    for (options.seed = 0; options.seed < runs; options.seed++) {
        NeatResult result;
        neat_run(&task, &options, pool, &result);
        series.solved += result.is_solved;
        series.small += result.hidden <= 2;
        series.without_idle += !has_idle_links(&result.champion, matrix);
        series.evaluations += (double)result.evaluations / runs;
        series.generations += (double)result.generation / runs;
        series.hidden += (double)result.hidden / runs;
        network_free(&result.champion);
    }
    pool_free(pool);
    matrix_free(matrix);
    examples_free(examples);
    return series;
}

Test(neat, exclusive_or) {
    DataSet *set = puzzle_exclusive_or();
    Series plain = run_series(set, 0, 0, 20, 1), taught = run_series(set, 30, 0, 10, 1);
    cr_assert_eq(plain.solved, 20);
    cr_assert_lt(plain.evaluations, 1500);
    cr_assert_lt(plain.hidden, 2.35);
    cr_assert_eq(taught.solved, 10);
    cr_assert_lt(taught.evaluations, 2500);
    dataset_free(set);
}

Test(neat, paire_alone_and_with_lessons) {
    DataSet *set = puzzle_paire();
    Series plain = run_series(set, 0, 0, 20, 1), taught = run_series(set, 30, 0, 20, 1);
    cr_assert_eq(plain.solved, 20);
    cr_assert_gt(plain.small, 10);
    cr_assert_eq(taught.solved, 20);
    cr_assert_lt(taught.generations, 10);
    cr_assert_lt(taught.hidden, 2.5);
    dataset_free(set);
}

Test(neat, nim_and_roshambo) {
    DataSet *nim = puzzle_nim(), *rows = puzzle_roshambo(1, 3000), *set = dataset_distinct(rows);
    Series series = run_series(nim, 0, 99.9, 20, 1);
    cr_assert_eq(series.solved, 20);
    cr_assert_lt(series.generations, 20);
    cr_assert_geq(series.without_idle, 18);
    cr_assert_eq(run_series(set, 30, 99.9, 1, 1).solved, 1);
    dataset_free(nim);
    dataset_free(rows);
    dataset_free(set);
}

/* A champion still solves the task after its superfluous links are removed. */
Test(neat, champions_are_trimmed) {
    DataSet *set = puzzle_paire();
    Examples *examples = examples_of_facts(set, NULL, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(examples);
    NeatPrediction prediction = {.matrix = matrix, .examples = examples};
    NeatTask task = neat_prediction_task(&prediction);
    NeatOptions options = neat_defaults();
    bool is_right;
    options.trims = false;
    NeatResult whole = run_neat(&task, &options, 1);
    options.trims = true;
    NeatResult trimmed = run_neat(&task, &options, 1);
    network_absolute_error(&trimmed.champion, matrix, &is_right);
    cr_assert(whole.is_solved && trimmed.is_solved && is_right);
    cr_assert_eq(whole.evaluations, trimmed.evaluations);
    cr_assert_eq(whole.trials, 0);
    cr_assert_gt(trimmed.trials, 0);
    cr_assert_lt(trimmed.links, whole.links);
    network_free(&whole.champion);
    network_free(&trimmed.champion);
    matrix_free(matrix);
    examples_free(examples);
    dataset_free(set);
}

Test(neat, threads_change_nothing) {
    DataSet *set = puzzle_exclusive_or();
    Series one = run_series(set, 0, 0, 3, 1), two = run_series(set, 0, 0, 3, 2);
    cr_assert_eq(one.evaluations, two.evaluations);
    cr_assert_eq(one.hidden, two.hidden);
    dataset_free(set);
}

Test(neat, two_poles_are_balanced) {
    NeatTask task = poles_task(true);
    NeatOptions options = poles_options(true);
    const double start[4] = {0, 0, 0.07, 0};
    options.seed = 1;
    NeatResult result = run_neat(&task, &options, 1);
    cr_assert(result.is_solved);
    cr_assert_eq(poles_balance(&result.champion, true, start, 5000), 5000);
    Network nothing = {0};
    network_clear(&nothing, 6);
    vector_push(&nothing.outputs, network_add_node(&nothing, ACTIVATION_SIGMOID, 0));
    cr_assert_lt(poles_balance(&nothing, true, start, 5000), 200);
    network_free(&nothing);
    network_free(&result.champion);
}

/* The budget counts whole generations, and a solution balances from more starts than the literature
 * requires. */
Test(neat, two_poles_are_balanced_without_velocities) {
    NeatTask task = poles_task(false);
    NeatOptions options = poles_options(false);
    options.seed = 1005;
    NeatResult result = run_neat(&task, &options, 1);
    cr_assert(result.is_solved);
    cr_assert_eq(result.evaluations, (uint64_t)result.generation * options.population);
    cr_assert_geq(poles_generalise(&result.champion), 240);
    network_free(&result.champion);
}

typedef struct {
    double x, speed, angle[2], turning[2];
} Reference;

/* Returns the derivatives of the state by the equations of the literature. */
static Reference reference_slopes(Reference c, double force) {
    static const double mass[2] = {0.1, 0.01}, half[2] = {0.5, 0.05};
    double pushes = force, masses = 1, friction[2];
    for (int p = 0; p < 2; p++) {
        double sine = sin(c.angle[p]), cosine = cos(c.angle[p]);
        friction[p] = 0.000002 * c.turning[p] / (mass[p] * half[p]);
        pushes += mass[p] * half[p] * c.turning[p] * c.turning[p] * sine +
                  0.75 * mass[p] * cosine * (friction[p] - 9.8 * sine);
        masses += mass[p] * (1 - 0.75 * cosine * cosine);
    }
    Reference s = {.x = c.speed, .speed = pushes / masses};
    for (int p = 0; p < 2; p++) {
        s.angle[p] = c.turning[p];
        s.turning[p] =
            -0.75 / half[p] * (s.speed * cos(c.angle[p]) - 9.8 * sin(c.angle[p]) + friction[p]);
    }
    return s;
}

static Reference reference_moved(Reference c, Reference slope, double time) {
    c.x += slope.x * time;
    c.speed += slope.speed * time;
    for (int p = 0; p < 2; p++) {
        c.angle[p] += slope.angle[p] * time;
        c.turning[p] += slope.turning[p] * time;
    }
    return c;
}

/* Counts steps of 0.02 s, each integrated in many small parts, until a pole falls. */
static uint32_t reference_steps(const double start[4], double force) {
    enum { PARTS = 200 };
    Reference c = {start[0], start[1], {start[2], 0}, {start[3], 0}};
    for (uint32_t steps = 0;; steps++) {
        for (int i = 0; i < PARTS; i++) {
            Reference middle = reference_moved(c, reference_slopes(c, force), 0.02 / PARTS / 2);
            c = reference_moved(c, reference_slopes(middle, force), 0.02 / PARTS);
        }
        if (fabs(c.x) > 2.4 || fabs(c.angle[0]) > 0.62832 || fabs(c.angle[1]) > 0.62832)
            return steps;
    }
}

/* With a constant force, poles fall at the step given by an independent integration of the same
 * equations. */
Test(neat, poles_fall_by_the_equations) {
    for (int i = 0; i < 9; i++) {
        const double start[4] = {-0.5 + 0.1 * i, 0.2 - 0.05 * i, 0.01 + 0.01 * i, -0.04};
        float bias = 0.05F * (float)(i - 4);
        Network network = {0};
        network_clear(&network, 6);
        vector_push(&network.outputs, network_add_node(&network, ACTIVATION_SIGMOID, bias));
        double force = 20 * ((double)activation_apply(ACTIVATION_SIGMOID, bias) - 0.5);
        uint32_t steps = poles_balance(&network, true, start, 5000);
        cr_assert_eq(steps, reference_steps(start, force), "%d: %u", i, steps);
        cr_assert_gt(steps, 10);
        network_free(&network);
    }
}

static NeatTask task_of_weights(double (*fitness)(void *, Network *, bool *), void *context) {
    return (NeatTask){.input_count = 2, .output_count = 1, .fitness = fitness, .context = context};
}

typedef struct {
    unsigned asked, passing; /* questions about champions, and the question that passes */
} Examiner;

static double weight_of_all(void *context, Network *network, bool *is_solved) {
    (void)context;
    *is_solved = false;
    double sum = 0;
    for (size_t e = 0; e < network->edges.count; e++)
        sum += fabs((double)network->edges.items[e].weight);
    return sum;
}

static bool passes_in_time(void *context, const Network *network) {
    Examiner *examiner = context;
    (void)network;
    return ++examiner->asked == examiner->passing;
}

/* Weights may grow for ever, so some champion makes progress in nearly every generation. */
Test(neat, one_champion_a_generation_is_asked) {
    Examiner examiner = {.passing = 5};
    NeatTask task = task_of_weights(weight_of_all, &examiner);
    NeatOptions options = neat_defaults();
    task.passes = passes_in_time;
    options.trims = false;
    NeatResult result = run_neat(&task, &options, 2);
    cr_assert(result.is_solved);
    cr_assert_eq(examiner.asked, 5);
    cr_assert_geq(result.generation, 5);
    cr_assert_eq(result.evaluations, (uint64_t)result.generation * options.population);
    network_free(&result.champion);
    examiner = (Examiner){.passing = 1000};
    options.generations = 20;
    result = run_neat(&task, &options, 2);
    cr_assert(!result.is_solved);
    cr_assert_leq(examiner.asked, 20);
    network_free(&result.champion);
}

typedef struct {
    double weights[40]; /* of all champions that were asked about */
    unsigned asked;
} Memory;

static bool remembers(void *context, const Network *network) {
    Memory *memory = context;
    double sum = 0;
    for (size_t e = 0; e < network->edges.count; e++)
        sum += (double)network->edges.items[e].weight;
    for (size_t i = 0; i < network->nodes.count; i++)
        sum += (double)network->nodes.items[i].bias;
    for (unsigned i = 0; i < memory->asked; i++)
        cr_assert_neq(memory->weights[i], sum);
    memory->weights[memory->asked++] = sum;
    return false;
}

/* The fitness is best when the sum of all weights is 1. It seldom improves, so that copies lead. */
static double nearness(void *context, Network *network, bool *is_solved) {
    (void)context;
    *is_solved = false;
    return 1 / (1 + fabs(1 - weight_of_all(NULL, network, is_solved)));
}

/* Champions survive as copies, and species that change every generation let copies appear in
 * others. */
Test(neat, no_copy_is_asked) {
    Memory memory = {0};
    NeatTask task = task_of_weights(nearness, &memory);
    NeatOptions options = neat_defaults();
    task.passes = remembers;
    options.generations = 40;
    options.threshold = 0.5;
    options.champion_size = 1;
    options.starts_anew = false;
    options.genome.add_node = options.genome.add_link = options.genome.toggle = 0;
    NeatResult result = run_neat(&task, &options, 1);
    cr_assert_gt(memory.asked, 10);
    network_free(&result.champion);
}

typedef struct {
    unsigned evaluated, guided;
    unsigned most_guided; /* after so many guided evaluations the time is over; 0: never */
    bool is_over;
} Turns;

static double weight_by_turns(void *context, Network *network, bool *is_solved) {
    __atomic_fetch_add(&((Turns *)context)->evaluated, 1, __ATOMIC_RELAXED);
    return weight_of_all(NULL, network, is_solved);
}

/* The guide gives more than any fitness, so that a champion by the guide alone would be noticed. */
static double lead(void *context, Network *network) {
    Turns *turns = context;
    bool is_solved;
    if (__atomic_add_fetch(&turns->guided, 1, __ATOMIC_RELAXED) == turns->most_guided)
        __atomic_store_n(&turns->is_over, true, __ATOMIC_RELAXED);
    return 1e9 + weight_of_all(NULL, network, &is_solved);
}

static bool passes_when_over(void *context, const Network *network) {
    (void)network;
    return __atomic_load_n(&((Turns *)context)->is_over, __ATOMIC_RELAXED);
}

/* Ten generations use the fitness and ten the guide. Then there is no guide, since fewer than ten
 * generations would be left for the fitness. */
Test(neat, guide_and_fitness_take_turns) {
    Turns turns = {0};
    NeatTask task = task_of_weights(weight_by_turns, &turns);
    NeatOptions options = neat_defaults();
    task.guide = lead;
    options.population = 20;
    options.generations = 35;
    options.generations_per_judge = 10;
    NeatResult result = run_neat(&task, &options, 2);
    cr_assert_eq(turns.evaluated, 25 * 20);
    cr_assert_eq(turns.guided, 10 * 20);
    cr_assert_eq(result.evaluations, 35 * 20);
    cr_assert_lt(result.fitness, 1e9);
    network_free(&result.champion);
    turns = (Turns){0};
    options.generations_per_judge = 0;
    result = run_neat(&task, &options, 2);
    cr_assert_eq(turns.evaluated, 35 * 20);
    cr_assert_eq(turns.guided, 0);
    network_free(&result.champion);
}

/* The time is over in the fifth guided generation, whose genomes have larger weights than those
 * before. */
Test(neat, guided_generations_are_judged_where_time_ends) {
    double fitness[2];
    for (unsigned threads = 1; threads <= 2; threads++) {
        Turns turns = {.most_guided = 4 * 20 + 7};
        NeatTask task = task_of_weights(weight_by_turns, &turns);
        NeatOptions options = neat_defaults();
        bool is_solved;
        task.guide = lead;
        options.population = 20;
        options.generations = 100;
        options.generations_per_judge = 10;
        options.stopped = &turns.is_over;
        NeatResult result = run_neat(&task, &options, threads);
        cr_assert_eq(turns.guided, 5 * 20);
        cr_assert_eq(turns.evaluated, 10 * 20 + 20);
        cr_assert_eq(result.evaluations, turns.guided + turns.evaluated);
        cr_assert_eq(result.generation, 15);
        cr_assert_eq(result.fitness, weight_of_all(NULL, &result.champion, &is_solved));
        fitness[threads - 1] = result.fitness;
        network_free(&result.champion);
    }
    cr_assert_eq(fitness[0], fitness[1]);
}

/* Only the last generation, which is guided, has a network that solves the task. */
Test(neat, guided_generations_may_solve_where_time_ends) {
    Turns turns = {.most_guided = 20};
    NeatTask task = task_of_weights(weight_by_turns, &turns);
    NeatOptions options = neat_defaults();
    task.guide = lead;
    task.passes = passes_when_over;
    options.population = 20;
    options.generations_per_judge = 10;
    options.stopped = &turns.is_over;
    NeatResult result = run_neat(&task, &options, 2);
    cr_assert(result.is_solved);
    cr_assert_eq(result.generation, 11);
    cr_assert_eq(result.evaluations, (10 + 1 + 1) * 20);
    cr_assert_eq(result.trials, 0);
    network_free(&result.champion);
}

/* Compares the vectorised logarithms with those of the C library, for certain and impossible
 * predictions too. */
Test(neat, cross_entropy_is_that_of_the_errors) {
    DataSet *set = puzzle_point_grab(1, 500);
    Matrix *matrix = matrix_of(set, WEIGH_ALIKE);
    Network network = {0};
    for (int scale = 1; scale <= 1000; scale *= 10) {
        network_make_layers(&network, matrix->input_count, 3, 2, true, 1);
        for (size_t e = 0; e < network.edges.count; e++)
            network.edges.items[e].weight *= (float)scale;
        double wanted = network_errors(&network, matrix).cross_entropy;
        cr_assert_float_eq(network_cross_entropy(&network, matrix), wanted, 1e-5 * (1 + wanted));
    }
    network_free(&network);
    matrix_free(matrix);
    dataset_free(set);
}

/* Every genome of a random start is a species of its own, and children are copies. */
static NeatOptions copies_only(void) {
    NeatOptions options = neat_defaults();
    options.population = 20;
    options.threshold = 1e-6;
    options.starts_at_random = true;
    options.start_hidden = 3;
    options.starts_anew = false;
    options.mutate_only = 1;
    options.genome.mutate_weights = options.genome.add_link = options.genome.add_node = 0;
    options.genome.toggle = options.genome.enable_again = 0;
    return options;
}

typedef struct {
    unsigned tried, population, asked;
} Decline;

/* The fitness sinks in every generation and is greatest for genomes with the most links. */
static double ever_less(void *context, Network *network, bool *is_solved) {
    Decline *decline = context;
    unsigned before = __atomic_fetch_add(&decline->tried, 1, __ATOMIC_RELAXED);
    *is_solved = false;
    return (1 + (double)network->edges.count) / (1 + before / decline->population);
}

static bool never_passes(void *context, const Network *network) {
    (void)network;
    ((Decline *)context)->asked++;
    return false;
}

/* Children are copies, so there are as many species as there were genomes at first. All had their
 * best fitness in the first generation, in which one champion was asked about; later champions are
 * worse. */
Test(neat, a_champion_worse_than_its_species_was_is_not_asked) {
    Decline decline = {.population = 20};
    NeatTask task = {.input_count = 3,
                     .output_count = 1,
                     .fitness = ever_less,
                     .passes = never_passes,
                     .context = &decline};
    NeatOptions options = copies_only();
    options.generations = 10;
    NeatResult result = run_neat(&task, &options, 1);
    cr_assert_eq(result.evaluations, 200);
    cr_assert_eq(decline.asked, 1);
    network_free(&result.champion);
}

typedef struct {
    unsigned tried;
    size_t most_edges[8]; /* by generation */
} Sizes;

static double note_size(void *context, Network *network, bool *is_solved) {
    enum { POPULATION = 20 };
    Sizes *sizes = context;
    size_t *most = &sizes->most_edges[sizes->tried++ / POPULATION];
    *most = network->edges.count > *most ? network->edges.count : *most;
    return weight_of_all(NULL, network, is_solved);
}

/* Networks gain links for three generations; then all are as small as at first. */
Test(neat, populations_are_renewed) {
    Sizes sizes = {0};
    NeatTask task = task_of_weights(note_size, &sizes);
    NeatOptions options = neat_defaults();
    options.population = 20;
    options.generations = 8;
    options.renewal = 3;
    options.starts_anew = false;
    options.genome.add_node = 1;
    NeatResult result = run_neat(&task, &options, 1);
    for (unsigned g = 0; g < 8; g++)
        cr_assert_eq(sizes.most_edges[g] == 2, g % 3 == 0, "%u: %zu", g, sizes.most_edges[g]);
    network_free(&result.champion);
}

static double constant_by_links(void *context, Network *network, bool *is_solved) {
    (void)context;
    *is_solved = false;
    return 1 + (double)network->edges.count;
}

/* Children are copies, so the fitness never improves, and in the fifth generation only two of the
 * many species breed. Both continue, although neither has made progress. */
Test(neat, two_species_begin_anew) {
    NeatTask task = {.input_count = 3, .output_count = 1, .fitness = constant_by_links};
    NeatOptions options = copies_only();
    options.patience = 3;
    options.population_patience = 3;
    options.generations = 5;
    NeatResult many = run_neat(&task, &options, 1);
    options.generations = 7;
    NeatResult two = run_neat(&task, &options, 1);
    cr_assert_gt(many.species, 2);
    cr_assert_eq(two.species, 2);
    network_free(&many.champion);
    network_free(&two.champion);
}

Test(neat, a_random_start_may_be_without_hidden_nodes) {
    Innovations made;
    Random random;
    Genome genome = {0};
    innovations_init(&made, 3, 2);
    random_seed(&random, 1);
    genome_start_at_random(&genome, &made, 0, false, &random);
    cr_assert_eq(genome.hidden.count, 0);
    assert_genome(&genome, &made);
    genome_free(&genome);
    innovations_free(&made);
}

/* A random start has half of all possible links. Forward: 8 from the input and the bias, 3 among
 * hidden nodes, 3 to the output. Recurrent: 6 among hidden nodes, including links to themselves,
 * and 4 from the output. */
Test(neat, a_random_start_may_be_recurrent) {
    Innovations made;
    Random random;
    Genome genome = {0};
    size_t forward = 0, recurrent = 0, starts = 0;
    innovations_init(&made, 1, 1);
    random_seed(&random, 2);
    for (int i = 0; i < 2000; i++) {
        genome_start_at_random(&genome, &made, 3, true, &random);
        assert_genome(&genome, &made);
        if (genome.hidden.count != 3)
            continue;
        starts++;
        for (size_t k = 0; k < genome.links.count; k++) {
            const LinkGene *link = &genome.links.items[k];
            cr_assert_eq(link->is_recurrent,
                         link->from == 2 || (link->to > 2 && link->from >= link->to));
            recurrent += link->is_recurrent;
            forward += !link->is_recurrent;
        }
    }
    cr_assert_gt(starts, 500);
    cr_assert_float_eq((double)forward / (double)starts, 14 / 2.0, 0.2);
    cr_assert_float_eq((double)recurrent / (double)starts, 10 / 2.0, 0.2);
    genome_free(&genome);
    innovations_free(&made);
}

/* Values from nodes are delayed by one step; values from inputs are not. */
Test(neat, steps_take_time) {
    Network network = {0};
    float before[2] = {0}, after[2], one = 1, none = 0;
    network_clear(&network, 1);
    network_add_node(&network, ACTIVATION_IDENTITY, 0);
    network_add_edge(&network, 0, 2);
    network_add_node(&network, ACTIVATION_IDENTITY, 0);
    network_add_edge(&network, 0, 1);
    network_add_edge(&network, 1, 10);
    vector_push(&network.outputs, 1);
    network_step(&network, &one, before, after);
    cr_assert(after[0] == 2.0F && after[1] == 1.0F);
    network_step(&network, &none, after, before);
    cr_assert(before[0] == 0.0F && before[1] == 20.0F);
    network_free(&network);
}

static void name_input(void *context, uint32_t input, Text *out) {
    (void)context;
    text_printf(out, "(a < b %u)", input);
}

Test(neat, champions_are_drawn) {
    Network network = {0};
    Text text = {0};
    network_make_layers(&network, 3, 2, 1, true, 1);
    network_draw(&network, name_input, NULL, &text);
    cr_assert_eq(strncmp(text.items, "<svg ", 5), 0);
    cr_assert_not_null(strstr(text.items, "(a &lt; b 2)"));
    cr_assert_not_null(strstr(text.items, "</svg>"));
    vector_free(&text);
    network_free(&network);
}
