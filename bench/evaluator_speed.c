/* How long a learnt evaluation takes for one state:
 *
 *     build/tests/evaluator_speed [GAME-FILE]
 *
 * Models with facts as features, one sum a role or hidden units, are trained for a moment on states
 * of random matches of the game (games/connect_four.kif), and then asked about the states of other
 * random matches one after the other, as a search meets them on its way: sums are moved from state
 * to state. Prints a line for each model: nanoseconds of the processor a state, the median of nine
 * rounds. Status 1 if the first, one sum a role, takes a microsecond or more. */
#include <stdio.h>
#include <stdlib.h>

#include "base/bitset.h"
#include "learn/data/collect.h"
#include "learn/play/evaluator.h"
#include "learn/play/model_training.h"

enum { ROUNDS = 9, PASSES = 40, MATCHES = 200 };

typedef VECTOR(State) States;

/* The rows of matches in the order in which they were played. */
static void make_states(const DataSet *set, States *states) {
    for (size_t i = 0; i < dataset_rows(set); i++) {
        State state = {0};
        for (uint32_t k = 0; k < dataset_size(set, i); k++)
            state_set(&state, dataset_facts(set, i)[k]);
        vector_push(states, state);
    }
}

static int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double time_model(Game *game, const Model *model, const States *states) {
    Evaluator *evaluator = evaluator_create(model);
    EvaluatorWork *work = evaluator_work(evaluator, game);
    double times[ROUNDS], goals[DATASET_MAX_ROLES];
    for (int round = 0; round < ROUNDS; round++) {
        double started = clock_thread_cpu_seconds();
        for (int pass = 0; pass < PASSES; pass++)
            for (size_t i = 0; i < states->count; i++)
                evaluator_evaluate(work, &states->items[i], goals);
        times[round] =
            (clock_thread_cpu_seconds() - started) / PASSES / (double)states->count * 1e9;
    }
    evaluator_work_free(work);
    evaluator_free(evaluator);
    qsort(times, ROUNDS, sizeof *times, compare_times);
    return times[ROUNDS / 2];
}

static DataSet *random_matches(Game *game, uint64_t seed, Pool *pool) {
    CollectOptions options = {.source = COLLECT_RANDOM,
                              .states = COLLECT_ALL,
                              .matches = MATCHES,
                              .seed = seed,
                              .playouts = 1,
                              .per_match = 1000};
    return collect(game, &options, pool);
}

static double measure(Game *game, Pool *pool) {
    static const struct {
        const char *name, *learner;
        uint32_t hidden;
    } kinds[] = {{"one sum a role", "logistic", 0},
                 {"14 hidden units", "mlp", 14},
                 {"16 hidden units", "mlp", 16}};
    DataSet *train = random_matches(game, 1, pool), *asked = random_matches(game, 2, pool);
    States states = {0};
    double first = 0;
    make_states(asked, &states);
    printf("%zu states of %d matches\n", states.count, MATCHES);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        TrainOptions options = {
            .learner = kinds[k].learner, .hidden = kinds[k].hidden, .effort = 2, .pool = pool};
        Model *model = model_train(game, train, &options);
        double time = time_model(game, model, &states);
        printf("%-16s %8.1f ns a state\n", kinds[k].name, time);
        first = k ? first : time;
        model_free(model);
    }
    for (size_t i = 0; i < states.count; i++)
        state_free(&states.items[i]);
    vector_free(&states);
    dataset_free(train);
    dataset_free(asked);
    return first;
}

int main(int count, char **arguments) {
    Report report = {0};
    Game *game = game_open(count > 1 ? arguments[1] : "games/connect_four.kif", NULL, &report);
    bool is_fast = false;
    if (game && model_can_be_learnt(game)) {
        Pool *pool = pool_create(1);
        is_fast = measure(game, pool) < 1000;
        pool_free(pool);
    } else {
        fprintf(stderr, "evaluator_speed: a game of two players with a circuit is wanted\n");
    }
    game_free(game);
    report_free(&report);
    return is_fast ? 0 : 1;
}
