/* The study of how strength grows with learning time: `uct` with a model learnt by self-play in a
 * number of CPU minutes on one core, with values but no policy, against `uct` without a model. A
 * job is a game and a number of minutes. */
#include <string.h>

#include "base/interrupt.h"
#include "cli/studies/experiment.h"
#include "cli/studies/study_minutes.h"
#include "learn/data/collect.h"
#include "learn/play/model_training.h"
#include "learn/play/worth.h"

enum { ACCEPTANCE_MATCHES = 200, MATCHES = 200, QUICK_MATCHES = 4, WORTH_STATES = 300 };
static const double TEST_SHARE = 0.1;
/* Share of the minutes for self-play; training may take as long. */
static const double DATA_SHARE = 0.5;
static const double MOVE_SECONDS = 0.0015; /* CPU time per move */

static const char *const keys[] = {"game", "minutes", NULL};
static const char *const values[] = {"states",  "worth", "learn_s", "use", "gate_share",
                                     "matches", "wins",  "draws",   NULL};

/* Few minutes come first, so that an interrupted study has results for every game. */
static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    static const char *const own[] = {"connect_four", "breakthrough"}, *const quick[] = {"nim"};
    static const char *const minutes[] = {"1", "10", "60"};
    const char *const *games = setup->game_count ? setup->games : setup->is_quick ? quick : own;
    size_t count = setup->game_count ? setup->game_count : setup->is_quick ? 1 : 2;
    for (size_t m = 0; m < (setup->is_quick ? 1 : 3); m++)
        for (size_t i = 0; i < count; i++) {
            result_rows_add_row(jobs);
            result_rows_add_cell(jobs, "%s", games[i]);
            result_rows_add_cell(jobs, "%s", setup->is_quick ? "0.005" : minutes[m]);
        }
}

/* ---- one job ---- */

/* Collects self-play of UCT for that many CPU seconds. Equal states are merged immediately. NULL if
 * no match reached its end. */
static DataSet *play_for(Game *game, double seconds, uint64_t seed, Pool *pool) {
    CollectOptions options = {.source = COLLECT_UCT,
                              .states = COLLECT_BEFORE_ENDS,
                              .seed = seed,
                              .stopped = interrupt_flag(),
                              .value_share = -1};
    double started = clock_cpu_seconds();
    Collector *collector = collector_create(game, &options, pool);
    if (!collector)
        return NULL;
    DataSet *distinct = dataset_create(game->role_count);
    Table known = {0};
    size_t over = 0;
    for (uint64_t block = 0; collector_goes_on(collector, block, dataset_rows(distinct)) &&
                             (block == 0 || clock_cpu_seconds() - started < seconds);
         block++) {
        DataSet *played = dataset_create(game->role_count);
        over += collector_play(collector, block, played);
        dataset_merge(distinct, &known, played);
        dataset_free(played);
    }
    table_free(&known);
    if (over > 0)
        collector_name_facts(collector, distinct);
    collector_free(collector);
    if (over > 0)
        return distinct;
    dataset_free(distinct);
    return NULL;
}

Model *minutes_learn(Game *game, double seconds, uint64_t seed, const AcceptanceOptions *acceptance,
                     Pool *pool, MinutesLearnt *learnt) {
    double started = clock_cpu_seconds();
    Pool *alone = pool_create(1);
    DataSet *set = play_for(game, DATA_SHARE * seconds, seed + 1, alone), *train, *test;
    *learnt = (MinutesLearnt){0};
    if (!set) {
        pool_free(alone);
        return NULL;
    }
    dataset_split(set, TEST_SHARE, seed, &train, &test);
    dataset_free(set);
    ModelLearnOptions learning = {.seed = seed, .stopped = interrupt_flag(), .pool = alone};
    TrainOptions training = model_train_options(&learning);
    training.deadline = (Deadline){0};
    Model *model = model_train(game, train, &training);
    learnt->seconds = clock_cpu_seconds() - started;
    learnt->states = dataset_rows(train);
    dataset_free(train);
    acceptance_choose_use(game, model, acceptance, pool);
    Worth worth;
    if (worth_measure(game, model, test, WORTH_STATES, seed, &worth))
        learnt->worth = worth.worth;
    dataset_free(test);
    pool_free(alone);
    return model;
}

const char *minutes_use(const Model *model) {
    return model->use.playout_turns == 0 ? "judged" : "mixed";
}

