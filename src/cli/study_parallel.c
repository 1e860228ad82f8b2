/* The study of more than one core: random matches and searches over threads, the widths of vectors,
 * and the GPU where there is one. Speeds are those of the clock, so that the machine has to be
 * quiet, and the study has to run in one process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/accelerator.h"
#include "cli/experiment.h"
#include "cli/open.h"
#include "cli/output.h"
#include "search/search.h"

static const char *const keys[] = {"part", "game", "variant", "threads", NULL};
static const char *const values[] = {"matches", "seconds", NULL};

static const char *const own_games[] = {"tic_tac_toe", "connect_four", "breakthrough", "reversi"};
static const char *const quick_games[] = {"tic_tac_toe"};
static const char *const ways[] = {"leaf", "tree", "root"};

static const double job_seconds = 2, quick_seconds = 0.05;

static void add_job(Records *jobs, const char *part, const char *game, const char *variant,
                    unsigned threads) {
    records_add_row(jobs);
    records_add_cell(jobs, "%s", part);
    records_add_cell(jobs, "%s", game);
    records_add_cell(jobs, "%s", variant);
    records_add_cell(jobs, "%u", threads);
}

static bool has_gpu(void) {
    Report report = {0};
    Gpu *gpu = gpu_open(&report);
    bool found = gpu != NULL;
    gpu_close(gpu);
    report_free(&report);
    return found;
}

static void plan_game(const char *game, unsigned processors, bool gpu, Records *jobs) {
    for (int kind = KERNEL_PORTABLE; kind <= KERNEL_COMPILED; kind++)
        if (kernel_kind_available((KernelKind)kind))
            add_job(jobs, "vectors", game, kernel_kind_name((KernelKind)kind), 1);
    for (unsigned threads = 1; threads <= processors; threads *= 2)
        add_job(jobs, "matches", game, "threads", threads);
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (unsigned threads = 1; threads <= processors; threads *= 2)
            add_job(jobs, "search", game, ways[way], threads);
    if (gpu)
        add_job(jobs, "gpu", game, "gpu", 1);
}

static void plan(const ExperimentSetup *setup, Records *jobs) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const char *const *games = setup->is_quick ? quick_games : own_games;
    size_t count = sizeof own_games / sizeof *own_games;
    bool gpu = has_gpu();
    if (setup->is_quick)
        count = sizeof quick_games / sizeof *quick_games;
    if (setup->game_count) {
        games = setup->games;
        count = setup->game_count;
    }
    for (size_t i = 0; i < count; i++)
        plan_game(games[i], processors > 1 ? (unsigned)processors : 1, gpu, jobs);
}

typedef struct {
    uint64_t matches;
    double seconds;
} Measured;

static double seconds_of(const ExperimentWork *work) {
    return experiment_setup(work)->is_quick ? quick_seconds : job_seconds;
}

static Measured play(const ExperimentWork *work, Game *game, unsigned threads,
                     const MatchDevice *device) {
    MatchPlan match_plan = {.game = game,
                            .reasoner = device ? REASONER_GPU : REASONER_AUTO,
                            .device = device,
                            .seconds = seconds_of(work),
                            .seed = experiment_setup(work)->first_seed,
                            .threads = threads,
                            .step_limit = STEP_LIMIT,
                            .stopped = interrupt_flag()};
    Matches matches;
    double started = clock_wall_seconds();
    matches_play(&match_plan, &matches);
    Measured measured = {matches_count(&matches), clock_wall_seconds() - started};
    matches_free(&matches);
    return measured;
}

static bool measure_vectors(const ExperimentWork *work, const char *name, const char *kernel,
                            Measured *measured) {
    GameOptions options = {0};
    int status;
    for (int kind = KERNEL_PORTABLE; kind <= KERNEL_COMPILED; kind++)
        if (strcmp(kernel_kind_name((KernelKind)kind), kernel) == 0)
            options.kernel = (KernelKind)kind;
    Game *game = open_game(name, &options, &status);
    if (!game)
        return false;
    game_turn(game); /* building is not measured */
    *measured = play(work, game, 1, NULL);
    game_free(game);
    return true;
}

static bool measure_gpu(const ExperimentWork *work, Game *game, Measured *measured) {
    Accelerator accelerator = {0};
    int status = STATUS_DONE;
    GpuPlayerOptions options = {.seed = experiment_setup(work)->first_seed};
    bool well = game_has_circuit(game) && accelerator_open(&accelerator, game, &options, &status);
    if (well) {
        *measured = play(work, game, 1, &accelerator.device);
        well = accelerator_is_well(&accelerator, &status);
    }
    accelerator_close(&accelerator);
    return well;
}

