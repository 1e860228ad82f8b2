/* The study of learners on final states of games: how well they predict scores, compared with
 * trivial predictors. One job is one role of one game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/games.h"
#include "cli/output.h"
#include "cli/studies/experiment.h"
#include "learn/data/audit.h"
#include "learn/data/collect.h"
#include "learn/learners/genetic.h"
#include "learn/learners/learner.h"

enum {
    ROLES = 2, /* roles studied per game, at most */
    MATCHES = 400,
    QUICK_MATCHES = 100,
    QUICK_EFFORT = 5,
    GENERATIONS = 1000, /* generations of the genetic algorithm, as in the thesis */
    /* Generations in games with so many facts that a thousand take minutes. */
    MIN_GENERATIONS = 25
};
static const double TEST_SHARE = 0.2;
static const double DATA_SECONDS = 5; /* seconds of collecting matches, at most */
/* Products of weight and fact that the evolution of one job may compute: about ten seconds. */
static const double MAX_PRODUCTS = 6e10;

static const char *const keys[] = {"game", "role", NULL};
static const char *const values[] = {
    "roles",          "states",     "distinct", "scores",    "facts",       "constant",
    "fact",           "count",      "ga_start", "ga_end",    "ga",          "ga_near",
    "ga_generations", "ga_s",       "linear",   "linear_s",  "linear_test", "logistic",
    "logistic_test",  "logistic_s", "mlp",      "mlp_test",  "mlp_s",       "cascade",
    "cascade_test",   "cascade_s",  "neat",     "neat_test", "neat_s",      NULL};

/* Learners that are trained on some of the matches and tested on the others, in the order of the
 * columns. NEAT gets few generations here; the study `neat` has complete runs. */
static const struct {
    const char *name;
    uint32_t effort;
} competitors[] = {{"logistic", 0}, {"mlp", 60}, {"cascade", 40}, {"neat", 25}};
enum { COMPETITORS = sizeof competitors / sizeof *competitors };

/* ---- the jobs ---- */

static void plan_game(ResultRows *jobs, const char *game) {
    for (int role = 1; role <= ROLES; role++) {
        result_rows_add_row(jobs);
        result_rows_add_cell(jobs, "%s", game);
        result_rows_add_cell(jobs, "%d", role);
    }
}

static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    static const char *const quick[] = {"tic_tac_toe", "nim"};
    BuiltinGames builtin = {0};
    for (size_t i = 0; i < setup->game_count; i++)
        plan_game(jobs, setup->games[i]);
    for (size_t i = 0; i < 2 && setup->is_quick && !setup->game_count; i++)
        plan_game(jobs, quick[i]);
    if (!setup->is_quick && !setup->game_count)
        games_list(&builtin);
    for (size_t i = 0; i < builtin.count; i++)
        plan_game(jobs, builtin.items[i].name);
    games_free(&builtin);
}

/* ---- one job ---- */

typedef struct {
    const ExperimentSetup *setup;
    uint32_t role;
    /* Distinct states of the role, weighted by the number of occurrences. */
    Examples *all, *train, *test;
    Pool *pool;
    ResultRows *cells;
} Job;

static double fitness_on(const Network *network, const Examples *examples) {
    Matrix *matrix = matrix_create(examples);
    Errors errors = network_errors(network, matrix);
    matrix_free(matrix);
    return errors_fitness(&errors);
}

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static size_t different_targets(const Examples *e) {
    size_t rows = examples_rows(e), different = rows > 0;
    float *sorted = memory_alloc((rows + 1) * sizeof *sorted);
    memcpy(sorted, e->targets.items, rows * sizeof *sorted);
    qsort(sorted, rows, sizeof *sorted, compare_floats);
    for (size_t i = 1; i < rows; i++)
        different += sorted[i] > sorted[i - 1];
    free(sorted);
    return different;
}

static void add_baselines(const DataSet *set, const Job *job) {
    Audit audit;
    audit_create(set, &audit);
    const RoleAudit *role = &audit.roles[job->role];
    result_rows_add_cell(job->cells, "%u", audit.role_count);
    result_rows_add_cell(job->cells, "%zu", audit.rows);
    result_rows_add_cell(job->cells, "%zu", audit.distinct_rows);
    result_rows_add_cell(job->cells, "%zu", different_targets(job->all));
    result_rows_add_cell(job->cells, "%u", audit.facts);
    result_rows_add_cell(job->cells, "%.3f", role->constant);
    result_rows_add_cell(job->cells, "%.3f",
                         role->facts.count ? role->facts.items[0].fitness : role->constant);
    result_rows_add_cell(job->cells, "%.3f",
                         role->counts.count ? role->counts.items[0].fitness : role->constant);
    audit_free(&audit);
}

