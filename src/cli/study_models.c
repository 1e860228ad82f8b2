/* The study of models in play: `uct` with a model that a short start clock allows against `uct`
 * without, at equal processor time. One job is one game. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/experiment.h"
#include "learn/collect.h"
#include "learn/gate.h"
#include "learn/learner.h"
#include "learn/worth.h"

enum { MATCHES = 200, QUICK_MATCHES = 4, SUBGOALS = 1000, WORTH_STATES = 500 };
static const double TEST_SHARE = 0.2;
/* Playing for data, training, and a move in matches. */
static const double DATA_SECONDS = 20, TRAIN_SECONDS = 10, MOVE_SECONDS = 0.004;

static const char *const keys[] = {"game", NULL};
static const char *const values[] = {"states",  "brier", "constant_brier", "worth", "use",
                                     "matches", "share", "share_error",    NULL};

static void plan(const ExperimentSetup *setup, Records *jobs) {
    static const char *const own[] = {"tic_tac_toe",
                                      "connect_four",
                                      "breakthrough",
                                      "reversi",
                                      "hex",
                                      "checkers",
                                      "nim",
                                      "chomp",
                                      "double_tic_tac_toe",
                                      "nine_board_tic_tac_toe"};
    const char *const *games = setup->game_count ? setup->games : own;
    size_t count = setup->game_count ? setup->game_count
                   : setup->is_quick ? 1
                                     : sizeof own / sizeof *own;
    for (size_t i = 0; i < count; i++) {
        records_add_row(jobs);
        records_add_cell(jobs, "%s", games[i]);
    }
}

typedef struct {
    Errors errors, constant; /* on held-out states: of the model, of their mean */
    Worth worth;
    size_t states; /* trained on */
} PlayNotes;

static Model *learn_to_play(const ExperimentSetup *setup, Game *game, Pool *pool,
                            PlayNotes *notes) {
    double share = setup->is_quick ? 0.02 : 1;
    CollectOptions collecting = {.source = COLLECT_GUIDED,
                                 .playouts = 64,
                                 .states = COLLECT_BEFORE_ENDS,
                                 .deadline = deadline_in(share * DATA_SECONDS),
                                 .seed = setup->first_seed + 1,
                                 .stopped = interrupt_flag(),
                                 .value_share = -1};
    DataSet *set = collect(game, &collecting, pool), *train, *test;
    if (!set)
        return NULL;
    dataset_split(set, TEST_SHARE, setup->first_seed, &train, &test);
    notes->states = dataset_rows(train);
    Model *model = model_create("mlp", train);
    features_add_facts(&model->features, train);
    features_add_subgoals(&model->features, game, SUBGOALS);
    Examples *rows[2] = {
        examples_of_features(&model->features, train, model->ranges, WEIGH_BY_ROOT),
        examples_of_features(&model->features, test, model->ranges, WEIGH_ALIKE)};
    LearnOptions options = {.seed = 1,
                            .pool = pool,
                            .held_out = rows[1],
                            .stopped = interrupt_flag(),
                            .deadline = deadline_in(share * TRAIN_SECONDS)};
    learner_find("mlp")->train(rows[0], &options, &model->network);
    Matrix *matrix = matrix_create(rows[1]);
    float *means = memory_zalloc((matrix->stride * matrix->output_count + 1) * sizeof *means);
    for (uint32_t o = 0; o < matrix->output_count; o++) {
        double mean = 0;
        for (size_t i = 0; i < matrix->rows; i++)
            mean += (double)matrix->targets[o * matrix->stride + i] / (double)matrix->rows;
        for (size_t i = 0; i < matrix->rows; i++)
            means[o * matrix->stride + i] = (float)mean;
    }
    notes->errors = network_errors(&model->network, matrix);
    notes->constant = errors_of(matrix, means);
    worth_measure(game, model, test, WORTH_STATES, setup->first_seed, &notes->worth);
    free(means);
    matrix_free(matrix);
    examples_free(rows[0]);
    examples_free(rows[1]);
    dataset_free(set);
    dataset_free(train);
    dataset_free(test);
    return model;
}

static bool run_play(const ExperimentSetup *setup, Game *game, Pool *pool, Records *cells) {
    PlayNotes notes = {0};
    Model *model = game_has_circuit(game) && game->role_count > 1 && !game_hides(game)
                       ? learn_to_play(setup, game, pool, &notes)
                       : NULL;
    if (!model)
        return true; /* a row of empty cells says so */
    GateOptions gate = {.seconds = MOVE_SECONDS,
                        .matches = setup->is_quick ? QUICK_MATCHES : MATCHES,
                        .stopped = interrupt_flag(),
                        .seed = setup->first_seed};
    gate_choose_use(game, model, &gate, pool);
    records_add_cell(cells, "%zu", notes.states);
    records_add_cell(cells, "%.5f", notes.errors.squared);
    records_add_cell(cells, "%.5f", notes.constant.squared);
    records_add_cell(cells, "%u", notes.worth.worth);
    records_add_cell(cells, "%u/%g", model->use.playout_turns, model->use.prior_visits);
    records_add_cell(cells, "%lu", (unsigned long)model->gate.matches);
    records_add_cell(cells, "%.4f", gate_share(&model->gate));
    records_add_cell(cells, "%.4f", gate_error(&model->gate));
    model_free(model);
    return !interrupt_requested();
}

static bool run(ExperimentWork *work, const char *const *keys_of_job, Records *cells) {
    Game *game = experiment_game(work, keys_of_job[0]);
    if (!game)
        return false;
    Pool *pool = pool_create(1);
    bool is_done = run_play(experiment_setup(work), game, pool, cells);
    pool_destroy(pool);
    return is_done;
}

static const char *short_name(const char *game) {
    const char *slash = strrchr(game, '/');
    return slash ? slash + 1 : game;
}

static void add_games(ExperimentWork *work, const Records *runs, Text *page) {
    static const char *const columns[] = {"game",  "matches",       "share", "95 % interval",
                                          "Brier", "of a constant", "worth", NULL};
    Records table;
    unsigned long helps = 0, hurts = 0, games = 0;
    records_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (records_text(runs, i, "matches")[0] == '\0')
            continue;
        double share = records_number(runs, i, "share");
        double half = 1.96 * records_number(runs, i, "share_error");
        records_add_row(&table);
        records_add_cell(&table, "%s", short_name(records_text(runs, i, "game")));
        records_add_cell(&table, "%s", records_text(runs, i, "matches"));
        records_add_cell(&table, "%.1f %%", 100 * share);
        records_add_cell(&table, "%.1f to %.1f", 100 * (share - half), 100 * (share + half));
        records_add_cell(&table, "%s", records_text(runs, i, "brier"));
        records_add_cell(&table, "%s", records_text(runs, i, "constant_brier"));
        records_add_cell(&table, "%s", records_text(runs, i, "worth"));
        games++;
        helps += share - half > 0.5;
        hurts += share + half < 0.5;
    }
    text_printf(page,
                "`uct` with a model of at most %.0f s of self-play and %.0f s of "
                "training against `uct` without, %.3f CPU seconds a move, sides swapped. Without "
                "the gate: helps in %lu of %lu games, hurts in %lu. Worth: random matches from a "
                "state that predict as well, %d: more than that.\n\n",
                DATA_SECONDS, TRAIN_SECONDS, MOVE_SECONDS, helps, games, hurts, WORTH_MOST + 1);
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
