/* The study of deep learning: `uct` with a model that has a policy, learnt by self-play in a number
 * of minutes on this machine (on the GPU if there is one). It is compared with a model of values
 * only, learnt on one core in as many minutes. Each plays against `uct` without a model, with a
 * clock that is long enough for a network. A job is a game, a learner and a number of minutes. */
#include <string.h>

#include "base/interrupt.h"
#include "cli/output.h"
#include "cli/studies/experiment.h"
#include "cli/studies/study_minutes.h"
#include "cli/verbs/learn_selfplay.h"
#include "learn/play/model_training.h"

enum { ACCEPTANCE_MATCHES = 40, MATCHES = 100, QUICK_MATCHES = 2 };
static const double MOVE_SECONDS = 0.05, QUICK_SECONDS = 0.001; /* CPU time per move */

static const char *const keys[] = {"game", "learner", "minutes", NULL};
static const char *const values[] = {"on",    "states",  "evaluations", "learn_s", "use",
                                     "clock", "matches", "wins",        "draws",   NULL};
static const char *const parts[] = {"mlp", "policy", NULL};

static double clock_of(const ExperimentSetup *setup) {
    return setup->move_seconds > 0 ? setup->move_seconds
           : setup->is_quick       ? QUICK_SECONDS
                                   : MOVE_SECONDS;
}

/* Few minutes come first, so that an interrupted study has results for every game. */
static void plan(const ExperimentSetup *setup, ResultRows *jobs) {
    static const char *const own[] = {"connect_four", "breakthrough"}, *const quick[] = {"nim"};
    static const char *const minutes[] = {"1", "10"}, *const soon[] = {"0.005"};
    const char *const *games = setup->game_count ? setup->games : setup->is_quick ? quick : own;
    size_t count = setup->game_count ? setup->game_count : setup->is_quick ? 1 : 2;
    for (size_t m = 0; m < (setup->is_quick ? 1 : 2); m++)
        for (size_t i = 0; i < count; i++)
            for (const char *const *part = parts; *part; part++) {
                if (!experiment_has_part(setup, *part))
                    continue;
                result_rows_add_row(jobs);
                result_rows_add_cell(jobs, "%s", games[i]);
                result_rows_add_cell(jobs, "%s", *part);
                result_rows_add_cell(jobs, "%s", setup->is_quick ? soon[m] : minutes[m]);
            }
}

/* ---- one job ---- */

typedef struct {
    ExperimentWork *work;
    const ExperimentSetup *setup;
    const char *name; /* name of the game */
    Game *game;
    double minutes;
    Pool *pool;
    ResultRows *cells;
} Job;

static Model *learn_values(const Job *job) {
    AcceptanceOptions acceptance = {.seconds = clock_of(job->setup),
                                    .matches =
                                        job->setup->is_quick ? QUICK_MATCHES : ACCEPTANCE_MATCHES,
                                    .stopped = interrupt_flag(),
                                    .seed = job->setup->first_seed};
    MinutesLearnt learnt;
    if (!model_can_be_learnt(job->game))
        return NULL;
    Model *model = minutes_learn(job->game, 60 * job->minutes, job->setup->first_seed, &acceptance,
                                 job->pool, &learnt);
    if (!model)
        return NULL;
    result_rows_add_cell(job->cells, "one processor");
    result_rows_add_cell(job->cells, "%zu", learnt.states);
    result_rows_add_cell(job->cells, "0");
    result_rows_add_cell(job->cells, "%.1f", learnt.seconds);
    result_rows_add_cell(job->cells, "%s", minutes_use(model));
    return model;
}

/* Saves the model in the study's folder, so that others can use it. */
static void keep(const Job *job, const Model *model) {
    Text name = {0}, text = {0};
    model_write(model, &text);
    text_printf(&name, "%s-%g.model", experiment_short_name(job->name), job->minutes);
    experiment_save(job->work, text_string(&name), &text);
    vector_free(&name);
    vector_free(&text);
}

static void describe(const Job *job, const SelfplayPlace *place, const SelfplayCounts *counts) {
    unsigned threads = pool_threads(job->pool);
    if (place->gpu)
        result_rows_add_cell(job->cells, "%s; %u threads", gpu_properties(place->gpu)->name,
                             threads);
    else
        result_rows_add_cell(job->cells, "%u threads", threads);
    result_rows_add_cell(job->cells, "%lu", (unsigned long)counts->positions);
    result_rows_add_cell(job->cells, "%lu", (unsigned long)counts->evaluations);
    result_rows_add_cell(job->cells, "%.1f", counts->seconds);
    result_rows_add_cell(job->cells, "advised");
}

