/* Models for the public interface: training by the two ways of learn/, files, and evaluation. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_internal.h"
#include "gpu/selfplay_place.h"
#include "learn/play/acceptance.h"
#include "learn/play/model_training.h"

/* CPU time per move and number of matches of the trial of an evaluation, as in the start clock of a
 * player (untuned). */
static const double TRIAL_SECONDS = 0.005;
enum { TRIAL_MATCHES = 400 };

Model *model_copy(const Model *model) {
    Text text = {0};
    Report report = {0};
    model_write(model, &text);
    Model *copy =
        model_read(source_from_text("model", text_string(&text), text.count, &report), &report);
    assert(copy);
    vector_free(&text);
    report_free(&report);
    return copy;
}

MarelleModel *model_wrap(Model *model) {
    MarelleModel *wrapped = memory_zalloc(sizeof *wrapped);
    const ModelUse *use = &model->use;
    wrapped->model = model;
    if (!model->dense)
        text_printf(&wrapped->use, "cutoff=%u,prior=%.9g,bias=%.9g,mix=%.9g", use->playout_turns,
                    use->prior_visits, use->bias, use->leaf_share);
    return wrapped;
}

/* ---- training ---- */

/* A training under way. */
typedef struct {
    const MarelleTrainingOptions *options;
    double started;
} Training;

static void tell_step(void *context, const char *step) {
    const Training *t = context;
    t->options->progress(
        t->options->context,
        &(MarelleTraining){.step = step, .seconds = clock_wall_seconds() - t->started});
}

static void tell_counts(void *context, const SelfplayCounts *counts) {
    const Training *t = context;
    t->options->progress(t->options->context, &(MarelleTraining){.step = "selfplay",
                                                                 .seconds = counts->seconds,
                                                                 .matches = counts->matches,
                                                                 .positions = counts->positions,
                                                                 .updates = counts->steps,
                                                                 .loss = counts->loss});
}

static MarelleStatus train_evaluation(Game *game, Training *t, Pool *pool, Model **model,
                                      MarelleProblem *problem) {
    const MarelleTrainingOptions *o = t->options;
    if (!model_can_be_learnt(game))
        return refuse(problem, MARELLE_UNFIT,
                      "an evaluation is learnt for two players who see everything, with a circuit");
    ModelLearnOptions own = {.seconds = o->seconds > 0 ? o->seconds : LEARNING_SECONDS,
                             .move_seconds = TRIAL_SECONDS,
                             .matches = TRIAL_MATCHES,
                             .seed = o->seed,
                             .stopped = o->stopped,
                             .on_step = o->progress ? tell_step : NULL,
                             .context = t,
                             .pool = pool};
    *model = model_learn(game, &own);
    return *model ? MARELLE_OK
                  : refuse(problem, MARELLE_SPENT, "no match came to an end with goals in time");
}

static bool play_against_itself(Game *game, Training *t, const SelfplayPlace *place, Pool *pool,
                                Model *model) {
    const MarelleTrainingOptions *o = t->options;
    SelfplayCounts counts;
    SelfplayOptions own = {.matches = o->matches,
                           .stopped = o->stopped,
                           .seed = o->seed,
                           .visits = o->visits,
                           .at_once = o->gpu ? SELFPLAY_GPU_MATCHES : 0,
                           .pool = pool,
                           .watch = o->progress ? tell_counts : NULL,
                           .context = t};
    double seconds = o->seconds > 0 ? o->seconds : o->matches ? 0 : LEARNING_SECONDS;
    if (seconds > 0)
        own.deadline = deadline_in(seconds);
    return selfplay_learn(game, model, &place->engine, &own, &counts);
}

static MarelleStatus train_policy(Game *game, Training *t, Pool *pool, Model **model,
                                  MarelleProblem *problem) {
    const MarelleTrainingOptions *o = t->options;
    if (!policy_suits(game))
        return refuse(problem, MARELLE_UNFIT,
                      "a policy is learnt where nothing is hidden and there is a circuit, of at "
                      "most %d moves",
                      DENSE_MAX_OUTPUTS);
    *model = policy_create(game, SELFPLAY_LAYERS, o->units ? o->units : SELFPLAY_UNITS, o->seed);
    if (!*model)
        return refuse(problem, MARELLE_BAD_ARGUMENT,
                      "layers have a multiple of %d units, %d at most, and %d parameters in all",
                      DENSE_UNITS, DENSE_MAX_UNITS, DENSE_MAX_PARAMETERS);
    SelfplayPlace place;
    MarelleStatus status = MARELLE_OK;
    if (!selfplay_open(&place, *model, o->gpu, pool) ||
        !play_against_itself(game, t, &place, pool, *model)) {
        status = refuse(problem, MARELLE_UNFIT, "%s",
                        place.report.items.count ? place.report.items.items[0].message
                                                 : "the device failed");
        model_free(*model);
        *model = NULL;
    }
    selfplay_close(&place);
    return status;
}

/* What is wrong with the options; NULL if nothing is. */
static const char *complaint_about(const MarelleTrainingOptions *o) {
    if (!is_time(o->seconds) || !is_zero(o->reserved))
        return "an option is out of range, or a reserved field is not zero";
    if (o->threads > MAX_API_THREADS)
        return "there are 1024 threads at most";
    if (o->kind && strcmp(o->kind, "evaluation") != 0 && strcmp(o->kind, "policy") != 0)
        return "the kind of a model is `evaluation` or `policy`";
    return NULL;
}

