/* The study of NEAT on the tasks of the literature and of the thesis, complete and with some of its
 * rules removed; and a comparison of learners whose networks grow with learners whose networks do
 * not. One job is one run. */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/random.h"
#include "cli/studies/experiment.h"
#include "learn/data/audit.h"
#include "learn/data/puzzles.h"
#include "learn/learners/learner.h"
#include "learn/learners/neat.h"
#include "learn/learners/poles.h"

enum { GRADIENT_STEPS = 30, QUICK_SEEDS = 2 };

typedef enum {
    TASK_XOR,
    TASK_PAIRE,
    TASK_NIM,
    TASK_POLES,
    TASK_PUBLISHED_POLES,
    TASK_BLIND_POLES
} Task;

static void change_nothing(NeatOptions *o) {
    (void)o;
}

static void only_split(NeatOptions *o) {
    o->genome.join = 0;
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

/* Starts with ten hidden nodes between inputs and output, and no direct links. */
static void keep_to_one_layer(NeatOptions *o) {
    keep_to_hidden_nodes(o);
    o->is_connected = false;
}

static void start_at_random(NeatOptions *o) {
    start_with_hidden_nodes(o);
    o->starts_at_random = true;
}

/* Without species no growth survives from a minimal start (Stanley and Miikkulainen 2002). */
static void start_one_species_at_random(NeatOptions *o) {
    take_all_for_one_species(o);
    start_at_random(o);
}

static void never_mate(NeatOptions *o) {
    o->mutate_only = 1;
}

/* The series of runs, in the order of the table. */
static const struct {
    const char *task, *variant;
    Task kind;
    uint32_t gradient_steps; /* gradient steps per network */
    uint32_t generations;
    uint64_t seeds;
    void (*change)(NeatOptions *o);
    const char *published;
} series[] = {
    {"xor", "alone", TASK_XOR, 0, 100, 100, change_nothing, "NEAT 2002: 4,755, worst 13,459"},
    {"xor", "taught", TASK_XOR, GRADIENT_STEPS, 100, 100, change_nothing, ""},
    {"xor", "no joined nodes", TASK_XOR, 0, 100, 100, only_split, ""},
    {"paire", "alone", TASK_PAIRE, 0, 100, 20, change_nothing, "thesis: 379 to 592 generations"},
    {"paire", "no joined nodes", TASK_PAIRE, 0, 100, 20, only_split, ""},
    {"paire", "taught", TASK_PAIRE, GRADIENT_STEPS, 100, 20, change_nothing, ""},
    {"nim", "alone", TASK_NIM, 0, 20, 20, change_nothing, "thesis: 10 to 21 generations"},
    {"two poles", "alone", TASK_POLES, 0, 1000, 100, change_nothing, "NEAT 2002: 3,600"},
    {"two poles", "no hidden nodes", TASK_POLES, 0, 1000, 50, never_grow, ""},
    {"two poles", "ten hidden nodes", TASK_POLES, 0, 1000, 20, keep_to_hidden_nodes,
     "30,239, 80 % failures"},
    {"two poles", "one species", TASK_POLES, 0, 1000, 50, take_all_for_one_species, ""},
    {"two poles", "ten hidden nodes at first", TASK_POLES, 0, 1000, 20, start_with_hidden_nodes,
     ""},
    {"two poles", "random start", TASK_POLES, 0, 1000, 100, start_at_random,
     "23,033, 5 % failures"},
    {"two poles", "one species, random start", TASK_POLES, 0, 1000, 100,
     start_one_species_at_random, "25,600, 25 % failures"},
    {"two poles", "no mating", TASK_POLES, 0, 1000, 50, never_mate, "5,557"},
    {"two poles, published setting", "alone", TASK_PUBLISHED_POLES, 0, 1000, 20, change_nothing,
     "3,600, no failures"},
    {"two poles, published setting", "ten hidden nodes", TASK_PUBLISHED_POLES, 0, 1000, 10,
     keep_to_one_layer, "30,239, 80 % failures"},
    {"two poles, published setting", "one species, random start", TASK_PUBLISHED_POLES, 0, 1000, 20,
     start_one_species_at_random, "25,600, 25 % failures"},
    {"two poles, published setting", "one species", TASK_PUBLISHED_POLES, 0, 1000, 20,
     take_all_for_one_species, ""},
    {"two poles, published setting", "random start", TASK_PUBLISHED_POLES, 0, 1000, 20,
     start_at_random, "23,033, 5 % failures"},
    {"two poles, published setting", "no mating", TASK_PUBLISHED_POLES, 0, 1000, 10, never_mate,
     "5,557, no failures"},
    {"two poles, no velocities", "alone", TASK_BLIND_POLES, 0, 1000, 200, change_nothing,
     "NEAT 2002: 33,184, 286 of 625 starts"},
};
enum { SERIES = sizeof series / sizeof *series };

/* A data set on which learners are compared. Learners are the variants of such a task. */
typedef struct {
    DataSet *train, *test; /* test: other rows; NULL if there are none */
} Contest;

static void hold_out(Contest *c, DataSet *all, size_t train_rows) {
    bool *is_train = memory_zalloc(dataset_rows(all));
    Random random;
    random_seed(&random, 1);
    for (size_t picked = 0; picked < train_rows;) {
        size_t i = random_below(&random, dataset_rows(all));
        picked += !is_train[i];
        is_train[i] = true;
    }
    c->train = dataset_select(all, is_train);
    for (size_t i = 0; i < dataset_rows(all); i++)
        is_train[i] = !is_train[i];
    c->test = dataset_select(all, is_train);
    free(is_train);
    dataset_free(all);
}

static void make_exclusive_or(Contest *c) {
    c->train = puzzle_exclusive_or();
}
static void make_nim(Contest *c) {
    c->train = puzzle_nim();
}
static void make_paire(Contest *c) {
    c->train = puzzle_paire();
}
static void make_roshambo(Contest *c) {
    DataSet *rows = puzzle_roshambo(1, 3000);
    c->train = dataset_distinct(rows);
    dataset_free(rows);
}
static void make_point_grab(Contest *c) {
    DataSet *rows = puzzle_point_grab(1, 3000);
    c->train = dataset_distinct(rows);
    dataset_free(rows);
}
static void make_tictactoe(Contest *c) {
    hold_out(c, puzzle_tictactoe(), 625);
}
static void make_tictactoe_without_turn(Contest *c) {
    DataSet *all = puzzle_tictactoe();
    uint64_t dropped = 0;
    for (uint32_t f = 0; f < dataset_fact_count(all); f++)
        if (strstr(symbols_name(&all->facts, f), "control"))
            dropped |= UINT64_C(1) << f;
    hold_out(c, dataset_without(all, &dropped), 625);
    dataset_free(all);
}
static void make_lines(Contest *c) {
    hold_out(c, puzzle_lines_27(), 3000);
}

/* Two trivial predictors, which do not learn, come before the learners. */
enum { TRIVIAL = 2, NEAT = 3, TAUGHT = 4, CONTENDERS = 7 };
static const char *const contenders[CONTENDERS] = {"constant",    "fact",    "linear", "neat",
                                                   "neat-taught", "cascade", "mlp"};

/* Efforts are by contender; 0: the default of the learner. Lines-27 has many rows. */
static const struct {
    const char *task;
    void (*make)(Contest *contest);
    uint32_t efforts[CONTENDERS];
} contests[] = {
    {"Paire", make_paire, {[NEAT] = 100, [TAUGHT] = 20}},
    {"XOR", make_exclusive_or, {[NEAT] = 100, [TAUGHT] = 20}},
    {"Nim", make_nim, {[NEAT] = 100, [TAUGHT] = 20}},
    {"Roshambo", make_roshambo, {[NEAT] = 3000, [TAUGHT] = 60}},
    {"Point Grab", make_point_grab, {[NEAT] = 3000, [TAUGHT] = 50}},
    {"Tictactoe", make_tictactoe, {[NEAT] = 1000, [TAUGHT] = 20}},
    {"Tictactoe without the turn", make_tictactoe_without_turn, {[NEAT] = 3000, [TAUGHT] = 20}},
    {"Lines-27", make_lines, {[NEAT] = 3000, [TAUGHT] = 60}},
};
enum { CONTESTS = sizeof contests / sizeof *contests, CONTEST_SEEDS = 1, QUICK_EFFORT = 2 };

static const char *const keys[] = {"task", "variant", "seed", NULL};
static const char *const values[] = {
    "solved",         "evaluations", "generation", "hidden",     "links",      "starts", "cpu_s",
    "constant_links", "fitness",     "close",      "test_close", "test_right", NULL};

static void plan_seeds(const ExperimentSetup *setup, const char *task, const char *variant,
                       uint64_t seeds, ResultRows *jobs) {
    for (uint64_t s = 0; s < (setup->seeds ? setup->seeds : seeds); s++) {
        result_rows_add_row(jobs);
        result_rows_add_cell(jobs, "%s", task);
        result_rows_add_cell(jobs, "%s", variant);
        result_rows_add_cell(jobs, "%lu", (unsigned long)(setup->first_seed + s));
    }
}

static void plan_series(const ExperimentSetup *setup, bool of_poles, ResultRows *jobs) {
    for (size_t i = 0; i < SERIES; i++) {
        bool is_of_poles = series[i].kind >= TASK_POLES;
        uint64_t quick = is_of_poles ? 0 : QUICK_SEEDS;
        if (is_of_poles == of_poles)
            plan_seeds(setup, series[i].task, series[i].variant,
                       setup->is_quick ? quick : series[i].seeds, jobs);
    }
}

/* Poles come last, because they take longest. */
static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    plan_series(setup, false, jobs);
    for (size_t c = 0; c < (setup->is_quick ? 1 : CONTESTS); c++)
        for (size_t l = 0; l < CONTENDERS; l++)
            plan_seeds(setup, contests[c].task, contenders[l], setup->is_quick ? 1 : CONTEST_SEEDS,
                       jobs);
    plan_series(setup, true, jobs);
}

