/* The study of NEAT on the tasks of the literature and of the thesis, whole and with parts of it
 * taken away. One job is one run. */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/experiment.h"
#include "learn/neat.h"
#include "learn/poles.h"
#include "learn/puzzles.h"

enum { LESSONS = 30, QUICK_SEEDS = 2 };

typedef enum { TASK_XOR, TASK_PAIRE, TASK_NIM, TASK_POLES, TASK_BLIND_POLES } Task;

static void change_nothing(NeatOptions *o) {
    (void)o;
}

static void never_grow(NeatOptions *o) {
    o->genome.add_node = o->genome.add_link = 0;
}

static void take_all_for_one_species(NeatOptions *o) {
    o->threshold = INFINITY;
}

static void start_with_hidden_nodes(NeatOptions *o) {
    o->start_hidden = 10;
}

static void keep_to_hidden_nodes(NeatOptions *o) {
    start_with_hidden_nodes(o);
    never_grow(o);
}

static void never_mate(NeatOptions *o) {
    o->mutate_only = 1;
}

/* In the order of the table. */
static const struct {
    const char *task, *variant;
    Task kind;
    uint32_t lessons; /* of gradient for every network */
    uint32_t generations;
    uint64_t seeds;
    void (*change)(NeatOptions *o);
    const char *published;
} series[] = {
    {"xor", "alone", TASK_XOR, 0, 100, 100, change_nothing, "NEAT 2002: 4,755, worst 13,459"},
    {"xor", "taught", TASK_XOR, LESSONS, 100, 100, change_nothing, ""},
    {"paire", "alone", TASK_PAIRE, 0, 100, 20, change_nothing, "thesis: 379 to 592 generations"},
    {"paire", "taught", TASK_PAIRE, LESSONS, 100, 20, change_nothing, ""},
    {"nim", "alone", TASK_NIM, 0, 20, 20, change_nothing, "thesis: 10 to 21 generations"},
    {"two poles", "alone", TASK_POLES, 0, 240, 50, change_nothing, "NEAT 2002: 3,600"},
    {"two poles", "no hidden nodes", TASK_POLES, 0, 240, 50, never_grow, ""},
    {"two poles", "ten hidden nodes", TASK_POLES, 0, 240, 20, keep_to_hidden_nodes,
     "30,239, 80 % failures"},
    {"two poles", "one species", TASK_POLES, 0, 240, 50, take_all_for_one_species,
     "25,600, 25 % failures"},
    {"two poles", "ten hidden nodes at first", TASK_POLES, 0, 240, 20, start_with_hidden_nodes,
     "23,033, 5 % failures"},
    {"two poles", "no mating", TASK_POLES, 0, 240, 50, never_mate, "5,557"},
    {"two poles, no velocities", "alone", TASK_BLIND_POLES, 0, 100, 4, change_nothing,
     "NEAT 2002: 33,184, 286 of 625 starts"},
};
enum { SERIES = sizeof series / sizeof *series };

static const char *const keys[] = {"task", "variant", "seed", NULL};
static const char *const values[] = {"solved", "evaluations", "generation", "hidden",
                                     "links",  "starts",      "cpu_s",      NULL};

static void plan(const ExperimentSetup *setup, Records *jobs) {
    for (size_t i = 0; i < SERIES; i++) {
        bool is_slow = series[i].kind >= TASK_POLES;
        uint64_t seeds = setup->seeds      ? setup->seeds
                         : setup->is_quick ? (is_slow ? 0 : QUICK_SEEDS)
                                           : series[i].seeds;
        for (uint64_t s = 0; s < seeds; s++) {
            records_add_row(jobs);
            records_add_cell(jobs, "%s", series[i].task);
            records_add_cell(jobs, "%s", series[i].variant);
            records_add_cell(jobs, "%lu", (unsigned long)(setup->first_seed + s));
        }
    }
}

/* ---- one of them ---- */

static size_t find_series(const char *task, const char *variant) {
    size_t i = 0;
    while (i + 1 < SERIES &&
           (strcmp(series[i].task, task) != 0 || strcmp(series[i].variant, variant) != 0))
        i++;
    return i;
}

static void run_poles(size_t index, NeatOptions *options, Pool *pool, NeatResult *result) {
    NeatTask task = poles_task(series[index].kind == TASK_POLES);
    neat_run(&task, options, pool, result);
}