MarelleStatus marelle_model_train(MarelleGame *game, const MarelleTrainingOptions *options,
                                  MarelleModel **model, MarelleProblem *problem) {
    static const MarelleTrainingOptions defaults;
    Training training = {options ? options : &defaults, clock_wall_seconds()};
    const MarelleTrainingOptions *o = training.options;
    Model *trained = NULL;
    *model = NULL;
    if (complaint_about(o))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "%s", complaint_about(o));
    Pool *pool = pool_create(o->threads ? o->threads : 1);
    bool is_policy = o->kind && strcmp(o->kind, "policy") == 0;
    MarelleStatus status = is_policy
                               ? train_policy(game->game, &training, pool, &trained, problem)
                               : train_evaluation(game->game, &training, pool, &trained, problem);
    pool_free(pool);
    if (status != MARELLE_OK)
        return status;
    *model = model_wrap(trained);
    return succeed(problem);
}

void marelle_model_free(MarelleModel *model) {
    if (!model)
        return;
    model_free(model->model);
    vector_free(&model->use);
    free(model);
}

/* ---- files ---- */

char *marelle_model_write(const MarelleModel *model) {
    Text text = {0};
    model_write(model->model, &text);
    return give_text(&text);
}

static MarelleStatus read_model(Source *source, Report *report, MarelleModel **model,
                                MarelleProblem *problem) {
    *model = NULL;
    if (!source)
        return refuse_by_report(problem, MARELLE_UNREADABLE, report);
    Model *read = model_read(source, report);
    if (!read)
        return refuse_by_report(problem, MARELLE_MALFORMED, report);
    report_free(report);
    *model = model_wrap(read);
    return succeed(problem);
}

MarelleStatus marelle_model_read(const char *name, const char *text, size_t length,
                                 MarelleModel **model, MarelleProblem *problem) {
    Report report = {0};
    return read_model(source_from_text(name, text, length, &report), &report, model, problem);
}

MarelleStatus marelle_model_load(const char *path, MarelleModel **model, MarelleProblem *problem) {
    Report report = {0};
    return read_model(source_read(path, &report), &report, model, problem);
}

MarelleStatus marelle_model_save(const MarelleModel *model, const char *path,
                                 MarelleProblem *problem) {
    Text text = {0};
    model_write(model->model, &text);
    FILE *file = fopen(path, "w");
    bool is_written = file && fwrite(text.items, 1, text.count, file) == text.count;
    int error = errno;
    if (file && fclose(file) != 0)
        is_written = false;
    vector_free(&text);
    return is_written ? succeed(problem)
                      : refuse(problem, MARELLE_UNREADABLE, "%s: %s", path, strerror(error));
}

/* ---- use ---- */

MarelleModelFacts marelle_model_facts(const MarelleModel *model) {
    const Model *m = model->model;
    return (MarelleModelFacts){.learner = m->learner,
                               .is_policy = m->dense != NULL,
                               .helps = model_helps(m),
                               .roles = m->role_count,
                               .matches = m->acceptance.matches,
                               .wins = m->acceptance.wins,
                               .draws = m->acceptance.draws,
                               .features = (uint32_t)m->features.items.count,
                               .nodes = (uint32_t)m->network.nodes.count,
                               .edges = (uint32_t)m->network.edges.count,
                               .hidden = m->dense ? 0 : network_hidden(&m->network),
                               .use = text_string(&model->use)};
}

/* The preferences of a policy, and the goals that it expects. */
static void advise(const SearchEvaluation *e, void *own, const Game *game, MarellePlay *play,
                   const State *state, double *goals, float *shares) {
    U32Vector all = {0}, first = {0};
    for (uint32_t r = 0; r < game->role_count; r++) {
        game_legal(play->work, state, r, &play->legal[r]);
        vector_push(&first, (uint32_t)all.count);
        for (size_t i = 0; i < play->legal[r].count; i++)
            vector_push(&all, play->legal[r].items[i]);
    }
    vector_push(&first, (uint32_t)all.count);
    float *found = memory_zalloc((all.count + 1) * sizeof *found);
    e->advise(own, &(Advice){state, all.items, first.items, goals, found}, 1);
    if (shares)
        memcpy(shares, found, all.count * sizeof *found);
    vectors_free(&all, &first);
    free(found);
}

MarelleStatus marelle_model_evaluate(const MarelleModel *model, MarellePlay *play,
                                     const MarelleState *state, double *goals, float *shares,
                                     MarelleProblem *problem) {
    if (shares && !model->model->dense)
        return refuse(problem, MARELLE_UNFIT, "the model has no preferences of moves");
    if (game_is_terminal(play->work, &state->state))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "the match is over in this state");
    Evaluator *evaluator = evaluator_create(model->model);
    if (!evaluator_fits(evaluator, play->game)) {
        evaluator_free(evaluator);
        return refuse(problem, MARELLE_UNFIT, "the model is about another game");
    }
    SearchEvaluation e = evaluator_interface(evaluator);
    void *own = e.open ? e.open(e.context, play->game) : e.context;
    const State *states[] = {&state->state};
    if (e.advise)
        advise(&e, own, play->game, play, &state->state, goals, shares);
    else
        e.evaluate(own, states, 1, goals);
    if (e.close)
        e.close(own);
    evaluator_free(evaluator);
    return succeed(problem);
}