/* ---- one job ---- */

/* Returns SERIES if there is no such series. */
static size_t find_series(const char *task, const char *variant) {
    size_t i = 0;
    while (i < SERIES &&
           (strcmp(series[i].task, task) != 0 || strcmp(series[i].variant, variant) != 0))
        i++;
    return i;
}

/* Counts the links from inputs that are the same in all rows. No network needs them. */
static uint32_t links_from_constants(const Network *network, const Matrix *matrix) {
    uint32_t links = 0;
    for (size_t e = 0; e < network->edges.count; e++) {
        uint32_t from = network->edges.items[e].from;
        bool is_constant = from < network->input_count;
        for (size_t row = 1; row < matrix->rows && is_constant; row++)
            is_constant = matrix_column(matrix, from)[row] == matrix_column(matrix, from)[0];
        links += is_constant;
    }
    return links;
}

/* Returns the fitness of the best constant of each role, or of the best single fact. All rows have
 * the same weight. */
static double trivial_fitness(DataSet *set, bool by_fact) {
    Audit audit;
    double sum = 0;
    for (size_t i = 0; i < dataset_rows(set); i++)
        set->counts.items[i] = 1;
    audit_create(set, &audit);
    for (uint32_t r = 0; r < audit.role_count; r++) {
        const RoleAudit *role = &audit.roles[r];
        sum += by_fact && role->facts.count ? role->facts.items[0].fitness : role->constant;
    }
    Errors errors = {.absolute = 1 - sum / audit.role_count / 100};
    audit_free(&audit);
    return errors_neat_fitness(&errors);
}

