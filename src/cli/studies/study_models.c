/* The study of models in play: `uct` with a model that can be learnt in a start clock against `uct`
 * without it, at equal CPU time. A job either learns a model of a game and saves it in the study's
 * folder, or plays some of the matches with it. Like players, it does not use a model that was not
 * accepted. With equal playouts the model is always used, which shows how much it knows. */
#include <string.h>

#include "base/interrupt.h"
#include "base/table.h"
#include "cli/studies/experiment.h"
#include "learn/play/acceptance.h"
#include "learn/play/model_training.h"
#include "learn/play/worth.h"

enum {
    ROWS = 20000,
    ACCEPTANCE_MATCHES = 40,
    MATCHES = 100,        /* matches per job */
    EVEN_PLAYOUTS = 1024, /* playouts per move, if both sides have the same number */
    WORTH_STATES = 300,
    THREADS = 2
};
static const double TEST_SHARE = 0.2;
/* LEARN_SECONDS: wall-clock time for learning and acceptance together. MOVE_SECONDS: CPU time per
 * move. */
static const double LEARN_SECONDS = 400, MOVE_SECONDS = 0.0015;

static const char *const keys[] = {"game", "job", NULL};
static const char *const values[] = {"states",  "brier", "mean_brier", "worth", "use", "is_open",
                                     "matches", "wins",  "draws",      "cpu_s", NULL};

static void plan_job(ResultRows *jobs, const char *game, const char *job) {
    result_rows_add_row(jobs);
    result_rows_add_cell(jobs, "%s", game);
    result_rows_add_cell(jobs, "%s", job);
}

/* Jobs with matches at equal time have numbers as names. All games come before the next job name,
 * so that an interrupted study has played every game. */
static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    static const char *const own[] = {
        "tic_tac_toe", "breakthrough", "connect_four", "reversi",
        "hex",         "checkers",     "chomp",        "double_tic_tac_toe_free",
        "nim",         "nim_misere"};
    static const char *const names[] = {"model", "1", "2", "3", "4", "even"};
    const char *const *games = setup->game_count ? setup->games : own;
    size_t count = setup->game_count ? setup->game_count
                   : setup->is_quick ? 1
                                     : sizeof own / sizeof *own;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t i = 0; i < count; i++)
            plan_job(jobs, games[i], names[k]);
}

/* A quick study plays four matches instead. */
static uint64_t matches_of(const ExperimentSetup *setup, uint64_t usual) {
    return setup->is_quick ? 4 : usual;
}

/* ---- learning ---- */

static double brier_of_mean(const Matrix *matrix) {
    double sum = 0;
    for (uint32_t o = 0; o < matrix->output_count; o++) {
        Summary targets = {0};
        for (size_t i = 0; i < matrix->rows; i++)
            summary_add(&targets, (double)matrix->targets[o * matrix->stride + i]);
        double deviation = targets.count > 1 ? summary_deviation(&targets) : 0;
        sum += deviation * deviation / matrix->output_count;
    }
    return sum;
}

