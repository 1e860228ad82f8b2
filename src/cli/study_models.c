/* The study of models in play: `uct` with a model that a short start clock allows against `uct`
 * without, at equal processor time. One job is one game. */
#include "base/interrupt.h"
#include "base/table.h"
#include "cli/experiment.h"
#include "learn/apprentice.h"
#include "learn/gate.h"
#include "learn/worth.h"

enum {
    ROWS = 20000,
    GATE_MATCHES = 40,
    EVEN_MATCHES = 40,
    MATCHES = 200,
    EVEN_PLAYOUTS = 1024, /* a move, where both have the same number of them */
    WORTH_STATES = 300,
    THREADS = 2
};
static const double TEST_SHARE = 0.2;
/* Of the clock for everything before the matches that count; and of the processor for a move. */
static const double LEARN_SECONDS = 120, MOVE_SECONDS = 0.0015;

static const char *const keys[] = {"game", NULL};
static const char *const values[] = {
    "states",      "brier",      "constant_brier", "worth",       "use",   "gate_matches",
    "gate_share",  "is_open",    "matches",        "wins",        "draws", "share",
    "share_error", "even_share", "even_error",     "learn_cpu_s", "cpu_s", NULL};

static void plan(const ExperimentSetup *setup, Records *jobs) {
    static const char *const own[] = {
        "tic_tac_toe", "breakthrough", "connect_four", "reversi",
        "hex",         "checkers",     "chomp",        "double_tic_tac_toe_free",
        "nim",         "nim_misere"};
    const char *const *games = setup->game_count ? setup->games : own;
    size_t count = setup->game_count ? setup->game_count
                   : setup->is_quick ? 1
                                     : sizeof own / sizeof *own;
    for (size_t i = 0; i < count; i++) {
        records_add_row(jobs);
        records_add_cell(jobs, "%s", games[i]);
    }
}