static Model *learn_policy(const Job *job) {
    uint64_t seed = job->setup->first_seed;
    SelfplayPlace place;
    SelfplayCounts counts;
    Model *model = policy_suits(job->game)
                       ? policy_create(job->game, SELFPLAY_LAYERS, SELFPLAY_UNITS, seed)
                       : NULL;
    if (!model)
        return NULL;
    bool has_gpu = selfplay_open(&place, model, true, job->pool);
    if (!has_gpu) {
        selfplay_close(&place);
        selfplay_open(&place, model, false, job->pool);
    }
    SelfplayOptions options = {.deadline = deadline_in(60 * job->minutes),
                               .stopped = interrupt_flag(),
                               .seed = seed,
                               .at_once = has_gpu ? SELFPLAY_GPU_MATCHES : 0,
                               .pool = job->pool};
    bool ok = selfplay_learn(job->game, model, &place.engine, &options, &counts);
    if (ok && counts.has_diverged)
        complain("%s: training diverged after %lu steps: the model is that of step %lu", job->name,
                 (unsigned long)counts.steps, (unsigned long)counts.sound_steps);
    if (ok) {
        describe(job, &place, &counts);
        keep(job, model);
    } else {
        complain("%s", place.report.items.items[0].message);
        model_free(model);
        model = NULL;
    }
    selfplay_close(&place);
    return model;
}

static void play(const Job *job, const Model *model) {
    Evaluator *evaluator = evaluator_create(model);
    SearchEvaluation evaluation = evaluator_interface(evaluator);
    SearchOptions with = {0}, without = {0};
    AcceptanceResult result;
    AcceptanceOptions options = {.seconds = clock_of(job->setup),
                                 .matches = job->setup->is_quick ? QUICK_MATCHES : MATCHES,
                                 .stopped = interrupt_flag(),
                                 .seed = job->setup->first_seed + 2};
    acceptance_set_options(&evaluation, &with);
    acceptance_measure(job->game, &with, &without, &options, job->pool, &result);
    result_rows_add_cell(job->cells, "%g", options.seconds);
    result_rows_add_cell(job->cells, "%lu", (unsigned long)result.matches);
    result_rows_add_cell(job->cells, "%lu", (unsigned long)result.wins);
    result_rows_add_cell(job->cells, "%lu", (unsigned long)result.draws);
    evaluator_free(evaluator);
}

static bool run(ExperimentWork *work, const char *const *job_keys, ResultRows *cells) {
    Job job = {.work = work,
               .setup = experiment_setup(work),
               .name = job_keys[0],
               .game = experiment_game(work, job_keys[0]),
               .minutes = strtod(job_keys[2], NULL),
               .cells = cells};
    if (!job.game)
        return false;
    job.pool = pool_create(0);
    Model *model = strcmp(job_keys[1], "policy") == 0 ? learn_policy(&job) : learn_values(&job);
    if (model && !interrupt_requested())
        play(&job, model);
    model_free(model);
    pool_free(job.pool);
    return !interrupt_requested();
}

/* ---- the page ---- */

static void report(ExperimentWork *work, const ResultRows *runs, Text *page) {
    static const char *const columns[] = {"game",   "learner",       "minutes", "on",
                                          "states", "learn_s",       "use",     "clock",
                                          "share",  "95 % interval", NULL};
    text_printf(
        page,
        "# Deep learning\n\n"
        "Written by `marelle experiment selfplay`; `runs.csv` holds every run. `uct` with a "
        "model plays against `uct` without, `clock` CPU seconds per move, sides swapped. "
        "`policy` is a network that judges states and proposes moves, learnt by self-play in "
        "so many minutes of the clock. `mlp` is the value model of `marelle experiment "
        "minutes`, learnt in as many minutes of one processor; its use is chosen by %d other "
        "matches. `states` are the positions learnt from, `learn_s` is what learning took.\n\n",
        ACCEPTANCE_MATCHES);
    minutes_add_table(work, runs, "selfplay", columns, page);
}

const Experiment experiment_selfplay = {
    .name = "selfplay",
    .summary = "deep learning: a policy and values from matches of a search against itself",
    .keys = keys,
    .values = values,
    .parts = parts,
    .plan = plan,
    .run = run,
    .report = report,
};