static void add_quality(const ExperimentSetup *setup, Game *game, const Model *model,
                        const DataSet *train, const DataSet *test, ResultRows *cells) {
    Examples *rows = model_examples(model, game, test, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(rows);
    Errors errors = network_errors(&model->network, matrix);
    Worth worth;
    worth_measure(game, model, test, WORTH_STATES, setup->first_seed, &worth);
    result_rows_add_cell(cells, "%zu", dataset_rows(train));
    result_rows_add_cell(cells, "%.5f", errors.squared);
    result_rows_add_cell(cells, "%.5f", brier_of_mean(matrix));
    result_rows_add_cell(cells, "%u", worth.worth);
    matrix_free(matrix);
    examples_free(rows);
}

static Model *learn(const ExperimentSetup *setup, Game *game, Pool *pool, ResultRows *cells) {
    ModelLearnOptions options = {.seconds = setup->is_quick ? 2 : LEARN_SECONDS,
                                 .rows = ROWS,
                                 .seed = setup->first_seed + 1,
                                 .stopped = interrupt_flag(),
                                 .pool = pool};
    DataSet *set = model_collect_data(game, &options), *train, *test;
    if (!set)
        return NULL;
    dataset_split(set, TEST_SHARE, setup->first_seed, &train, &test);
    TrainOptions training = model_train_options(&options);
    Model *model = model_train(game, train, &training);
    add_quality(setup, game, model, train, test, cells);
    AcceptanceOptions acceptance = {.seconds = MOVE_SECONDS,
                                    .matches = matches_of(setup, ACCEPTANCE_MATCHES),
                                    .stopped = interrupt_flag(),
                                    .seed = setup->first_seed};
    acceptance_choose_use(game, model, &acceptance, pool);
    dataset_free(set);
    dataset_free(train);
    dataset_free(test);
    return model;
}

static void name_model(const char *game, Text *name) {
    const char *last = experiment_short_name(game);
    text_printf(name, "%.*s.model", (int)strcspn(last, "."), last);
}

static bool save_model(ExperimentWork *work, const char *game, const Model *model) {
    Text name = {0}, text = {0};
    name_model(game, &name);
    model_write(model, &text);
    bool is_saved = experiment_save(work, text_string(&name), &text);
    vector_free(&name);
    vector_free(&text);
    return is_saved;
}

static void add_matches(const AcceptanceResult *result, double started, ResultRows *cells) {
    result_rows_add_cell(cells, "%lu", (unsigned long)result->matches);
    result_rows_add_cell(cells, "%lu", (unsigned long)result->wins);
    result_rows_add_cell(cells, "%lu", (unsigned long)result->draws);
    result_rows_add_cell(cells, "%.1f", clock_cpu_seconds() - started);
}

/* If there is no model, the cells of the row are empty. */
static bool run_learning(ExperimentWork *work, const char *name, Game *game, Pool *pool,
                         ResultRows *cells) {
    double started = clock_cpu_seconds();
    Model *model =
        model_can_be_learnt(game) ? learn(experiment_setup(work), game, pool, cells) : NULL;
    if (!model)
        return !interrupt_requested();
    result_rows_add_cell(cells, "%s", model->use.playout_turns == 0 ? "judged" : "mixed");
    result_rows_add_cell(cells, "%d", acceptance_is_given(&model->acceptance));
    add_matches(&model->acceptance, started, cells);
    bool is_saved = save_model(work, name, model);
    model_free(model);
    return is_saved && !interrupt_requested();
}

/* ---- matches ---- */

static Model *read_model(const ExperimentWork *work, const char *game) {
    Text path = {0};
    Report report = {0};
    text_printf(&path, "%s/", experiment_setup(work)->folder);
    name_model(game, &path);
    Source *source = source_read(text_string(&path), &report);
    Model *model = source ? model_read(source, &report) : NULL;
    vector_free(&path);
    report_free(&report);
    return model;
}

static AcceptanceResult play(const ExperimentSetup *setup, Game *game, const Model *model,
                             const char *job, Pool *pool) {
    Evaluator *evaluator = evaluator_create(model);
    SearchEvaluation evaluation = evaluator_interface(evaluator);
    SearchOptions with = {0}, without = {0};
    bool is_even = strcmp(job, "even") == 0;
    uint64_t part = strtoull(job, NULL, 10);
    AcceptanceResult result;
    AcceptanceOptions options = {.seconds = MOVE_SECONDS,
                                 .playouts = is_even ? EVEN_PLAYOUTS : 0,
                                 .matches = matches_of(setup, MATCHES),
                                 .stopped = interrupt_flag(),
                                 .seed = hash_finish(hash_mix(setup->first_seed + 2, part))};
    if (is_even || acceptance_is_given(&model->acceptance))
        acceptance_set_options(&evaluation, &with);
    acceptance_measure(game, &with, &without, &options, pool, &result);
    evaluator_free(evaluator);
    return result;
}

static bool run_matches(ExperimentWork *work, const char *const *job, Game *game, Pool *pool,
                        ResultRows *cells) {
    double started = clock_cpu_seconds();
    Model *model = read_model(work, job[0]);
    AcceptanceResult result = {0};
    if (model)
        result = play(experiment_setup(work), game, model, job[1], pool);
    for (int empty = 0; empty < 6; empty++)
        result_rows_add_cell(cells, "%s", "");
    add_matches(&result, started, cells);
    model_free(model);
    return !interrupt_requested();
}

static bool run(ExperimentWork *work, const char *const *job, ResultRows *cells) {
    Game *game = experiment_game(work, job[0]);
    if (!game)
        return false;
    Pool *pool = pool_create(THREADS);
    bool is_done = strcmp(job[1], "model") == 0 ? run_learning(work, job[0], game, pool, cells)
                                                : run_matches(work, job, game, pool, cells);
    pool_free(pool);
    return is_done;
}

/* ---- the page ---- */

/* Index 0 counts games whose model is not accepted, index 1 the others. */
typedef struct {
    unsigned long games[2], helps[2], hurts[2];
} Verdicts;

/* Sums the results of a game over its jobs at equal time, or with equal playouts. */
static AcceptanceResult sum_of(const ResultRows *runs, const char *game, bool is_even) {
    AcceptanceResult sum = {0};
    for (size_t i = 0; i < runs->rows.count; i++) {
        const char *job = result_rows_text(runs, i, "job");
        bool counts = is_even ? strcmp(job, "even") == 0 : strtoull(job, NULL, 10) > 0;
        if (!counts || strcmp(result_rows_text(runs, i, "game"), game) != 0)
            continue;
        sum.matches += (uint64_t)result_rows_number(runs, i, "matches");
        sum.wins += (uint64_t)result_rows_number(runs, i, "wins");
        sum.draws += (uint64_t)result_rows_number(runs, i, "draws");
    }
    return sum;
}

static AcceptanceResult result_of(const ResultRows *runs, size_t row) {
    return (AcceptanceResult){(uint64_t)result_rows_number(runs, row, "matches"),
                              (uint64_t)result_rows_number(runs, row, "wins"),
                              (uint64_t)result_rows_number(runs, row, "draws")};
}

static void add_game(const ResultRows *runs, size_t row, ResultRows *table, Verdicts *v) {
    const char *game = result_rows_text(runs, row, "game");
    bool is_open = result_rows_number(runs, row, "is_open") > 0;
    AcceptanceResult acceptance = result_of(runs, row), timed = sum_of(runs, game, false);
    AcceptanceResult even = sum_of(runs, game, true);
    double share = acceptance_share(&timed), half = 1.96 * acceptance_error(&timed);
    if (!timed.matches)
        return;
    result_rows_add_row(table);
    result_rows_add_cell(table, "%s", experiment_short_name(game));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "brier"));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "mean_brier"));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "worth"));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "use"));
    result_rows_add_cell(table, "%s: %.1f %% of %lu", is_open ? "open" : "closed",
                         100 * acceptance_share(&acceptance), (unsigned long)acceptance.matches);
    result_rows_add_cell(table, "%lu", (unsigned long)timed.matches);
    result_rows_add_cell(table, "%.1f %%", 100 * share);
    result_rows_add_cell(table, "%.1f to %.1f", 100 * (share - half), 100 * (share + half));
    if (even.matches)
        result_rows_add_cell(table, "%.1f %%", 100 * acceptance_share(&even));
    v->games[is_open]++;
    v->helps[is_open] += share - half > 0.5;
    v->hurts[is_open] += share + half < 0.5;
}

