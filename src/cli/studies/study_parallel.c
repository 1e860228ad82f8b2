/* The study of more than one core: random matches and searches with vectors, threads and processes;
 * the cost of messages; threads kept or restarted; the strength that threads and a GPU add in
 * matches; random play on the GPU if there is one; and models of more machines. Speeds are per
 * wall-clock second, so the machine has to be idle, and the study has to run in one process. Speeds
 * of threads are measured several times, because the clock rates of processors vary. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/studies/experiment.h"
#include "cli/studies/parallel_models.h"
#include "gpu/accelerator.h"
#include "strategy/strategy.h"

static const char *const keys[] = {"part", "game", "variant", "threads", "run", NULL};
static const char *const values[] = {"matches", "seconds", "points", NULL};

/* All matches of the eight-puzzle have the same length, as in the thesis. */
static const char *const own_games[] = {"tic_tac_toe", "eight_puzzle", "connect_four",
                                        "breakthrough", "reversi"};
static const char *const quick_games[] = {"tic_tac_toe"};
static const char *const ways[] = {"leaf", "tree", "root"};
static const char *const cares[] = {"kept", "spinning", "restarted"};
static const unsigned message_bytes[] = {200, 2000, 20000}, leaf_states[] = {64, 512, 4096, 32768};

/* Other rules to merge the root statistics of threads, and a shared tree without virtual losses. */
static const char *const other_ways[] = {"root+merge=sum10", "root+merge=best", "root+merge=raw",
                                         "root+merge=vote", "tree+novirtual=1"};
/* Distributed trees: which positions are on all machines, and how often their copies are
 * synchronised. */
static const struct {
    const char *variant;
    uint32_t duplicated;
    uint64_t period;
} distributed[] = {{"none", UINT32_MAX, 0}, {"hot/1", 64, 1},  {"hot/64", 64, 64},
                   {"all/1", 0, 1},         {"all/64", 0, 64}, {"all/never", 0, 0}};
static const unsigned machine_counts[] = {2, 16, 64};
static const char *const dispatchers[] = {"round-robin", "last-minute"};

static const double job_seconds = 1, repeated_seconds = 0.4, quick_seconds = 0.05;
static const double move_seconds = 0.02, quick_move_seconds = 0.002;
static const double nested_seconds = 0.2, quick_nested_seconds = 0.01;
enum {
    RUNS = 5,
    DUELS = 200,
    OTHER_DUELS = 100,
    QUICK_DUELS = 2,
    PARALLEL_GPU_DUELS = 4,
    SIMULATIONS = 100000,
    QUICK_SIMULATIONS = 1000
};

static void add_run(ResultRows *jobs, const char *part, const char *game, const char *variant,
                    unsigned threads, unsigned number) {
    result_rows_add_row(jobs);
    result_rows_add_cell(jobs, "%s", part);
    result_rows_add_cell(jobs, "%s", game);
    result_rows_add_cell(jobs, "%s", variant);
    result_rows_add_cell(jobs, "%u", threads);
    result_rows_add_cell(jobs, "%u", number);
}

static void add_job(ResultRows *jobs, const char *part, const char *game, const char *variant,
                    unsigned threads) {
    add_run(jobs, part, game, variant, threads, 1);
}

static bool has_gpu(void) {
    Report report = {0};
    Gpu *gpu = gpu_open(&report);
    bool found = gpu != NULL;
    gpu_close(gpu);
    report_free(&report);
    return found;
}

static void plan_numbers(ResultRows *jobs, const char *part, const char *game,
                         const unsigned *numbers, size_t count, unsigned threads) {
    for (size_t i = 0; i < count; i++) {
        char variant[20];
        snprintf(variant, sizeof variant, "%u", numbers[i]);
        add_job(jobs, part, game, variant, threads);
    }
}