/* A quick study plays a few matches of everything. */
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
                        const DataSet *train, const DataSet *test, Records *cells) {
    Examples *rows = model_examples(model, test, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(rows);
    Errors errors = network_errors(&model->network, matrix);
    Worth worth;
    worth_measure(game, model, test, WORTH_STATES, setup->first_seed, &worth);
    records_add_cell(cells, "%zu", dataset_rows(train));
    records_add_cell(cells, "%.5f", errors.squared);
    records_add_cell(cells, "%.5f", brier_of_mean(matrix));
    records_add_cell(cells, "%u", worth.worth);
    matrix_free(matrix);
    examples_free(rows);
}

static Model *learn(const ExperimentSetup *setup, Game *game, Pool *pool, Records *cells) {
    ApprenticeOptions options = {.seconds = setup->is_quick ? 2 : LEARN_SECONDS,
                                 .rows = ROWS,
                                 .seed = setup->first_seed + 1,
                                 .stopped = interrupt_flag(),
                                 .pool = pool};
    DataSet *set = apprentice_collect(game, &options), *train, *test;
    if (!set)
        return NULL;
    dataset_split(set, TEST_SHARE, setup->first_seed, &train, &test);
    TrainOptions training = apprentice_training(&options);
    Model *model = apprentice_train(game, train, &training);
    add_quality(setup, game, model, train, test, cells);
    GateOptions gate = {.seconds = MOVE_SECONDS,
                        .matches = matches_of(setup, GATE_MATCHES),
                        .stopped = interrupt_flag(),
                        .seed = setup->first_seed};
    gate_choose_use(game, model, &gate, pool);
    dataset_free(set);
    dataset_free(train);
    dataset_free(test);
    return model;
}

/* ---- the matches that count ---- */

static GateResult play_on(const ExperimentSetup *setup, Game *game, const Model *model,
                          uint64_t playouts, uint64_t matches, Pool *pool) {
    Evaluator *evaluator = evaluator_create(model);
    SearchEvaluation evaluation = evaluator_interface(evaluator);
    SearchOptions with = {0}, without = {0};
    GateResult result;
    GateOptions options = {.seconds = MOVE_SECONDS,
                           .playouts = playouts,
                           .matches = matches_of(setup, matches),
                           .stopped = interrupt_flag(),
                           .seed = hash_finish(hash_mix(setup->first_seed, 2))};
    gate_set_options(&evaluation, &with);
    gate_measure(game, &with, &without, &options, pool, &result);
    evaluator_free(evaluator);
    return result;
}

static void add_result(const GateResult *result, Records *cells) {
    records_add_cell(cells, "%.4f", gate_share(result));
    records_add_cell(cells, "%.4f", gate_error(result));
}

/* Where the gate is closed both sides are the same player, and there is nothing to measure. */
static void add_matches(const ExperimentSetup *setup, Game *game, const Model *model, Pool *pool,
                        Records *cells) {
    GateResult timed = {0}, even = {0};
    if (gate_is_open(&model->gate) || setup->is_quick) {
        timed = play_on(setup, game, model, 0, MATCHES, pool);
        even = play_on(setup, game, model, EVEN_PLAYOUTS, EVEN_MATCHES, pool);
    }
    records_add_cell(cells, "%lu", (unsigned long)timed.matches);
    records_add_cell(cells, "%lu", (unsigned long)timed.wins);
    records_add_cell(cells, "%lu", (unsigned long)timed.draws);
    add_result(&timed, cells);
    add_result(&even, cells);
}

static bool run_game(const ExperimentSetup *setup, Game *game, Pool *pool, Records *cells) {
    double started = clock_cpu_seconds();
    Model *model = apprentice_suits(game) ? learn(setup, game, pool, cells) : NULL;
    if (!model)
        return !interrupt_requested(); /* a row of empty cells says so */
    double learnt = clock_cpu_seconds();
    records_add_cell(cells, "%s", model->use.playout_turns == 0 ? "judged" : "mixed");
    records_add_cell(cells, "%lu", (unsigned long)model->gate.matches);
    records_add_cell(cells, "%.4f", gate_share(&model->gate));
    records_add_cell(cells, "%d", gate_is_open(&model->gate));
    add_matches(setup, game, model, pool, cells);
    records_add_cell(cells, "%.1f", learnt - started);
    records_add_cell(cells, "%.1f", clock_cpu_seconds() - started);
    model_free(model);
    return !interrupt_requested();
}

static bool run(ExperimentWork *work, const char *const *keys_of_job, Records *cells) {
    Game *game = experiment_game(work, keys_of_job[0]);
    if (!game)
        return false;
    Pool *pool = pool_create(THREADS);
    bool is_done = run_game(experiment_setup(work), game, pool, cells);
    pool_destroy(pool);
    return is_done;
}

/* ---- the page ---- */

typedef struct {
    unsigned long games, open, helps, hurts;
} Verdicts;

static void add_row(const Records *runs, size_t row, Records *table, Verdicts *v) {
    bool is_open = records_number(runs, row, "is_open") > 0;
    double share = records_number(runs, row, "share");
    double half = 1.96 * records_number(runs, row, "share_error");
    records_add_row(table);
    records_add_cell(table, "%s", experiment_short_name(records_text(runs, row, "game")));
    records_add_cell(table, "%s", records_text(runs, row, "brier"));
    records_add_cell(table, "%s", records_text(runs, row, "constant_brier"));
    records_add_cell(table, "%s", records_text(runs, row, "worth"));
    records_add_cell(table, "%s", records_text(runs, row, "use"));
    records_add_cell(table, "%.1f %% of %s", 100 * records_number(runs, row, "gate_share"),
                     records_text(runs, row, "gate_matches"));
    v->games++;
    if (!is_open) {
        records_add_cell(table, "closed");
        return;
    }
    records_add_cell(table, "%s", records_text(runs, row, "matches"));
    records_add_cell(table, "%.1f %%", 100 * share);
    records_add_cell(table, "%.1f to %.1f", 100 * (share - half), 100 * (share + half));
    records_add_cell(table, "%.1f %%", 100 * records_number(runs, row, "even_share"));
    v->open++;
    v->helps += share - half > 0.5;
    v->hurts += share + half < 0.5;
}

static void add_games(ExperimentWork *work, const Records *runs, Text *page) {
    static const char *const columns[] = {
        "game",  "Brier",         "of the mean",        "worth", "use", "gate", "matches",
        "share", "95 % interval", "at equal play-outs", NULL};
    Records table;
    Verdicts v = {0};
    records_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++)
        if (records_text(runs, i, "is_open")[0] != '\0')
            add_row(runs, i, &table, &v);
    text_printf(page,
                "`uct` with a model of at most %d states against `uct` without, %.4f CPU seconds a "
                "move, sides swapped. The gate opens in %lu of %lu games; then the model helps in "
                "%lu (95 %% interval above 50 %%) and hurts in %lu. Where it is closed both sides "
                "play alike. Brier scores are against what searches of 1,024 play-outs think of "
                "held-out states; worth: random matches from a state that do as well as the model "
                "there, %d: more than that.\n\n",
                ROWS, MOVE_SECONDS, v.open, v.games, v.helps, v.hurts, WORTH_MOST + 1);
    experiment_add_table(work, page, "models", &table);
}

static void report(ExperimentWork *work, const Records *runs, Text *page) {
    text_add(page, "# Models in play\n\nWritten by `marelle experiment models`; `runs.csv` holds "
                   "every run. docs/learning.md explains the models.\n\n");
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