static void run_puzzle(size_t index, NeatOptions *options, Pool *pool, NeatResult *result) {
    DataSet *set = series[index].kind == TASK_XOR     ? puzzle_exclusive_or()
                   : series[index].kind == TASK_PAIRE ? puzzle_paire()
                                                      : puzzle_nim();
    Examples *examples = examples_of_facts(set, NULL, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(examples);
    NeatPrediction prediction = {.matrix = matrix,
                                 .until = series[index].kind == TASK_NIM ? 99.9 : 0,
                                 .lessons = series[index].lessons,
                                 .examples = examples};
    NeatTask task = neat_prediction_task(&prediction);
    neat_run(&task, options, pool, result);
    matrix_free(matrix);
    examples_free(examples);
    dataset_free(set);
}

static bool run(ExperimentWork *work, const char *const *keys_of_job, Records *cells) {
    size_t index = find_series(keys_of_job[0], keys_of_job[1]);
    bool is_blind = series[index].kind == TASK_BLIND_POLES;
    NeatOptions options =
        series[index].kind >= TASK_POLES ? poles_options(!is_blind) : neat_defaults();
    double started = clock_cpu_seconds();
    NeatResult result;
    Pool *pool = pool_create(1);
    (void)work;
    options.seed = strtoull(keys_of_job[2], NULL, 10);
    options.generations = series[index].generations;
    options.stopped = interrupt_flag();
    series[index].change(&options);
    if (series[index].kind >= TASK_POLES)
        run_poles(index, &options, pool, &result);
    else
        run_puzzle(index, &options, pool, &result);
    records_add_cell(cells, "%d", result.is_solved);
    records_add_cell(cells, "%lu", (unsigned long)result.evaluations);
    records_add_cell(cells, "%u", result.generation);
    records_add_cell(cells, "%u", result.hidden);
    records_add_cell(cells, "%u", result.links);
    if (is_blind && result.is_solved)
        records_add_cell(cells, "%u", poles_generalise(&result.champion));
    else
        records_add_cell(cells, "%s", "");
    records_add_cell(cells, "%.2f", clock_cpu_seconds() - started);
    neat_result_free(&result);
    pool_destroy(pool);
    return !interrupt_requested();
}

/* ---- the page ---- */

static bool is_of(const Records *runs, size_t row, size_t index) {
    return strcmp(records_text(runs, row, "task"), series[index].task) == 0 &&
           strcmp(records_text(runs, row, "variant"), series[index].variant) == 0;
}

static void add_series(const Records *runs, size_t index, Records *table) {
    Summary evaluations = {0}, hidden = {0}, links = {0}, starts = {0};
    unsigned long count = 0;
    double worst = 0;
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!is_of(runs, i, index))
            continue;
        count++;
        if (records_number(runs, i, "solved") < 1)
            continue;
        summary_add(&evaluations, records_number(runs, i, "evaluations"));
        summary_add(&hidden, records_number(runs, i, "hidden"));
        summary_add(&links, records_number(runs, i, "links"));
        if (records_text(runs, i, "starts")[0] != '\0')
            summary_add(&starts, records_number(runs, i, "starts"));
        worst = fmax(worst, records_number(runs, i, "evaluations"));
    }
    if (!count)
        return;
    records_add_row(table);
    records_add_cell(table, "%s", series[index].task);
    records_add_cell(table, "%s", series[index].variant);
    records_add_cell(table, "%lu", count);
    records_add_cell(table, "%lu", (unsigned long)evaluations.count);
    experiment_add_mean(table, &evaluations, 0);
    records_add_cell(table, "%.0f", worst);
    experiment_add_mean(table, &hidden, 2);
    experiment_add_mean(table, &links, 1);
    experiment_add_mean(table, &starts, 0);
    records_add_cell(table, "%s", series[index].published);
}

static void report(ExperimentWork *work, const Records *runs, Text *page) {
    static const char *const columns[] = {
        "task",         "variant", "runs",          "solved",    "evaluations", "worst",
        "hidden nodes", "links",   "starts of 625", "published", NULL};
    Records table;
    records_init(&table, columns);
    for (size_t i = 0; i < SERIES; i++)
        add_series(runs, i, &table);
    text_add(page, "# NEAT\n\nWritten by `marelle experiment neat`; `runs.csv` holds every run. "
                   "docs/learning.md explains the learner. Means are over the runs that solved the "
                   "task, with standard deviations; hidden nodes and links are those of the "
                   "champions. XOR, Paire and Nim share one setting; the poles have one of their "
                   "own.\n\n");
    experiment_add_table(work, page, "neat", &table);
}

const Experiment experiment_neat = {
    .name = "neat",
    .summary = "NEAT on XOR, Paire, Nim and two poles, whole and with parts taken away",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