/* Runs the genetic algorithm as the thesis did, on all states and with its sixteen settings, but
 * with fewer generations in games that have many facts. */
static void add_genetic(const Job *job) {
    double started = clock_cpu_seconds();
    Matrix *matrix = matrix_create(job->all);
    GeneticOptions options = {.is_repaired = true, .seed = 1};
    GeneticRun runs[GENETIC_SETTINGS];
    double products = (double)matrix->stride * matrix->input_count * 100 * GENETIC_SETTINGS;
    double affordable = MAX_PRODUCTS / (products > 0 ? products : 1);
    options.generations = affordable >= GENERATIONS       ? GENERATIONS
                          : affordable >= MIN_GENERATIONS ? (uint32_t)affordable
                                                          : MIN_GENERATIONS;
    options.generations = job->setup->is_quick ? QUICK_EFFORT : options.generations;
    const GeneticRun *best = &runs[genetic_run_settings(matrix, 0, &options, job->pool, runs)];
    result_rows_add_cell(job->cells, "%.3f", best->start.highest);
    result_rows_add_cell(job->cells, "%.3f", best->end.highest);
    result_rows_add_cell(job->cells, "%.3f", best->best);
    result_rows_add_cell(job->cells, "%u", best->near_generation);
    result_rows_add_cell(job->cells, "%u", options.generations);
    for (size_t i = 0; i < GENETIC_SETTINGS; i++)
        vector_free(&runs[i].weights);
    matrix_free(matrix);
    result_rows_add_cell(job->cells, "%.4f", clock_cpu_seconds() - started);
}

static void train(const Job *job, const char *learner, uint32_t effort, const Examples *examples,
                  Network *network) {
    LearnOptions options = {.seed = 1,
                            .effort = job->setup->is_quick ? QUICK_EFFORT : effort,
                            .pool = job->pool,
                            .stopped = interrupt_flag()};
    learner_train(learner_find(learner), examples, &options, network);
}

/* Trains twice: on all states, to be compared with the genetic algorithm, and on the training
 * matches only. */
static void add_linear(const Job *job) {
    double started = clock_cpu_seconds();
    Network network = {0};
    train(job, "linear", 0, job->all, &network);
    double seconds = clock_cpu_seconds() - started;
    result_rows_add_cell(job->cells, "%.3f", fitness_on(&network, job->all));
    result_rows_add_cell(job->cells, "%.4f", seconds);
    train(job, "linear", 0, job->train, &network);
    result_rows_add_cell(job->cells, "%.3f", fitness_on(&network, job->test));
    network_free(&network);
}

static void add_competitor(const Job *job, size_t index) {
    double started = clock_cpu_seconds();
    Network network = {0};
    train(job, competitors[index].name, competitors[index].effort, job->train, &network);
    double seconds = clock_cpu_seconds() - started;
    result_rows_add_cell(job->cells, "%.3f", fitness_on(&network, job->train));
    result_rows_add_cell(job->cells, "%.3f", fitness_on(&network, job->test));
    result_rows_add_cell(job->cells, "%.4f", seconds);
    network_free(&network);
}

static Examples *examples_of_role(const DataSet *rows, uint32_t role) {
    DataSet *distinct = dataset_distinct(rows);
    Examples *both = examples_of_facts(distinct, NULL, WEIGH_BY_COUNT);
    Examples *one = examples_copy(both, role, 1);
    examples_free(both);
    dataset_free(distinct);
    return one;
}

static bool run_on(Job *job, const DataSet *set) {
    DataSet *train_set, *test_set;
    dataset_split(set, TEST_SHARE, job->setup->first_seed, &train_set, &test_set);
    job->all = examples_of_role(set, job->role);
    job->train = examples_of_role(train_set, job->role);
    job->test = examples_of_role(test_set, job->role);
    add_baselines(set, job);
    add_genetic(job);
    add_linear(job);
    for (size_t c = 0; c < COMPETITORS && !interrupt_requested(); c++)
        add_competitor(job, c);
    examples_free(job->all);
    examples_free(job->train);
    examples_free(job->test);
    dataset_free(train_set);
    dataset_free(test_set);
    return !interrupt_requested();
}

