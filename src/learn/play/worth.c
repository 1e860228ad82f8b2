/* Plays from each state and compares the running means of playouts with the scores of the set. */
#include "learn/play/worth.h"

#include "game/batch.h"
#include "learn/play/evaluator.h"

enum { LONGEST = 2000 }; /* turns after which a playout is broken off (untuned) */

typedef struct {
    const Model *model;
    Batch *batch;
    EvaluatorWork *work;
    uint32_t roles;
    PlayoutStart starts[WORTH_MAX_PLAYOUTS];
    PlayoutResult results[WORTH_MAX_PLAYOUTS];
    int *goals;
    double *evaluated; /* by role: the goals that the model expects */
    Worth *worth;
} Scale;

static void weigh_state(Scale *s, const State *state, const double *scores) {
    for (uint32_t k = 0; k < WORTH_MAX_PLAYOUTS; k++) {
        s->starts[k] = (PlayoutStart){state, NULL};
        s->results[k].goals = s->goals + (size_t)k * s->roles;
    }
    batch_play(s->batch, s->starts, WORTH_MAX_PLAYOUTS, LONGEST, s->results);
    evaluator_evaluate(s->work, state, s->evaluated);
    for (uint32_t r = 0; r < s->roles; r++) {
        const ScoreRange *range = &s->model->ranges[r];
        double target = score_value(range, scores[r]), sum = 0;
        double off = score_value(range, s->evaluated[r]) - target;
        s->worth->model += off * off;
        for (uint32_t k = 1; k <= WORTH_MAX_PLAYOUTS; k++) {
            const PlayoutResult *result = &s->results[k - 1];
            bool is_over = result->end == MATCH_TERMINAL && result->goals[r] >= 0;
            sum += is_over ? score_value(range, result->goals[r]) : 0.5;
            double difference = sum / k - target;
            s->worth->playouts[k] += difference * difference;
        }
    }
    s->worth->states++;
}

static void finish(Worth *w, uint32_t roles) {
    double terms = (double)w->states * roles;
    w->model /= terms;
    w->worth = WORTH_MAX_PLAYOUTS + 1;
    for (uint32_t k = WORTH_MAX_PLAYOUTS; k >= 1; k--) {
        w->playouts[k] /= terms;
        w->worth = w->playouts[k] <= w->model ? k : w->worth;
    }
}

bool worth_measure(Game *game, const Model *model, const DataSet *set, size_t most, uint64_t seed,
                   Worth *worth) {
    Scale s = {.model = model, .roles = game->role_count, .worth = worth};
    size_t rows = dataset_rows(set), step = most && rows > most ? rows / most : 1;
    *worth = (Worth){0};
    s.batch = batch_create(game, seed);
    if (!s.batch || !rows) {
        batch_free(s.batch);
        return false;
    }
    Evaluator *evaluator = evaluator_create(model);
    State state = {0};
    s.work = evaluator_work(evaluator, game);
    s.goals = memory_zalloc((size_t)WORTH_MAX_PLAYOUTS * s.roles * sizeof *s.goals);
    s.evaluated = memory_zalloc(s.roles * sizeof *s.evaluated);
    for (size_t i = 0; i < rows; i += step) {
        for (uint32_t w = 0; w < state.word_count; w++)
            state.words[w] = 0;
        for (uint32_t k = 0; k < dataset_size(set, i); k++)
            state_set(&state, dataset_facts(set, i)[k]);
        if (!set->ends.items[i])
            weigh_state(&s, &state, dataset_scores(set, i));
    }
    if (worth->states)
        finish(worth, s.roles);
    state_free(&state);
    memory_free(s.goals, s.evaluated);
    evaluator_work_free(s.work);
    evaluator_free(evaluator);
    batch_free(s.batch);
    return worth->states > 0;
}
