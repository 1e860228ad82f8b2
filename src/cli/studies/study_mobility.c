/* The study of legal moves as features. Pairs of models are trained on the same states; one of them
 * knows the number of legal moves. The study measures their errors on states of matches that
 * neither has seen, the cost of evaluating a state, and matches between searches with them at equal
 * CPU time. There are several pairs, because two trainings that differ only in their seed may
 * differ in strength. A job is a game. */
#include "base/interrupt.h"
#include "cli/studies/experiment.h"
#include "learn/play/acceptance.h"
#include "learn/play/model_training.h"

enum {
    ROWS = 30000,
    ACCEPTANCE_MATCHES = 20, /* matches that choose how both models are used */
    PAIRS = 5,
    MATCHES = 40, /* matches per pair */
    QUICK_MATCHES = 2,
    QUICK_ROWS = 1000,
    EVALUATED_TIMES = 2000 /* passes over the states to measure the cost of an evaluation */
};
static const double TEST_SHARE = 0.25;
/* DATA_SECONDS: wall-clock time of the matches that give data. MOVE_SECONDS: CPU time per move. */
static const double DATA_SECONDS = 400, MOVE_SECONDS = 0.0015;

static const char *const keys[] = {"game", NULL};
static const char *const values[] = {
    "states",  "groups", "brier", "brier_moves", "judge_us", "judge_us_moves", "use", "shares",
    "matches", "wins",   "draws", "cpu_s",       NULL};

static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    static const char *const own[] = {"tic_tac_toe", "breakthrough", "connect_four", "reversi",
                                      "hex",         "checkers",     "chomp"};
    const char *const *games = setup->game_count ? setup->games : own;
    size_t count = setup->game_count ? setup->game_count
                   : setup->is_quick ? 1
                                     : sizeof own / sizeof *own;
    for (size_t i = 0; i < count; i++) {
        result_rows_add_row(jobs);
        result_rows_add_cell(jobs, "%s", games[i]);
    }
}

/* ---- one job ---- */

/* All models that count legal moves, or all that do not. */
typedef struct {
    Model *models[PAIRS];
    double brier; /* mean Brier score on the test states */
    double evaluation_seconds;
} Side;

typedef struct {
    const ExperimentSetup *setup;
    Game *game;
    Pool *pool;
    DataSet *train, *test;
} Bench;