static void add_games(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {
        "game",  "Brier",         "of the mean",       "worth", "use", "gate", "matches",
        "share", "95 % interval", "at equal playouts", NULL};
    ResultRows table;
    Verdicts v = {0};
    result_rows_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++)
        if (result_rows_text(runs, i, "is_open")[0] != '\0')
            add_game(runs, i, &table, &v);
    text_printf(page,
                "`uct` with a model of at most %d states against `uct` without, %.4f CPU seconds a "
                "move, sides swapped. The gate opens in %lu of %lu games; there the model helps in "
                "%lu (95 %% interval above 50 %%) and hurts in %lu (below). Where it is closed the "
                "player leaves the model alone, so that the same search sits on both sides and "
                "only chance tells them apart: of these %lu games the interval is above 50 %% in "
                "%lu and below in %lu. At equal playouts (%d a move, %d matches) the model is "
                "used whatever its "
                "gate says. Brier scores are against what searches of 1,024 playouts think of "
                "held-out states; worth: random matches from a state that do as well as the model "
                "there, %d: more than that. Judged: by the model alone; mixed: half of a leaf's "
                "value are random matches.\n\n",
                ROWS, MOVE_SECONDS, v.games[true], v.games[false] + v.games[true], v.helps[true],
                v.hurts[true], v.games[false], v.helps[false], v.hurts[false], EVEN_PLAYOUTS,
                MATCHES, WORTH_MAX_PLAYOUTS + 1);
    experiment_add_table(work, page, "models", &table);
}

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    text_add(page, "# Models in play\n\nWritten by `marelle experiment models`; `runs.csv` holds "
                   "every run. docs/how-it-works/learning.md explains the models.\n\n");
    add_games(work, runs, page);
}

const Experiment experiment_models = {
    .name = "models",
    .summary = "searches with a learnt evaluation against the same without",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