static void add_empty(ResultRows *cells, int count) {
    for (int i = 0; i < count; i++)
        result_rows_add_cell(cells, "%s", "");
}

static void run_learner(const Contest *contest, const char *learner, const LearnOptions *options,
                        ResultRows *cells) {
    Network network = {0};
    Examples *examples = examples_of_facts(contest->train, NULL, WEIGH_ALIKE);
    Examples *others =
        examples_of_facts(contest->test ? contest->test : contest->train, NULL, WEIGH_ALIKE);
    double started = clock_cpu_seconds();
    learner_train(learner_find(learner), examples, options, &network);
    double seconds = clock_cpu_seconds() - started;
    Matrix *matrix = matrix_create(examples), *unseen = matrix_create(others);
    Errors errors = network_errors(&network, matrix), away = network_errors(&network, unseen);
    add_empty(cells, 3);
    result_rows_add_cell(cells, "%u", network_hidden(&network));
    result_rows_add_cell(cells, "%zu", network.edges.count);
    add_empty(cells, 1);
    result_rows_add_cell(cells, "%.2f", seconds);
    result_rows_add_cell(cells, "%u", links_from_constants(&network, matrix));
    result_rows_add_cell(cells, "%.3f", errors_neat_fitness(&errors));
    result_rows_add_cell(cells, "%.4f", errors.close);
    if (contest->test) {
        result_rows_add_cell(cells, "%.4f", away.close);
        result_rows_add_cell(cells, "%.4f", away.right);
    }
    matrix_free(matrix);
    matrix_free(unseen);
    examples_free(examples);
    examples_free(others);
    network_free(&network);
}