static void plan_threads(const char *game, unsigned processors, unsigned runs, ResultRows *jobs) {
    for (unsigned number = 1; number <= runs; number++)
        for (unsigned threads = 1; threads <= processors; threads *= 2)
            add_run(jobs, "matches", game, "threads", threads, number);
    for (unsigned number = 1; number <= runs; number++)
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
            for (unsigned threads = 1; threads <= processors; threads *= 2)
                add_run(jobs, "search", game, ways[way], threads, number);
    for (size_t care = 0; care < sizeof cares / sizeof *cares; care++)
        for (unsigned threads = 2; threads <= processors; threads *= 2)
            add_job(jobs, "rounds", game, cares[care], threads);
}

/* Plans duels with two threads, and with a quarter of all processors. */
static void plan_strength(const char *game, unsigned processors, bool gpu, ResultRows *jobs) {
    unsigned several = processors > 8 ? processors / 4 : 2;
    for (size_t way = 0; way < sizeof ways / sizeof *ways && processors > 1; way++) {
        add_job(jobs, "strength", game, ways[way], 2);
        if (several > 2)
            add_job(jobs, "strength", game, ways[way], several);
    }
    for (size_t way = 0; way < sizeof other_ways / sizeof *other_ways && processors > 1; way++)
        add_job(jobs, "strength", game, other_ways[way], several);
    if (gpu)
        add_job(jobs, "strength", game, "gpu", 1);
}

static void plan_models(const char *game, ResultRows *jobs) {
    size_t count = sizeof machine_counts / sizeof *machine_counts;
    for (size_t v = 0; v < sizeof distributed / sizeof *distributed; v++)
        for (size_t i = 0; i < count; i++)
            add_job(jobs, "distributed", game, distributed[v].variant, machine_counts[i]);
    for (size_t v = 0; v < sizeof dispatchers / sizeof *dispatchers; v++)
        for (size_t i = 0; i < count; i++)
            add_job(jobs, "nested", game, dispatchers[v], machine_counts[i]);
}

static void plan_game(const char *game, unsigned processors, unsigned runs, bool gpu, bool ranks,
                      ResultRows *jobs) {
    for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++)
        if (kernel_kind_available((KernelKind)kind))
            add_job(jobs, "vectors", game, kernel_kind_name((KernelKind)kind), 1);
    plan_threads(game, processors, runs, jobs);
    for (unsigned n = 1; ranks && n <= processors; n *= 2)
        add_job(jobs, "ranks", game, "ranks", n);
    if (gpu) {
        add_job(jobs, "gpu", game, "gpu", 1);
        plan_numbers(jobs, "leaves", game, leaf_states, sizeof leaf_states / sizeof *leaf_states,
                     1);
    }
    plan_models(game, jobs);
}

static void plan_messages(const char *game, unsigned processors, ResultRows *jobs) {
    for (unsigned n = 2; n <= processors; n *= 2)
        plan_numbers(jobs, "messages", game, message_bytes,
                     sizeof message_bytes / sizeof *message_bytes, n);
}

static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const char *const *games = setup->is_quick ? quick_games : own_games;
    size_t count = sizeof own_games / sizeof *own_games;
    bool gpu = has_gpu(), ranks = parallel_has_mpirun();
    if (setup->is_quick)
        count = sizeof quick_games / sizeof *quick_games;
    if (setup->game_count) {
        games = setup->games;
        count = setup->game_count;
    }
    unsigned all = processors > 1 ? (unsigned)processors : 1;
    for (size_t i = 0; i < count; i++)
        plan_game(games[i], all, setup->is_quick ? 2 : RUNS, gpu, ranks, jobs);
    if (ranks && count)
        plan_messages(games[0], all, jobs);
    for (size_t i = 0; i < count; i++) /* last, because it takes longest */
        plan_strength(games[i], all, gpu, jobs);
}

static double seconds_of(const ExperimentWork *work) {
    return experiment_setup(work)->is_quick ? quick_seconds : job_seconds;
}

/* Seconds per measurement, for measurements that are repeated. */
static double seconds_of_run(const ExperimentWork *work) {
    return experiment_setup(work)->is_quick ? quick_seconds : repeated_seconds;
}