static bool run(ExperimentWork *work, const char *const *keys_of_job, ResultRows *cells) {
    Game *game = experiment_game(work, keys_of_job[0]);
    if (!game)
        return false;
    Pool *pool = pool_create(1);
    Job job = {.setup = experiment_setup(work),
               .role = (uint32_t)strtoul(keys_of_job[1], NULL, 10) - 1,
               .pool = pool,
               .cells = cells};
    CollectOptions collecting = {.source = COLLECT_RANDOM,
                                 .states = COLLECT_ENDS,
                                 .matches = job.setup->is_quick ? QUICK_MATCHES : MATCHES,
                                 .deadline = deadline_in(DATA_SECONDS),
                                 .seed = job.setup->first_seed + 1,
                                 .stopped = interrupt_flag()};
    DataSet *set = collect(game, &collecting, pool);
    bool is_done = true; /* a row of empty cells says that no match could be played */
    if (set && job.role < set->role_count)
        is_done = run_on(&job, set);
    dataset_free(set);
    pool_free(pool);
    return is_done;
}

/* ---- the classes of the thesis ---- */

/* The claims of the thesis about its 93 games: the class of a game, and how well its genetic
 * algorithm does there. The class is determined without that algorithm; a row belongs to the first
 * class that it fits. */
typedef struct {
    double constant, fact, linear_test, scores, states, distinct, facts;
    double genetic, near;
} Facts;

static const double LINEAR_ENOUGH = 97;

static bool has_one_score(const Facts *f) {
    return f->constant > 99.9;
}
static bool has_telling_fact(const Facts *f) {
    return f->fact >= 99.9;
}
static bool has_few_states(const Facts *f) {
    return f->distinct <= f->facts && 2 * f->distinct <= f->states;
}
static bool has_rare_scores(const Facts *f) {
    return f->constant >= 90;
}
static bool sums_to_many_scores(const Facts *f) {
    return f->linear_test >= LINEAR_ENOUGH && f->scores > 3;
}
static bool is_a_sum(const Facts *f) {
    return f->linear_test >= LINEAR_ENOUGH;
}
static bool has_bypass(const Facts *f) {
    return f->fact >= 85;
}
static bool is_anything(const Facts *f) {
    (void)f;
    return true;
}
static bool is_found_at_once(const Facts *f) {
    return f->genetic >= 99 && f->near <= 25;
}
static bool is_very_good(const Facts *f) {
    return f->genetic >= 95;
}
static bool is_good_but_slow(const Facts *f) {
    return f->genetic >= 90 && f->near > 300;
}
static bool is_good(const Facts *f) {
    return f->genetic >= 90;
}
static bool is_medium(const Facts *f) {
    return f->genetic >= 80 && f->genetic < 95;
}
static bool is_bad(const Facts *f) {
    return f->genetic < 80;
}

static const struct {
    const char *name, *rule, *claim;
    bool (*fits)(const Facts *facts);
    bool (*holds)(const Facts *facts); /* NULL: nothing is claimed */
} classes[] = {
    {"one score", "a constant has more than 99.9", "none", has_one_score, NULL},
    {"one fact", "one fact has 99.9 or more", "at least 99, within 25 generations",
     has_telling_fact, is_found_at_once},
    {"few states", "at most half of the states differ, and no more than there are facts",
     "at least 95: fits the sample", has_few_states, is_very_good},
    {"rare scores", "a constant has 90 or more", "no pattern", has_rare_scores, NULL},
    {"facts to many scores", "`linear` has 97 or more in other matches, over three scores",
     "at least 90, after more than 300 generations", sums_to_many_scores, is_good_but_slow},
    {"counters compared", "`linear` has 97 or more in other matches", "at least 90", is_a_sum,
     is_good},
    {"combinations with a bypass", "one fact has 85 or more", "80 to 95", has_bypass, is_medium},
    {"combinations", "all others", "less than 80", is_anything, is_bad},
};
enum { CLASSES = sizeof classes / sizeof *classes };

static Facts facts_of(const ResultRows *runs, size_t row) {
    return (Facts){.constant = result_rows_number(runs, row, "constant"),
                   .fact = result_rows_number(runs, row, "fact"),
                   .linear_test = result_rows_number(runs, row, "linear_test"),
                   .scores = result_rows_number(runs, row, "scores"),
                   .states = result_rows_number(runs, row, "states"),
                   .distinct = result_rows_number(runs, row, "distinct"),
                   .facts = result_rows_number(runs, row, "facts"),
                   .genetic = result_rows_number(runs, row, "ga"),
                   .near = result_rows_number(runs, row, "ga_near")};
}