static bool measure_search(const ExperimentWork *work, Game *game, const char *way,
                           unsigned threads, Measured *measured) {
    SearchOptions options = {.seed = experiment_setup(work)->first_seed, .threads = threads};
    Report report = {0};
    State state = {0};
    GameWork *questions = game_work(game, REASONER_AUTO);
    parallel_from_name(way, &options.parallel);
    Search *search = search_create("uct", game, 0, &options, &report);
    if (search) {
        SearchResult result = {0};
        game_initial(questions, &state);
        search_set_state(search, &state);
        double started = clock_wall_seconds();
        search_run(search, &(SearchBudget){.deadline = deadline_in(seconds_of(work)),
                                           .stopped = interrupt_flag()});
        measured->seconds = clock_wall_seconds() - started;
        search_result(search, &result);
        measured->matches = result.playouts;
        search_result_free(&result);
    } else {
        print_failure(&report);
    }
    bool well = search != NULL;
    search_free(search);
    state_free(&state);
    game_work_free(questions);
    report_free(&report);
    return well;
}

static bool run(ExperimentWork *work, const char *const *job, Records *row) {
    const char *part = job[0], *variant = job[2];
    unsigned threads = (unsigned)atoi(job[3]);
    Measured measured = {0};
    Game *game = experiment_game(work, job[1]);
    bool well = game != NULL;
    if (well && !strcmp(part, "vectors"))
        well = measure_vectors(work, job[1], variant, &measured);
    else if (well && !strcmp(part, "search"))
        well = measure_search(work, game, variant, threads, &measured);
    else if (well && !strcmp(part, "gpu"))
        well = measure_gpu(work, game, &measured);
    else if (well)
        measured = play(work, game, threads, NULL);
    if (!well || interrupt_requested())
        return false;
    records_add_cell(row, "%lu", (unsigned long)measured.matches);
    records_add_cell(row, "%.4f", measured.seconds);
    return true;
}

/* ---- the page ---- */

static double rate_of(const Records *runs, size_t row) {
    double seconds = records_number(runs, row, "seconds");
    return seconds > 0 ? records_number(runs, row, "matches") / seconds : 0;
}

static bool has(const Records *runs, size_t row, const char *column, const char *text) {
    return strcmp(records_text(runs, row, column), text) == 0;
}

/* What a row is compared with: one thread of the same kind, the slowest vectors, one core. */
static double base_of(const Records *runs, size_t row) {
    const char *part = records_text(runs, row, "part");
    bool is_gpu = !strcmp(part, "gpu"), is_vectors = !strcmp(part, "vectors");
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!has(runs, i, "game", records_text(runs, row, "game")) ||
            !has(runs, i, "part", is_gpu ? "matches" : part) || !has(runs, i, "threads", "1"))
            continue;
        if (is_gpu ||
            has(runs, i, "variant", is_vectors ? "portable" : records_text(runs, row, "variant")))
            return rate_of(runs, i);
    }
    return NAN;
}

static void add_part(ExperimentWork *work, const Records *runs, const char *part, const char *title,
                     Text *page) {
    static const char *const columns[] = {"game", "variant", "threads", "a second", "times", NULL};
    Records table;
    records_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!has(runs, i, "part", part))
            continue;
        records_add_row(&table);
        records_add_cell(&table, "%s", records_text(runs, i, "game"));
        records_add_cell(&table, "%s", records_text(runs, i, "variant"));
        records_add_cell(&table, "%s", records_text(runs, i, "threads"));
        records_add_cell(&table, "%.4g", rate_of(runs, i));
        records_add_cell(&table, "%.2f", rate_of(runs, i) / base_of(runs, i));
    }
    if (table.rows.count) {
        text_printf(page, "## %s\n\n", title);
        experiment_add_table(work, page, part, &table);
    }
    records_free(&table);
}

static void add_speedups(ExperimentWork *work, const Records *runs, Text *page) {
    Plot plot = {.title = "Random matches over threads",
                 .x_label = "threads",
                 .y_label = "times one thread"};
    const char *game = "";
    PlotSeries *series = NULL;
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (!has(runs, i, "part", "matches"))
            continue;
        if (!has(runs, i, "game", game)) {
            if (plot.series_count == PLOT_MOST_SERIES)
                break;
            game = records_text(runs, i, "game");
            series = plot_add_series(&plot, game);
        }
        plot_add_point(series, records_number(runs, i, "threads"),
                       rate_of(runs, i) / base_of(runs, i), 0);
    }
    experiment_add_plot(work, page, "speedups", &plot);
}

static void report(ExperimentWork *work, const Records *runs, Text *page) {
    text_add(page,
             "# Beyond one core\n\nWritten by `marelle experiment parallel`; `runs.csv` holds "
             "every run. Everything is per second of the clock. docs/parallel.md compares "
             "with the thesis.\n\n");
    add_part(work, runs, "vectors", "Random matches, by the width of vectors (one core)", page);
    add_part(work, runs, "matches", "Random matches over threads", page);
    add_speedups(work, runs, page);
    add_part(work, runs, "search", "Play-outs of UCT over threads", page);
    add_part(work, runs, "gpu", "Random matches on the GPU, against one core", page);
}

const Experiment experiment_parallel = {
    .name = "parallel",
    .summary = "matches and searches over vectors, threads and the GPU",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
