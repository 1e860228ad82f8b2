/* The study of learners on ends of games: how well they predict scores, beside what trivial
 * predictors reach. One job is one game. */
#include <stdio.h>

#include "base/interrupt.h"
#include "cli/experiment.h"
#include "cli/games.h"
#include "cli/output.h"
#include "learn/audit.h"
#include "learn/collect.h"
#include "learn/learner.h"

enum { MATCHES = 400, QUICK_MATCHES = 100, QUICK_EFFORT = 5 };
static const double TEST_SHARE = 0.2;
static const double DATA_SECONDS = 5; /* of playing at most */

static const char *const keys[] = {"game", NULL};
static const char *const values[] = {"roles",          "states",       "distinct",  "facts",
                                     "constant",       "fact",         "count",     "ga_published",
                                     "ga_published_s", "ga",           "ga_s",      "linear",
                                     "linear_test",    "linear_s",     "logistic",  "logistic_test",
                                     "logistic_s",     "mlp",          "mlp_test",  "mlp_s",
                                     "cascade",        "cascade_test", "cascade_s", "neat",
                                     "neat_test",      "neat_s",       NULL};

/* In the order of the columns. Evolution is given few generations here; docs/learning.md has whole
 * runs. */
static const struct {
    const char *name;
    uint32_t effort;
    bool has_test;
} competitors[] = {{"ga-published", 25, false}, {"ga", 25, false}, {"linear", 0, true},
                   {"logistic", 0, true},       {"mlp", 60, true}, {"cascade", 40, true},
                   {"neat", 25, true}};
enum { COMPETITORS = sizeof competitors / sizeof *competitors };

/* ---- the jobs ---- */

static void plan_job(Records *jobs, const char *game) {
    records_add_row(jobs);
    records_add_cell(jobs, "%s", game);
}

static void plan(const ExperimentSetup *setup, Records *jobs) {
    static const char *const quick[] = {"tic_tac_toe", "nim"};
    BuiltinGames builtin = {0};
    for (size_t i = 0; i < setup->game_count; i++)
        plan_job(jobs, setup->games[i]);
    for (size_t i = 0; i < 2 && setup->is_quick && !setup->game_count; i++)
        plan_job(jobs, quick[i]);
    if (!setup->is_quick && !setup->game_count)
        games_list(&builtin);
    for (size_t i = 0; i < builtin.count; i++)
        plan_job(jobs, builtin.items[i].name);
    games_free(&builtin);
}

/* ---- one of them ---- */

static double fitness_on(const Network *network, const Examples *examples) {
    Matrix *matrix = matrix_create(examples);
    Errors errors = network_errors(network, matrix);
    matrix_free(matrix);
    return errors_fitness(&errors);
}

static void add_baselines(const DataSet *set, Records *cells) {
    Audit audit;
    double constant = 0, fact = 0, count = 0;
    audit_make(set, &audit);
    for (uint32_t r = 0; r < audit.role_count; r++) {
        const RoleAudit *role = &audit.roles[r];
        constant += role->constant / audit.role_count;
        fact +=
            (role->facts.count ? role->facts.items[0].fitness : role->constant) / audit.role_count;
        count += (role->counts.count ? role->counts.items[0].fitness : role->constant) /
                 audit.role_count;
    }
    records_add_cell(cells, "%u", audit.role_count);
    records_add_cell(cells, "%zu", audit.rows);
    records_add_cell(cells, "%zu", audit.distinct_rows);
    records_add_cell(cells, "%u", audit.facts);
    records_add_cell(cells, "%.3f", constant);
    records_add_cell(cells, "%.3f", fact);
    records_add_cell(cells, "%.3f", count);
    audit_free(&audit);
}

static void add_competitor(size_t index, const Examples *train, const Examples *test, bool is_quick,
                           Pool *pool, Records *cells) {
    double started = clock_cpu_seconds();
    Network network = {0};
    uint32_t effort = is_quick ? QUICK_EFFORT : competitors[index].effort;
    LearnOptions options = {.seed = 1, .effort = effort, .pool = pool, .stopped = interrupt_flag()};
    learner_find(competitors[index].name)->train(train, &options, &network);
    records_add_cell(cells, "%.3f", fitness_on(&network, train));
    if (competitors[index].has_test)
        records_add_cell(cells, "%.3f", fitness_on(&network, test));
    records_add_cell(cells, "%.3f", clock_cpu_seconds() - started);
    network_free(&network);
}

/* Learners with a test part are trained on the other matches; the genetic algorithm, as in the
 * thesis, on all of them. */