static size_t class_of(const Facts *facts) {
    size_t class = 0;
    while (!classes[class].fits(facts))
        class ++;
    return class;
}

/* ---- the page ---- */

static bool is_whole(const ResultRows *runs, size_t row) {
    return result_rows_text(runs, row, "neat_s")[0] != '\0';
}

static void add_classes(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"class",      "rule",        "claim",   "pairs",
                                          "mean of ga", "claim holds", "refuted", NULL};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t c = 0; c < CLASSES; c++) {
        Summary genetic = {0};
        unsigned long confirmed = 0;
        for (size_t i = 0; i < runs->rows.count; i++) {
            if (!is_whole(runs, i))
                continue;
            Facts facts = facts_of(runs, i);
            if (class_of(&facts) != c)
                continue;
            summary_add(&genetic, facts.genetic);
            confirmed += classes[c].holds && classes[c].holds(&facts);
        }
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s", classes[c].name);
        result_rows_add_cell(&table, "%s", classes[c].rule);
        result_rows_add_cell(&table, "%s", classes[c].claim);
        result_rows_add_cell(&table, "%lu", (unsigned long)genetic.count);
        result_rows_add_cell(&table, "%.2f", genetic.mean);
        if (classes[c].holds) {
            result_rows_add_cell(&table, "%lu", confirmed);
            result_rows_add_cell(&table, "%lu", (unsigned long)genetic.count - confirmed);
        }
    }
    text_add(page, "## The classes of the thesis\n\nThe thesis sorts its games by how its genetic "
                   "algorithm did. A game and role belongs to the first class whose rule it meets; "
                   "the table of all of them says where the claim holds. In games with many facts "
                   "evolution had fewer than 1,000 generations.\n\n");
    experiment_add_table(work, page, "classes", &table);
}

/* CPU seconds of `linear`, divided by those of a thousand generations of the genetic algorithm. */
static double share_of_time(const ResultRows *runs, size_t row) {
    return result_rows_number(runs, row, "linear_s") *
           result_rows_number(runs, row, "ga_generations") /
           (result_rows_number(runs, row, "ga_s") * GENERATIONS);
}

/* Fitness is stored with three decimals, so values are compared with this tolerance. */
static const double TOLERANCE = 0.0015;

static bool is_as_good(double one, double other) {
    return one >= other - TOLERANCE;
}

typedef struct {
    unsigned long pairs, as_good, quick;
    double linear_seconds, genetic_seconds;
    Summary shares;
} Comparison;

static void compare_row(Comparison *c, const ResultRows *runs, size_t row) {
    double share = share_of_time(runs, row);
    c->pairs++;
    c->as_good +=
        is_as_good(result_rows_number(runs, row, "linear"), result_rows_number(runs, row, "ga"));
    c->quick += share <= 0.01;
    c->linear_seconds += result_rows_number(runs, row, "linear_s");
    c->genetic_seconds += result_rows_number(runs, row, "ga_s") * GENERATIONS /
                          result_rows_number(runs, row, "ga_generations");
    summary_add(&c->shares, share);
}

static void add_comparison_row(ResultRows *table, const char *name, const Comparison *c) {
    double pairs = c->pairs ? (double)c->pairs : 1;
    result_rows_add_row(table);
    result_rows_add_cell(table, "%s", name);
    result_rows_add_cell(table, "%lu", c->pairs);
    result_rows_add_cell(table, "%lu", c->as_good);
    result_rows_add_cell(table, "%.1f %%", 100 * (double)c->as_good / pairs);
    result_rows_add_cell(table, "%.2f %%",
                         c->genetic_seconds > 0 ? 100 * c->linear_seconds / c->genetic_seconds : 0);
    result_rows_add_cell(table, "%lu", c->quick);
    result_rows_add_cell(table, "%.2f %%", 100 * c->shares.greatest);
}

static void add_linear_against_genetic(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"pairs of game and role",
                                          "pairs",
                                          "linear as good",
                                          "share",
                                          "time, all in all",
                                          "pairs at 1 % or less",
                                          "worst",
                                          NULL};
    Comparison whole = {0}, all = {0};
    ResultRows table;
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!is_whole(runs, i))
            continue;
        if (result_rows_number(runs, i, "ga_generations") >= GENERATIONS)
            compare_row(&whole, runs, i);
        compare_row(&all, runs, i);
    }
    result_rows_init(&table, columns);
    add_comparison_row(&table, "with all generations", &whole);
    add_comparison_row(&table, "all", &all);
    text_printf(page,
                "## One sum by gradient against evolution\n\n`linear` and the repaired genetic "
                "algorithm with its sixteen settings, on the same states, for each game and "
                "role. As good: not more than %.4f below, since fitness is kept with three "
                "decimals. Evolution is cut short where 1,000 generations would take more than "
                "about ten seconds (after %d at the earliest); its time is then scaled to 1,000 "
                "generations.\n\n",
                TOLERANCE, MIN_GENERATIONS);
    experiment_add_table(work, page, "linear", &table);
}