static void run_contest(const ExperimentSetup *setup, const char *task, const char *contender,
                        uint64_t seed, Pool *pool, ResultRows *cells) {
    size_t index = 0, which = 0;
    Contest contest = {0};
    while (index + 1 < CONTESTS && strcmp(contests[index].task, task) != 0)
        index++;
    while (which + 1 < CONTENDERS && strcmp(contenders[which], contender) != 0)
        which++;
    contests[index].make(&contest);
    LearnOptions options = {.seed = seed,
                            .pool = pool,
                            .stopped = interrupt_flag(),
                            .effort =
                                setup->is_quick ? QUICK_EFFORT : contests[index].efforts[which]};
    if (which < TRIVIAL) {
        add_empty(cells, 8);
        result_rows_add_cell(cells, "%.3f", trivial_fitness(contest.train, which > 0));
    } else {
        run_learner(&contest, contenders[which], &options, cells);
    }
    dataset_free(contest.train);
    dataset_free(contest.test);
}

static void run_poles(size_t index, NeatOptions *options, Pool *pool, NeatResult *result) {
    NeatTask task = poles_task(series[index].kind != TASK_BLIND_POLES);
    neat_run(&task, options, pool, result);
}

static uint32_t run_puzzle(size_t index, NeatOptions *options, Pool *pool, NeatResult *result) {
    DataSet *set = series[index].kind == TASK_XOR     ? puzzle_exclusive_or()
                   : series[index].kind == TASK_PAIRE ? puzzle_paire()
                                                      : puzzle_nim();
    Examples *examples = examples_of_facts(set, NULL, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(examples);
    NeatPrediction prediction = {.matrix = matrix,
                                 .until = series[index].kind == TASK_NIM ? 99.9 : 0,
                                 .gradient_steps = series[index].gradient_steps,
                                 .examples = examples};
    NeatTask task = neat_prediction_task(&prediction);
    neat_run(&task, options, pool, result);
    uint32_t constant_links = links_from_constants(&result->champion, matrix);
    matrix_free(matrix);
    examples_free(examples);
    dataset_free(set);
    return constant_links;
}

static NeatOptions options_of(Task kind) {
    return kind == TASK_PUBLISHED_POLES ? poles_published_options()
           : kind >= TASK_POLES         ? poles_options(kind == TASK_POLES)
                                        : neat_defaults();
}

static void run_series(size_t index, uint64_t seed, Pool *pool, ResultRows *cells) {
    bool is_blind = series[index].kind == TASK_BLIND_POLES;
    NeatOptions options = options_of(series[index].kind);
    double started = clock_cpu_seconds();
    NeatResult result;
    uint32_t constant_links = 0;
    options.seed = seed;
    options.generations = series[index].generations;
    options.stopped = interrupt_flag();
    series[index].change(&options);
    if (series[index].kind >= TASK_POLES)
        run_poles(index, &options, pool, &result);
    else
        constant_links = run_puzzle(index, &options, pool, &result);
    result_rows_add_cell(cells, "%d", result.is_solved);
    result_rows_add_cell(cells, "%lu", (unsigned long)result.evaluations);
    result_rows_add_cell(cells, "%u", result.generation);
    result_rows_add_cell(cells, "%u", result.hidden);
    result_rows_add_cell(cells, "%u", result.links);
    if (is_blind && result.is_solved)
        result_rows_add_cell(cells, "%u", poles_generalise(&result.champion));
    else
        result_rows_add_cell(cells, "%s", "");
    result_rows_add_cell(cells, "%.2f", clock_cpu_seconds() - started);
    result_rows_add_cell(cells, "%u", constant_links);
    network_free(&result.champion);
}

static bool run(ExperimentWork *work, const char *const *keys_of_job, ResultRows *cells) {
    size_t index = find_series(keys_of_job[0], keys_of_job[1]);
    uint64_t seed = strtoull(keys_of_job[2], NULL, 10);
    Pool *pool = pool_create(1);
    if (index < SERIES)
        run_series(index, seed, pool, cells);
    else
        run_contest(experiment_setup(work), keys_of_job[0], keys_of_job[1], seed, pool, cells);
    pool_free(pool);
    return !interrupt_requested();
}

/* ---- the page ---- */

static bool is_of(const ResultRows *runs, size_t row, const char *task, const char *variant) {
    return strcmp(result_rows_text(runs, row, "task"), task) == 0 &&
           strcmp(result_rows_text(runs, row, "variant"), variant) == 0;
}

static void add_if_solved(ResultRows *table, const Summary *solved, double number) {
    if (solved->count)
        result_rows_add_cell(table, "%.0f", number);
    else
        result_rows_add_cell(table, "%s", "-");
}

static void add_series(const ResultRows *runs, size_t index, ResultRows *table) {
    Summary evaluations = {0}, hidden = {0}, links = {0}, starts = {0};
    unsigned long count = 0, small = 0, without_constants = 0;
    double worst = 0, spent = 0;
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!is_of(runs, i, series[index].task, series[index].variant))
            continue;
        count++;
        spent += result_rows_number(runs, i, "evaluations");
        if (result_rows_number(runs, i, "solved") < 1)
            continue;
        summary_add(&evaluations, result_rows_number(runs, i, "evaluations"));
        summary_add(&hidden, result_rows_number(runs, i, "hidden"));
        summary_add(&links, result_rows_number(runs, i, "links"));
        if (result_rows_text(runs, i, "starts")[0] != '\0')
            summary_add(&starts, result_rows_number(runs, i, "starts"));
        worst = fmax(worst, result_rows_number(runs, i, "evaluations"));
        small += result_rows_number(runs, i, "hidden") <= 2;
        without_constants += result_rows_number(runs, i, "constant_links") < 1;
    }
    if (!count)
        return;
    result_rows_add_row(table);
    result_rows_add_cell(table, "%s", series[index].task);
    result_rows_add_cell(table, "%s", series[index].variant);
    result_rows_add_cell(table, "%lu", count);
    result_rows_add_cell(table, "%lu", (unsigned long)evaluations.count);
    experiment_add_mean(table, &evaluations, 0);
    add_if_solved(table, &evaluations, worst);
    add_if_solved(table, &evaluations, spent / (double)evaluations.count);
    experiment_add_mean(table, &hidden, 2);
    result_rows_add_cell(table, "%lu", small);
    experiment_add_mean(table, &links, 1);
    if (series[index].kind == TASK_NIM)
        result_rows_add_cell(table, "%lu", without_constants);
    else
        result_rows_add_cell(table, "%s", "");
    experiment_add_mean(table, &starts, 0);
    result_rows_add_cell(table, "%s", series[index].published);
}