static double brier_of(const Bench *b, const Model *model) {
    Examples *rows = model_examples(model, b->game, b->test, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(rows);
    double squared = network_errors(&model->network, matrix).squared;
    matrix_free(matrix);
    examples_free(rows);
    return squared;
}

/* CPU seconds per state, for batches of the size that searches use. */
static double price_of(const Bench *b, const Model *model) {
    enum { ABREAST = 16 };
    Evaluator *evaluator = evaluator_create(model);
    SearchEvaluation evaluation = evaluator_interface(evaluator);
    void *own = evaluation.open(evaluation.context, b->game);
    State states[ABREAST] = {{0}};
    const State *asked[ABREAST];
    double goals[ABREAST * DATASET_MAX_ROLES];
    for (uint32_t i = 0; i < ABREAST; i++) {
        size_t row = i % dataset_rows(b->test);
        for (uint32_t k = 0; k < dataset_size(b->test, row); k++)
            state_set(&states[i], dataset_facts(b->test, row)[k]);
        asked[i] = &states[i];
    }
    double started = clock_thread_cpu_seconds();
    for (int k = 0; k < EVALUATED_TIMES; k++)
        evaluation.evaluate(own, asked, ABREAST, goals);
    double spent = clock_thread_cpu_seconds() - started;
    for (uint32_t i = 0; i < ABREAST; i++)
        state_free(&states[i]);
    evaluation.close(own);
    evaluator_free(evaluator);
    return spent / EVALUATED_TIMES / ABREAST;
}

static void learn(const Bench *b, bool counts_moves, Side *side) {
    ModelLearnOptions learning = {.stopped = interrupt_flag(), .pool = b->pool};
    TrainOptions training = model_train_options(&learning);
    training.deadline = (Deadline){0};
    training.feature_kinds = counts_moves
                                 ? training.feature_kinds | MODEL_FEATURES_MOVES
                                 : training.feature_kinds & ~(unsigned)MODEL_FEATURES_MOVES;
    *side = (Side){0};
    for (uint64_t k = 0; k < PAIRS; k++) {
        training.seed = b->setup->first_seed + k;
        side->models[k] = model_train(b->game, b->train, &training);
        side->brier += brier_of(b, side->models[k]) / PAIRS;
    }
    side->evaluation_seconds = price_of(b, side->models[0]);
}

static AcceptanceResult play_pair(const Bench *b, const Model *with, const Model *without,
                                  uint64_t number) {
    Evaluator *evaluators[2] = {evaluator_create(with), evaluator_create(without)};
    SearchEvaluation evaluations[2];
    SearchOptions sides[2] = {{0}};
    AcceptanceResult result;
    AcceptanceOptions options = {.seconds = MOVE_SECONDS,
                                 .matches = b->setup->is_quick ? QUICK_MATCHES : MATCHES,
                                 .stopped = interrupt_flag(),
                                 .seed = b->setup->first_seed + 2 + number};
    for (int i = 0; i < 2; i++) {
        evaluations[i] = evaluator_interface(evaluators[i]);
        acceptance_set_options(&evaluations[i], &sides[i]);
    }
    acceptance_measure(b->game, &sides[0], &sides[1], &options, b->pool, &result);
    evaluator_free(evaluators[0]);
    evaluator_free(evaluators[1]);
    return result;
}

/* All models are used in the way that is best for the first model without moves. */
static AcceptanceResult play(const Bench *b, Side *with, Side *without, Text *shares) {
    AcceptanceOptions options = {.seconds = MOVE_SECONDS,
                                 .matches = b->setup->is_quick ? QUICK_MATCHES : ACCEPTANCE_MATCHES,
                                 .stopped = interrupt_flag(),
                                 .seed = b->setup->first_seed};
    AcceptanceResult all = {0};
    acceptance_choose_use(b->game, without->models[0], &options, b->pool);
    for (uint64_t k = 0; k < PAIRS; k++) {
        with->models[k]->use = without->models[k]->use = without->models[0]->use;
        AcceptanceResult one = play_pair(b, with->models[k], without->models[k], k);
        text_printf(shares, "%s%.0f", k ? " " : "", 100 * acceptance_share(&one));
        all.matches += one.matches;
        all.wins += one.wins;
        all.draws += one.draws;
    }
    return all;
}

static void measure(const Bench *b, ResultRows *cells) {
    double started = clock_cpu_seconds();
    Side without, with;
    Text shares = {0};
    learn(b, false, &without);
    learn(b, true, &with);
    AcceptanceResult result = play(b, &with, &without, &shares);
    result_rows_add_cell(cells, "%zu", dataset_rows(b->train));
    result_rows_add_cell(cells, "%zu", with.models[0]->features.groups.count);
    result_rows_add_cell(cells, "%.5f", without.brier);
    result_rows_add_cell(cells, "%.5f", with.brier);
    result_rows_add_cell(cells, "%.3f", 1e6 * without.evaluation_seconds);
    result_rows_add_cell(cells, "%.3f", 1e6 * with.evaluation_seconds);
    result_rows_add_cell(cells, "%s", with.models[0]->use.playout_turns == 0 ? "judged" : "mixed");
    result_rows_add_cell(cells, "%s", text_string(&shares));
    result_rows_add_cell(cells, "%lu", (unsigned long)result.matches);
    result_rows_add_cell(cells, "%lu", (unsigned long)result.wins);
    result_rows_add_cell(cells, "%lu", (unsigned long)result.draws);
    result_rows_add_cell(cells, "%.1f", clock_cpu_seconds() - started);
    for (size_t k = 0; k < PAIRS; k++) {
        model_free(with.models[k]);
        model_free(without.models[k]);
    }
    vector_free(&shares);
}

static bool run(ExperimentWork *work, const char *const *job, ResultRows *cells) {
    const ExperimentSetup *setup = experiment_setup(work);
    Bench b = {.setup = setup, .game = experiment_game(work, job[0])};
    if (!b.game)
        return false;
    b.pool = pool_create(1);
    ModelLearnOptions options = {.seconds = DATA_SECONDS,
                                 .rows = setup->is_quick ? QUICK_ROWS : ROWS,
                                 .seed = setup->first_seed + 1,
                                 .stopped = interrupt_flag(),
                                 .pool = b.pool};
    DataSet *set = model_can_be_learnt(b.game) ? model_collect_data(b.game, &options) : NULL;
    if (set && !interrupt_requested()) {
        dataset_split(set, TEST_SHARE, setup->first_seed, &b.train, &b.test);
        if (dataset_rows(b.train) && dataset_rows(b.test))
            measure(&b, cells);
        dataset_free(b.train);
        dataset_free(b.test);
    }
    dataset_free(set);
    pool_free(b.pool);
    return !interrupt_requested();
}

/* ---- the page ---- */

static void add_game(const ResultRows *runs, size_t row, ResultRows *table) {
    AcceptanceResult result = {(uint64_t)result_rows_number(runs, row, "matches"),
                               (uint64_t)result_rows_number(runs, row, "wins"),
                               (uint64_t)result_rows_number(runs, row, "draws")};
    double share = acceptance_share(&result), half = 1.96 * acceptance_error(&result);
    double brier = result_rows_number(runs, row, "brier");
    double brier_moves = result_rows_number(runs, row, "brier_moves");
    result_rows_add_row(table);
    result_rows_add_cell(table, "%s", experiment_short_name(result_rows_text(runs, row, "game")));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "states"));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "groups"));
    result_rows_add_cell(table, "%.5f", brier);
    result_rows_add_cell(table, "%.5f", brier_moves);
    result_rows_add_cell(table, "%+.1f %%", brier > 0 ? 100 * (brier_moves / brier - 1) : 0);
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "judge_us"));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "judge_us_moves"));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "use"));
    result_rows_add_cell(table, "%.1f %% of %lu", 100 * share, (unsigned long)result.matches);
    result_rows_add_cell(table, "%.1f to %.1f", 100 * (share - half), 100 * (share + half));
    result_rows_add_cell(table, "%s", result_rows_text(runs, row, "shares"));
}

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {
        "game",          "states", "groups", "Brier",         "with moves",   "difference", "µs",
        "µs with moves", "use",    "share",  "95 % interval", "of each pair", NULL};
    ResultRows table;
    result_rows_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++)
        if (result_rows_text(runs, i, "matches")[0] != '\0')
            add_game(runs, i, &table);
    text_printf(
        page,
        "# Legal moves as features\n\n"
        "Written by `marelle experiment mobility`; `runs.csv` holds every run. Two kinds of "
        "models are trained on the same %d states of matches of UCT against itself (equal "
        "states are merged): one on facts and counts of facts, one also on numbers of legal "
        "moves (`groups`: how many numbers). Each has %d trainings. Brier scores are means "
        "of all trainings on a quarter of the matches that was held out. `µs` is the "
        "processor time for judging one of sixteen states. `share` is the share of points "
        "that `uct` with moves in its model takes from `uct` with the other model, %.4f CPU "
        "seconds per move, sides swapped, %d matches of each pair of trainings; the interval "
        "is that of the matches alone. All models are used in the way that suits the first "
        "one without moves.\n\n",
        ROWS, PAIRS, MOVE_SECONDS, MATCHES);
    experiment_add_table(work, page, "mobility", &table);
}

const Experiment experiment_mobility = {
    .name = "mobility",
    .summary = "whether models gain from knowing how many moves are legal",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