static Measured play(const ExperimentWork *work, Game *game, unsigned threads, double seconds,
                     const MatchDevice *device) {
    MatchPlan match_plan = {.game = game,
                            .reasoner = device ? REASONER_GPU : REASONER_AUTO,
                            .device = device,
                            .seconds = seconds,
                            .seed = experiment_setup(work)->first_seed,
                            .threads = threads,
                            .step_limit = DEFAULT_STEP_LIMIT,
                            .stopped = interrupt_flag()};
    MatchStatistics matches;
    double started = clock_wall_seconds();
    matches_play(&match_plan, &matches);
    Measured measured = {.matches = (double)matches_count(&matches),
                         .seconds = clock_wall_seconds() - started};
    matches_free(&matches);
    return measured;
}

static bool measure_vectors(const ExperimentWork *work, const char *name, const char *kernel,
                            Measured *measured) {
    GameOptions options = {0};
    int status;
    for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++)
        if (strcmp(kernel_kind_name((KernelKind)kind), kernel) == 0)
            options.kernel = (KernelKind)kind;
    Game *game = open_game(NULL, name, &options, &status);
    if (!game)
        return false;
    game_turn_networks(game); /* building the kernels is not measured */
    *measured = play(work, game, 1, seconds_of(work), NULL);
    game_free(game);
    return true;
}

static bool measure_gpu(const ExperimentWork *work, Game *game, Measured *measured) {
    Accelerator accelerator = {0};
    GpuPlayerOptions options = {.seed = experiment_setup(work)->first_seed};
    bool ok = game_has_circuit(game) && accelerator_open(&accelerator, game, &options);
    if (ok)
        *measured = play(work, game, 1, seconds_of(work), &accelerator.device);
    if (accelerator_problem(&accelerator))
        ok = complain("%s", accelerator_problem(&accelerator));
    accelerator_close(&accelerator);
    return ok;
}

static bool measure_search(const ExperimentWork *work, Game *game, const char *way,
                           unsigned threads, Measured *measured) {
    char text[64];
    Strategy strategy;
    Report report = {0};
    State state = {0};
    GameWork *questions = game_work_create(game, REASONER_AUTO);
    snprintf(text, sizeof text, "uct:threads=%u,parallel=%s", threads, way);
    Search *search = NULL;
    if (strategy_read(&strategy, text, &report)) {
        strategy.search.seed = experiment_setup(work)->first_seed;
        search = strategy_create_search(&strategy, game, 0, &strategy.search, &report);
    }
    if (search) {
        SearchResult result = {0};
        game_initial(questions, &state);
        search_set_state(search, &state);
        double started = clock_wall_seconds();
        search_run(search, &(SearchBudget){.deadline = deadline_in(seconds_of_run(work)),
                                           .stopped = interrupt_flag()});
        measured->seconds = clock_wall_seconds() - started;
        search_result(search, &result);
        measured->matches = (double)result.playouts;
        search_result_free(&result);
    } else {
        print_failure(&report);
    }
    bool ok = search != NULL;
    search_free(search);
    strategy_free(&strategy);
    state_free(&state);
    game_work_free(questions);
    report_free(&report);
    return ok;
}

static size_t index_of(const char *word, const char *const *words, size_t count) {
    size_t i = 0;
    while (i + 1 < count && strcmp(words[i], word) != 0)
        i++;
    return i;
}

static bool measure_leaves(const ExperimentWork *work, Game *game, const char *states,
                           Measured *measured) {
    Report report = {0};
    Gpu *gpu = gpu_open(&report);
    bool ok = gpu != NULL;
    if (gpu) {
        LeafDevice device = gpu_leaf_device(gpu);
        ok = parallel_measure_leaves(game, &device, (uint32_t)atoi(states), seconds_of(work),
                                     measured);
    }
    gpu_close(gpu);
    report_free(&report);
    return ok;
}

static double clock_of_moves(const ExperimentSetup *setup) {
    return setup->move_seconds > 0 ? setup->move_seconds
           : setup->is_quick       ? quick_move_seconds
                                   : move_seconds;
}

static unsigned count_of_duels(const ExperimentSetup *setup, const char *way) {
    return setup->is_quick ? QUICK_DUELS : strchr(way, '+') ? OTHER_DUELS : DUELS;
}