static void add_contests(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"task",
                                          "learner",
                                          "runs",
                                          "fitness",
                                          "close",
                                          "close on other rows",
                                          "right on other rows",
                                          "hidden nodes",
                                          "CPU s",
                                          NULL};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t c = 0; c < CONTESTS; c++)
        for (size_t l = 0; l < CONTENDERS; l++) {
            Summary fitness = {0}, close = {0}, test = {0}, right = {0}, hidden = {0},
                    seconds = {0};
            for (size_t i = 0; i < runs->rows.count; i++) {
                if (!is_of(runs, i, contests[c].task, contenders[l]))
                    continue;
                summary_add(&fitness, result_rows_number(runs, i, "fitness"));
                if (l >= TRIVIAL) {
                    summary_add(&close, 100 * result_rows_number(runs, i, "close"));
                    summary_add(&hidden, result_rows_number(runs, i, "hidden"));
                    summary_add(&seconds, result_rows_number(runs, i, "cpu_s"));
                }
                if (result_rows_text(runs, i, "test_right")[0] != '\0') {
                    summary_add(&test, 100 * result_rows_number(runs, i, "test_close"));
                    summary_add(&right, 100 * result_rows_number(runs, i, "test_right"));
                }
            }
            if (!fitness.count)
                continue;
            result_rows_add_row(&table);
            result_rows_add_cell(&table, "%s", contests[c].task);
            result_rows_add_cell(&table, "%s", contenders[l]);
            result_rows_add_cell(&table, "%lu", (unsigned long)fitness.count);
            experiment_add_mean(&table, &fitness, 3);
            experiment_add_mean(&table, &close, 2);
            experiment_add_mean(&table, &test, 2);
            experiment_add_mean(&table, &right, 2);
            experiment_add_mean(&table, &hidden, 1);
            if (l < TRIVIAL)
                result_rows_add_cell(&table, "%s", "-");
            else
                result_rows_add_cell(&table, "%.2f", seconds.mean);
        }
    text_add(page,
             "## Learners that grow\n\n"
             "Squared fitness on the rows trained on, the share of them in per cent for which all "
             "outputs are within 0.25, the same share on rows never seen, and there the share on "
             "the right side of 0.5. Beside the learners stand the best constant, the best single "
             "fact (per role; in Tictactoe it is whose turn it is) and one sum by gradient. There "
             "are 3,000 ends of Roshambo and Point Grab, 625 of the 958 ends of Tictactoe, and "
             "3,000 of the 19,683 boards of Lines-27.\n\n");
    experiment_add_table(work, page, "learners", &table);
}

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {
        "task",           "variant",          "runs",         "solved",      "evaluations",
        "worst",          "spent a solution", "hidden nodes", "two at most", "links",
        "no idle inputs", "starts of 625",    "published",    NULL};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t i = 0; i < SERIES; i++)
        add_series(runs, i, &table);
    text_add(page,
             "# NEAT\n\n"
             "Written by `marelle experiment neat`; `runs.csv` holds every run. "
             "docs/how-it-works/learning.md explains the learner. Means and standard deviations "
             "are over the runs that solved the task. `spent a solution` counts the evaluations "
             "of all runs, failed ones included, per run that succeeded. Hidden nodes and links "
             "are those of the champions; `two at most` is how many champions have no more than "
             "two hidden nodes, `no idle inputs` how many have no link from facts that hold in "
             "all rows. XOR, Paire and Nim share one setting. The poles have settings of their "
             "own, one of them that of Stanley and Miikkulainen 2002.\n\n");
    experiment_add_table(work, page, "neat", &table);
    add_contests(work, runs, page);
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