static void add_ends(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {
        "game",     "role",     "states", "distinct", "facts",          "constant", "fact",
        "count",    "ga_start", "ga_end", "ga",       "ga_generations", "ga_s",     "linear",
        "linear_s", "logistic", "mlp",    "cascade",  "neat",           "mlp_test", NULL};
    static const char *more[sizeof columns / sizeof *columns + 2];
    size_t count = 0;
    ResultRows table;
    for (; columns[count]; count++)
        more[count] = columns[count];
    more[count] = "class";
    more[count + 1] = "claim holds";
    result_rows_init(&table, more);
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!is_whole(runs, i))
            continue;
        Facts facts = facts_of(runs, i);
        size_t class = class_of(&facts);
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s",
                             experiment_short_name(result_rows_text(runs, i, "game")));
        for (size_t c = 1; c < count; c++)
            result_rows_add_cell(&table, "%s", result_rows_text(runs, i, columns[c]));
        result_rows_add_cell(&table, "%s", classes[class].name);
        result_rows_add_cell(&table, "%s",
                             !classes[class].holds          ? ""
                             : classes[class].holds(&facts) ? "yes"
                                                            : "no");
    }
    text_add(page,
             "## Ends\n\n"
             "Fitness is 100 less the mean error in points, on ends of random matches. "
             "`constant`, `fact` and `count` are the best predictors of that kind. `ga_start`, "
             "`ga_end` and `ga` are the best of the first generation, of the last one, and ever. "
             "`_s` are CPU seconds. Columns are on the states trained on: all for `ga` and "
             "`linear`, four fifths for the others; `mlp_test` is on the last fifth.\n\n");
    experiment_add_table(work, page, "ends", &table);
}

static void add_comparison(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const names[] = {"constant", "fact", "count",   "ga",  "linear",
                                        "logistic", "mlp",  "cascade", "neat"};
    enum { BASELINES = 3 };
    static const char *const columns[] = {
        "learner", "pairs", "mean fitness", "at least ga", "above 99", "CPU s a pair", NULL};
    ResultRows table;
    Plot plot = {.title = "Mean fitness on ends", .y_label = "fitness"};
    PlotSeries *series = plot_add_series(&plot, "fitness");
    result_rows_init(&table, columns);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        Summary fitness = {0}, seconds = {0};
        unsigned long as_good = 0, above = 0;
        char timed[40];
        snprintf(timed, sizeof timed, "%s_s", names[n]);
        for (size_t i = 0; i < runs->rows.count; i++) {
            if (!is_whole(runs, i))
                continue;
            double own = result_rows_number(runs, i, names[n]);
            summary_add(&fitness, own);
            as_good += is_as_good(own, result_rows_number(runs, i, "ga"));
            above += own > 99;
            if (n >= BASELINES)
                summary_add(&seconds, result_rows_number(runs, i, timed));
        }
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s", names[n]);
        result_rows_add_cell(&table, "%lu", (unsigned long)fitness.count);
        result_rows_add_cell(&table, "%.2f", fitness.mean);
        result_rows_add_cell(&table, "%lu", as_good);
        result_rows_add_cell(&table, "%lu", above);
        if (n >= BASELINES)
            result_rows_add_cell(&table, "%.3f", seconds.mean);
        plot_add_bar(&plot, series, names[n], fitness.mean);
    }
    text_add(page, "## Learners compared\n\n");
    experiment_add_table(work, page, "learners", &table);
    experiment_add_plot(work, page, "learners", &plot);
}

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    text_add(
        page,
        "# Learners on ends of games\n\nWritten by `marelle experiment heuristics`; `runs.csv` "
        "holds every run. docs/how-it-works/learning.md explains the learners.\n\n");
    add_comparison(work, runs, page);
    add_linear_against_genetic(work, runs, page);
    add_classes(work, runs, page);
    add_ends(work, runs, page);
}

const Experiment experiment_heuristics = {
    .name = "heuristics",
    .summary = "learners that predict the ends of games, beside trivial predictors",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