/* Matches run in parallel if the threads of one match leave processors free. Games that are not for
 * two players have no matches. */
static bool measure_strength(const ExperimentWork *work, Game *game, const char *way,
                             unsigned threads, Measured *measured) {
    const ExperimentSetup *setup = experiment_setup(work);
    unsigned processors = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    bool on_gpu = strcmp(way, "gpu") == 0, ok;
    unsigned at_a_time = on_gpu ? PARALLEL_GPU_DUELS : processors / threads;
    char player[60];
    Contestant first, second;
    Report report = {0};
    if (game->role_count != 2 || game_hides(game))
        return true;
    snprintf(player, sizeof player, "uct:threads=%u,parallel=%s", threads, way);
    for (char *plus = strchr(player, '+'); plus; plus = strchr(plus, '+'))
        *plus = ',';
    ok = contestant_read(&first, on_gpu ? "uct:gpu=1" : player, &report);
    ok = contestant_read(&second, "uct", &report) && ok;
    DuelSetup duel = {.game = game,
                      .sides = {&first, &second},
                      .seconds = clock_of_moves(setup),
                      .counts_wall_clock = true,
                      .stopped = interrupt_flag()};
    ok = ok && parallel_measure_strength(&duel, count_of_duels(setup, way),
                                         at_a_time ? at_a_time : 1, measured);
    contestant_free(&first);
    contestant_free(&second);
    report_free(&report);
    return ok;
}

/* Games with hidden information have no tree of positions. */
static bool measure_distributed(const ExperimentWork *work, Game *game, const char *variant,
                                unsigned machines, Measured *measured) {
    size_t v = 0;
    while (v + 1 < sizeof distributed / sizeof *distributed &&
           strcmp(distributed[v].variant, variant) != 0)
        v++;
    DistributedTree tree = {machines, distributed[v].duplicated, distributed[v].period};
    double started = clock_wall_seconds();
    bool ok = game_hides(game) ||
              model_distributed_tree(
                  game, &tree, experiment_setup(work)->is_quick ? QUICK_SIMULATIONS : SIMULATIONS,
                  measured);
    measured->seconds = clock_wall_seconds() - started;
    return ok;
}

/* Only games with one role have nested searches. */
static bool measure_nested(const ExperimentWork *work, Game *game, const char *dispatcher,
                           unsigned clients, Measured *measured) {
    size_t dispatch = index_of(dispatcher, dispatchers, sizeof dispatchers / sizeof *dispatchers);
    return game->role_count != 1 || !game_has_circuit(game) ||
           model_nested(game, (Dispatch)dispatch, clients,
                        experiment_setup(work)->is_quick ? quick_nested_seconds : nested_seconds,
                        measured);
}

static bool measure(ExperimentWork *work, const char *const *job, Game *game, Measured *measured) {
    const char *part = job[0], *name = job[1], *variant = job[2];
    unsigned threads = (unsigned)atoi(job[3]);
    double seconds = seconds_of(work);
    if (!strcmp(part, "vectors"))
        return measure_vectors(work, name, variant, measured);
    if (!strcmp(part, "search"))
        return measure_search(work, game, variant, threads, measured);
    if (!strcmp(part, "gpu"))
        return measure_gpu(work, game, measured);
    if (!strcmp(part, "leaves"))
        return measure_leaves(work, game, variant, measured);
    if (!strcmp(part, "ranks"))
        return parallel_measure_ranks(name, threads, seconds, measured);
    if (!strcmp(part, "messages"))
        return parallel_measure_messages(name, threads, (unsigned)atoi(variant), seconds, measured);
    if (!strcmp(part, "distributed"))
        return measure_distributed(work, game, variant, threads, measured);
    if (!strcmp(part, "nested"))
        return measure_nested(work, game, variant, threads, measured);
    if (!strcmp(part, "strength"))
        return measure_strength(work, game, variant, threads, measured);
    if (!strcmp(part, "rounds"))
        parallel_measure_rounds(game,
                                (ThreadCare)index_of(variant, cares, sizeof cares / sizeof *cares),
                                threads, seconds, measured);
    else
        *measured = play(work, game, threads, seconds_of_run(work), NULL);
    return true;
}

