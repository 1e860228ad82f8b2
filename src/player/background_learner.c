/* Runs learn/play/model_training in a thread. `done` is atomic: until it is set, the learner's
 * thread owns the model; afterwards the model is only read. */
#include "player/background_learner.h"

#include <assert.h>

#include "learn/play/acceptance.h"
#include "learn/play/model_training.h"
#include "strategy/strategy.h"

/* CPU seconds per move in the learner's own matches, at least (untuned). */
static const double MOVE_SECONDS = 0.004;
/* Matches with against without the evaluation, at most (untuned). */
enum { MATCHES = 100 };

struct BackgroundLearner {
    Game *game;
    Monitor *monitor;
    ModelLearnOptions options;
    uint32_t threads; /* those of the search, which waits or shares the processors */
    pthread_t thread;
    bool stopped, done; /* atomic */
    Model *model;       /* NULL if there was no data */
    Evaluator *evaluator;
    SearchEvaluation evaluation;
};

static void *learn(void *context) {
    BackgroundLearner *learner = context;
    learner->options.pool = pool_create(learner->threads);
    learner->model = model_learn(learner->game, &learner->options);
    pool_free(learner->options.pool);
    if (learner->model && acceptance_is_given(&learner->model->acceptance)) {
        learner->evaluator = evaluator_create(learner->model);
        learner->evaluation = evaluator_interface(learner->evaluator);
    }
    __atomic_store_n(&learner->done, true, __ATOMIC_RELEASE);
    monitor_wake(learner->monitor);
    return NULL;
}

BackgroundLearner *background_learner_start(Game *game, const char *method,
                                            const SearchOptions *options, double seconds,
                                            Monitor *monitor) {
    assert(seconds > 0);
    if (!model_can_be_learnt(game))
        return NULL;
    BackgroundLearner *learner = memory_zalloc(sizeof *learner);
    learner->game = game;
    learner->monitor = monitor;
    learner->threads = options->threads ? options->threads : 1;
    learner->options =
        (ModelLearnOptions){.method = strategy_resolve(strategy_find_method(method), game),
                            .seconds = seconds,
                            .move_seconds = MOVE_SECONDS,
                            .matches = MATCHES,
                            .seed = options->seed,
                            .stopped = &learner->stopped};
    if (pthread_create(&learner->thread, NULL, learn, learner) == 0)
        return learner;
    free(learner);
    return NULL;
}

void background_learner_free(BackgroundLearner *learner) {
    if (!learner)
        return;
    __atomic_store_n(&learner->stopped, true, __ATOMIC_RELEASE);
    pthread_join(learner->thread, NULL);
    evaluator_free(learner->evaluator);
    model_free(learner->model);
    free(learner);
}

bool background_learner_is_done(const BackgroundLearner *learner) {
    return __atomic_load_n(&learner->done, __ATOMIC_ACQUIRE);
}

bool background_learner_apply(const BackgroundLearner *learner, SearchOptions *options,
                              Text *text) {
    assert(background_learner_is_done(learner));
    AcceptanceResult tests = learner->model ? learner->model->acceptance : (AcceptanceResult){0};
    text_printf(text,
                "an evaluation was learnt; with it the search won %lu and drew %lu of %lu test "
                "matches, so it is %s",
                (unsigned long)tests.wins, (unsigned long)tests.draws, (unsigned long)tests.matches,
                learner->evaluator ? "used" : "not used");
    if (learner->evaluator)
        acceptance_set_options(&learner->evaluation, options);
    return learner->evaluator != NULL;
}
