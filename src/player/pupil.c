/* Runs the apprentice of learn/play in a thread. `done` is atomic: until it is set, the pupil's
 * thread owns the model; afterwards the model is only read. */
#include "player/pupil.h"

#include <assert.h>

#include "learn/play/acceptance.h"
#include "learn/play/apprentice.h"
#include "strategy/strategy.h"

/* CPU seconds per move in the pupil's own matches (guess). */
static const double MOVE_SECONDS = 0.004;
/* Matches with against without the evaluation, at most (guess). */
enum { MATCHES = 100 };

struct Pupil {
    Game *game;
    Monitor *monitor;
    ApprenticeOptions options;
    pthread_t thread;
    bool stopped, done; /* atomic */
    Model *model;       /* NULL if there was no data */
    Evaluator *evaluator;
    SearchEvaluation evaluation;
};

static void *learn(void *context) {
    Pupil *p = context;
    p->options.pool = pool_create(1);
    p->model = apprentice_learn(p->game, &p->options);
    pool_destroy(p->options.pool);
    if (p->model && acceptance_is_given(&p->model->acceptance)) {
        p->evaluator = evaluator_create(p->model);
        p->evaluation = evaluator_interface(p->evaluator);
    }
    __atomic_store_n(&p->done, true, __ATOMIC_RELEASE);
    monitor_wake(p->monitor);
    return NULL;
}

Pupil *pupil_start(Game *game, const char *method, const SearchOptions *options, double seconds,
                   Monitor *monitor) {
    assert(seconds > 0);
    if (!apprentice_suits(game))
        return NULL;
    Pupil *p = memory_zalloc(sizeof *p);
    p->game = game;
    p->monitor = monitor;
    p->options = (ApprenticeOptions){.method = strategy_resolve(strategy_method(method), game),
                                     .seconds = seconds,
                                     .move_seconds = MOVE_SECONDS,
                                     .matches = MATCHES,
                                     .seed = options->seed,
                                     .stopped = &p->stopped};
    if (pthread_create(&p->thread, NULL, learn, p) == 0)
        return p;
    free(p);
    return NULL;
}

void pupil_free(Pupil *p) {
    if (!p)
        return;
    __atomic_store_n(&p->stopped, true, __ATOMIC_RELEASE);
    pthread_join(p->thread, NULL);
    evaluator_free(p->evaluator);
    model_free(p->model);
    free(p);
}

bool pupil_is_done(const Pupil *p) {
    return __atomic_load_n(&p->done, __ATOMIC_ACQUIRE);
}

bool pupil_teaches(const Pupil *p, SearchOptions *options, Text *text) {
    assert(pupil_is_done(p));
    AcceptanceResult tests = p->model ? p->model->acceptance : (AcceptanceResult){0};
    text_printf(text,
                "an evaluation was learnt; with it the search won %lu and drew %lu of %lu test "
                "matches, so it is %s",
                (unsigned long)tests.wins, (unsigned long)tests.draws, (unsigned long)tests.matches,
                p->evaluator ? "used" : "not used");
    if (p->evaluator)
        acceptance_set_options(&p->evaluation, options);
    return p->evaluator != NULL;
}