static bool run(ExperimentWork *work, const char *const *job, ResultRows *row) {
    Measured measured = {0};
    Game *game = experiment_game(work, job[1]);
    if (!game || !measure(work, job, game, &measured) || interrupt_requested())
        return false;
    result_rows_add_cell(row, "%.15g", measured.matches);
    result_rows_add_cell(row, "%.4f", measured.seconds);
    result_rows_add_cell(row, "%.1f", measured.points);
    return true;
}

/* ---- the page ---- */

static bool has(const ResultRows *runs, size_t row, const char *column, const char *text) {
    return strcmp(result_rows_text(runs, row, column), text) == 0;
}

/* A rate that was measured several times: the median, and the range divided by the median. */
typedef struct {
    double median, spread;
} Rate;

static int compare_rates(const void *a, const void *b) {
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static Rate rates_of(const ResultRows *runs, size_t row) {
    VECTOR(double) rates = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        bool is_same = result_rows_number(runs, i, "seconds") > 0;
        for (int k = 0; k < 4; k++) /* all keys but the number of the run */
            is_same = is_same && has(runs, i, keys[k], result_rows_text(runs, row, keys[k]));
        if (is_same)
            vector_push(&rates, result_rows_number(runs, i, "matches") /
                                    result_rows_number(runs, i, "seconds"));
    }
    Rate rate = {0};
    if (rates.count) {
        vector_sort(&rates, compare_rates);
        rate.median = rates.items[rates.count / 2];
        rate.spread = rate.median > 0 ? (vector_last(&rates) - rates.items[0]) / rate.median : 0;
    }
    vector_free(&rates);
    return rate;
}

static double rate_of(const ResultRows *runs, size_t row) {
    return rates_of(runs, row).median;
}

/* Returns the rate that a row is compared with: one thread of the same kind, the slowest vectors,
 * one core, small messages between two processes, or two threads that are kept. */
static double base_of(const ResultRows *runs, size_t row) {
    const char *part = result_rows_text(runs, row, "part");
    bool is_gpu = !strcmp(part, "gpu") || !strcmp(part, "leaves");
    bool is_vectors = !strcmp(part, "vectors"), is_rounds = !strcmp(part, "rounds");
    bool is_message = !strcmp(part, "messages");
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!has(runs, i, "game", result_rows_text(runs, row, "game")) ||
            !has(runs, i, "part", is_gpu ? "matches" : part) ||
            !has(runs, i, "threads", is_rounds || is_message ? "2" : "1"))
            continue;
        const char *variant = is_vectors   ? "portable"
                              : is_rounds  ? "kept"
                              : is_message ? "200"
                                           : result_rows_text(runs, row, "variant");
        if (is_gpu || has(runs, i, "variant", variant))
            return rate_of(runs, i);
    }
    return NAN;
}

static void add_part(ExperimentWork *work, const ResultRows *runs, const char *part,
                     const char *title, Text *page) {
    static const char *const columns[] = {"game",   "variant", "threads", "a second",
                                          "spread", "times",   NULL};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!has(runs, i, "part", part) || !has(runs, i, "run", "1"))
            continue;
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "game"));
        result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "variant"));
        result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "threads"));
        Rate rate = rates_of(runs, i);
        result_rows_add_cell(&table, "%.4g", rate.median);
        result_rows_add_cell(&table, "%.2f", rate.spread);
        result_rows_add_cell(&table, "%.2f", rate.median / base_of(runs, i));
    }
    if (table.rows.count) {
        text_printf(page, "## %s\n\n", title);
        experiment_add_table(work, page, part, &table);
    }
    result_rows_free(&table);
}