static bool run_ends(const ExperimentSetup *setup, Game *game, Pool *pool, Records *cells) {
    CollectOptions collecting = {.source = COLLECT_RANDOM,
                                 .states = COLLECT_ENDS,
                                 .matches = setup->is_quick ? QUICK_MATCHES : MATCHES,
                                 .deadline = deadline_in(DATA_SECONDS),
                                 .seed = setup->first_seed + 1,
                                 .stopped = interrupt_flag()};
    DataSet *set = collect(game, &collecting, pool), *train, *test;
    if (!set)
        return true; /* a row of empty cells says so */
    dataset_split(set, TEST_SHARE, setup->first_seed, &train, &test);
    DataSet *parts[3] = {dataset_distinct(set), dataset_distinct(train), dataset_distinct(test)};
    Examples *examples[3];
    for (int i = 0; i < 3; i++)
        examples[i] = examples_of_facts(parts[i], NULL, WEIGH_BY_COUNT);
    add_baselines(set, cells);
    for (size_t c = 0; c < COMPETITORS && !interrupt_requested(); c++)
        add_competitor(c, examples[competitors[c].has_test], examples[2], setup->is_quick, pool,
                       cells);
    for (int i = 0; i < 3; i++) {
        examples_free(examples[i]);
        dataset_free(parts[i]);
    }
    dataset_free(set);
    dataset_free(train);
    dataset_free(test);
    return !interrupt_requested();
}

static bool run(ExperimentWork *work, const char *const *keys_of_job, Records *cells) {
    Game *game = experiment_game(work, keys_of_job[0]);
    if (!game)
        return false;
    Pool *pool = pool_create(1);
    bool is_done = run_ends(experiment_setup(work), game, pool, cells);
    pool_destroy(pool);
    return is_done;
}

/* ---- the page ---- */

static bool is_filled(const Records *runs, size_t row, const char *column) {
    return records_text(runs, row, column)[0] != '\0';
}

static void add_ends(ExperimentWork *work, const Records *runs, Text *page) {
    static const char *const columns[] = {"game",  "states",       "facts", "constant", "fact",
                                          "count", "ga_published", "ga",    "linear",   "logistic",
                                          "mlp",   "cascade",      "neat",  "mlp_test", NULL};
    Records table;
    records_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!is_filled(runs, i, "facts"))
            continue;
        records_add_row(&table);
        records_add_cell(&table, "%s", experiment_short_name(records_text(runs, i, "game")));
        for (size_t c = 1; columns[c]; c++)
            records_add_cell(&table, "%s", records_text(runs, i, columns[c]));
    }
    text_add(page,
             "## Ends\n\nFitness (4.3), 100 less the mean error in points, mean over the "
             "roles, on ends of random matches; constant, fact and count are the best "
             "predictors of that kind. Columns are on the states trained on, `mlp_test` on "
             "matches that training never saw. The genetic algorithms have 25 generations here "
             "in place of 1,000, with all sixteen settings, and NEAT has 25.\n\n");
    experiment_add_table(work, page, "ends", &table);
}

static void add_comparison(ExperimentWork *work, const Records *runs, Text *page) {
    static const char *const names[] = {"fact", "count", "ga", "linear", "mlp", "cascade", "neat"};
    static const char *const columns[] = {
        "learner", "games", "mean fitness", "at least ga", "above 99", "CPU s a game", NULL};
    Records table;
    Plot plot = {.title = "Mean fitness on ends", .y_label = "fitness (4.3)"};
    PlotSeries *series = plot_add_series(&plot, "fitness");
    records_init(&table, columns);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        Summary fitness = {0}, seconds = {0};
        unsigned long as_good = 0, perfect = 0;
        char timed[40];
        snprintf(timed, sizeof timed, "%s_s", names[n]);
        for (size_t i = 0; i < runs->rows.count; i++) {
            if (!is_filled(runs, i, "neat_s"))
                continue;
            double own = records_number(runs, i, names[n]);
            summary_add(&fitness, own);
            as_good += own >= records_number(runs, i, "ga") - 0.005;
            perfect += own > 99;
            if (n > 1)
                summary_add(&seconds, records_number(runs, i, timed));
        }
        records_add_row(&table);
        records_add_cell(&table, "%s", names[n]);
        records_add_cell(&table, "%lu", (unsigned long)fitness.count);
        records_add_cell(&table, "%.2f", fitness.mean);
        records_add_cell(&table, "%lu", as_good);
        records_add_cell(&table, "%lu", perfect);
        if (n > 1)
            records_add_cell(&table, "%.3f", seconds.mean);
        else
            records_add_cell(&table, "%s", "");
        plot_add_bar(&plot, series, names[n], fitness.mean);
    }
    text_add(page, "## Learners compared\n\n");
    experiment_add_table(work, page, "learners", &table);
    experiment_add_plot(work, page, "learners", &plot);
}

static void report(ExperimentWork *work, const Records *runs, Text *page) {
    text_add(
        page,
        "# Learners on ends of games\n\nWritten by `marelle experiment heuristics`; `runs.csv` "
        "holds every run. docs/learning.md explains the learners.\n\n");
    add_comparison(work, runs, page);
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