static Model *learn(const ExperimentSetup *setup, Game *game, double seconds, Pool *pool,
                    ResultRows *cells) {
    AcceptanceOptions acceptance = {.seconds = MOVE_SECONDS,
                                    .matches = setup->is_quick ? QUICK_MATCHES : ACCEPTANCE_MATCHES,
                                    .stopped = interrupt_flag(),
                                    .seed = setup->first_seed};
    MinutesLearnt learnt;
    Model *model = minutes_learn(game, seconds, setup->first_seed, &acceptance, pool, &learnt);
    if (!model)
        return NULL;
    result_rows_add_cell(cells, "%zu", learnt.states);
    result_rows_add_cell(cells, "%u", learnt.worth);
    result_rows_add_cell(cells, "%.1f", learnt.seconds);
    result_rows_add_cell(cells, "%s", minutes_use(model));
    result_rows_add_cell(cells, "%.3f", acceptance_share(&model->acceptance));
    return model;
}

static bool run(ExperimentWork *work, const char *const *job, ResultRows *cells) {
    const ExperimentSetup *setup = experiment_setup(work);
    Game *game = experiment_game(work, job[0]);
    if (!game)
        return false;
    Pool *pool = pool_create(1);
    Model *model = model_can_be_learnt(game)
                       ? learn(setup, game, 60 * strtod(job[1], NULL), pool, cells)
                       : NULL;
    if (model && !interrupt_requested()) {
        Evaluator *evaluator = evaluator_create(model);
        SearchEvaluation evaluation = evaluator_interface(evaluator);
        SearchOptions with = {0}, without = {0};
        AcceptanceResult result;
        AcceptanceOptions options = {.seconds = MOVE_SECONDS,
                                     .matches = setup->is_quick ? QUICK_MATCHES : MATCHES,
                                     .stopped = interrupt_flag(),
                                     .seed = setup->first_seed + 2};
        acceptance_set_options(&evaluation, &with);
        acceptance_measure(game, &with, &without, &options, pool, &result);
        result_rows_add_cell(cells, "%lu", (unsigned long)result.matches);
        result_rows_add_cell(cells, "%lu", (unsigned long)result.wins);
        result_rows_add_cell(cells, "%lu", (unsigned long)result.draws);
        evaluator_free(evaluator);
    }
    model_free(model);
    pool_free(pool);
    return !interrupt_requested();
}

/* ---- the page ---- */

void minutes_add_table(ExperimentWork *work, const ResultRows *runs, const char *name,
                       const char *const *columns, Text *page) {
    ResultRows table;
    size_t copied = 1; /* columns copied: all but the game and the last two */
    while (columns[copied + 2])
        copied++;
    result_rows_init(&table, columns);
    for (size_t i = 0; i < runs->rows.count; i++) {
        if (result_rows_text(runs, i, "matches")[0] == '\0')
            continue;
        AcceptanceResult result = {(uint64_t)result_rows_number(runs, i, "matches"),
                                   (uint64_t)result_rows_number(runs, i, "wins"),
                                   (uint64_t)result_rows_number(runs, i, "draws")};
        double share = acceptance_share(&result), half = 1.96 * acceptance_error(&result);
        result_rows_add_row(&table);
        result_rows_add_cell(&table, "%s",
                             experiment_short_name(result_rows_text(runs, i, "game")));
        for (size_t c = 1; c < copied; c++)
            result_rows_add_cell(&table, "%s", result_rows_text(runs, i, columns[c]));
        result_rows_add_cell(&table, "%.1f %% of %lu", 100 * share, (unsigned long)result.matches);
        result_rows_add_cell(&table, "%.1f to %.1f", 100 * (share - half), 100 * (share + half));
    }
    experiment_add_table(work, page, name, &table);
}

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"game", "minutes", "learn_s",       "states", "worth",
                                          "use",  "share",   "95 % interval", NULL};
    text_printf(
        page,
        "# Minutes of learning\n\n"
        "Written by `marelle experiment minutes`; `runs.csv` holds every run. `uct` with a "
        "model plays against `uct` without, %.4f CPU seconds per move, sides swapped. The "
        "model was learnt in so many minutes of one processor: half of them for matches of "
        "UCT against itself, half for training, with as many passes over the states after "
        "ten minutes as after one. `learn_s` is what both took. `worth` is the number of "
        "random matches from a state that predict held-out values of searches as well as the "
        "model does; %d means more than that.\n\n",
        MOVE_SECONDS, WORTH_MAX_PLAYOUTS + 1);
    minutes_add_table(work, runs, "minutes", columns, page);
}

const Experiment experiment_minutes = {
    .name = "minutes",
    .summary = "how strength grows with minutes of learning",
    .keys = keys,
    .values = values,
    .plan = plan,
    .run = run,
    .report = report,
};