/* Adds points with their standard errors. */
static void add_strength(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"game",    "variant", "threads", "points",
                                          "matches", "error",   NULL};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        double matches = result_rows_number(runs, i, "matches");
        double points = result_rows_number(runs, i, "points");
        if (!has(runs, i, "part", "strength") || !(matches > 0))
            continue;
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "game"));
        result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "variant"));
        result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "threads"));
        result_rows_add_cell(&table, "%g", points);
        result_rows_add_cell(&table, "%g", matches);
        result_rows_add_cell(&table, "%.1f", sqrt(points * (1 - points / matches)));
    }
    if (table.rows.count) {
        text_printf(page, "## Against one thread, %g seconds a move by the clock\n\n",
                    clock_of_moves(experiment_setup(work)));
        experiment_add_table(work, page, "strength", &table);
    }
    result_rows_free(&table);
}

/* Adds the results of a model: one column divided by another. */
static void add_model(ExperimentWork *work, const ResultRows *runs, const char *part,
                      const char *title, const char *count, const char *unit, const char *label,
                      Text *page) {
    const char *const columns[] = {"game", "variant", "machines", label, NULL};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        double units = result_rows_number(runs, i, unit);
        if (!has(runs, i, "part", part) || !(units > 0))
            continue;
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "game"));
        result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "variant"));
        result_rows_add_cell(&table, "%s", result_rows_text(runs, i, "threads"));
        result_rows_add_cell(&table, "%.4g", result_rows_number(runs, i, count) / units);
    }
    if (table.rows.count) {
        text_printf(page, "## %s\n\n", title);
        experiment_add_table(work, page, part, &table);
    }
    result_rows_free(&table);
}

static void add_speedups(ExperimentWork *work, const ResultRows *runs, const char *part,
                         const char *title, const char *label, Text *page) {
    Plot plot = {.title = title, .x_label = label, .y_label = "times one"};
    const char *game = "";
    PlotSeries *series = NULL;
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!has(runs, i, "part", part) || !has(runs, i, "run", "1"))
            continue;
        if (!has(runs, i, "game", game)) {
            if (plot.series_count == PLOT_MAX_SERIES)
                break;
            game = result_rows_text(runs, i, "game");
            series = plot_add_series(&plot, game);
        }
        plot_add_point(series, result_rows_number(runs, i, "threads"),
                       rate_of(runs, i) / base_of(runs, i), 0);
    }
    if (plot.series_count)
        experiment_add_plot(work, page, strcmp(part, "ranks") == 0 ? "ranks" : "speedups", &plot);
    else
        plot_free(&plot);
}

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    text_add(page,
             "# Beyond one core\n\n"
             "Written by `marelle experiment parallel`; `runs.csv` holds every run. Everything is "
             "per second of the clock. What threads are worth is a median; `spread` is the range "
             "from the least to the most as a share of it. docs/results/parallel.md has the "
             "verdicts.\n\n");
    add_part(work, runs, "vectors", "Random matches, by the width of vectors (one core)", page);
    add_part(work, runs, "matches", "Random matches over threads", page);
    add_speedups(work, runs, "matches", "Random matches over threads", "threads", page);
    add_part(work, runs, "ranks", "Random matches over processes", page);
    add_speedups(work, runs, "ranks", "Random matches over processes", "processes", page);
    add_part(work, runs, "messages", "Messages to the first process and back, by bytes", page);
    add_part(work, runs, "rounds", "Rounds of 512 matches a thread: threads that are kept, or not",
             page);
    add_part(work, runs, "search", "Playouts of UCT over threads", page);
    add_strength(work, runs, page);
    add_part(work, runs, "gpu", "Random matches on the GPU, against one core", page);
    add_part(work, runs, "leaves", "Playouts on the GPU by the states of a batch, against one core",
             page);
    add_model(work, runs, "distributed",
              "Model: messages of a distributed tree, by which positions are copied and how often "
              "they are synchronised",
              "points", "matches", "messages a simulation", page);
    add_model(work, runs, "nested",
              "Model: nested searches on machines, with the lengths that jobs have here", "matches",
              "seconds", "times one", page);
}

const Experiment experiment_parallel = {
    .name = "parallel",
    .summary = "matches and searches over vectors, threads, processes and the GPU",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
