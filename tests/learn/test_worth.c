/* What a model knows about states that are no ends: Tictactoe, where everything can be computed. */
#include <math.h>

#include "../game/play.h"
#include "base/table.h"
#include "game/batch.h"
#include "learn/apprentice.h"
#include "learn/collect.h"
#include "learn/evaluator.h"

TestSuite(worth, .timeout = 110);

enum { PLAYOUTS = 10, REACHABLE = 5478, ENDS = 958 };

/* All states that can be reached, each once, with the value 0..1 of the first role. */
typedef struct {
    Game *game;
    GameWork *work;
    Table table;
    VECTOR(State) states;
    VECTOR(double) values;
} Atlas;

static uint32_t find(const Atlas *a, const State *state) {
    uint32_t id;
    for (TableProbe p = table_probe(&a->table, state_hash(state)); table_next(&a->table, &p, &id);)
        if (state_equal(&a->states.items[id], state))
            return id;
    return UINT32_MAX;
}

/* At most nine turns deep. */
static double value_of(Atlas *a, const State *state) {
    uint32_t known = find(a, state), joint[2];
    if (known != UINT32_MAX)
        return a->values.items[known];
    double best = -1;
    U32Vector legal[2] = {{0}, {0}};
    State next = {0}, own = {0};
    if (game_is_terminal(a->work, state)) {
        best = game_goal(a->work, state, 0) / 100.0;
    } else {
        game_legal(a->work, state, 0, &legal[0]);
        game_legal(a->work, state, 1, &legal[1]);
        bool is_first = legal[0].count > 1; /* or nobody has a choice, which is as well */
        for (size_t i = 0; i < legal[0].count; i++)
            for (size_t k = 0; k < legal[1].count; k++) {
                joint[0] = legal[0].items[i];
                joint[1] = legal[1].items[k];
                game_next(a->work, state, joint, &next);
                double value = value_of(a, &next);
                best = best < 0 || (is_first ? value > best : value < best) ? value : best;
            }
    }
    state_copy(&own, state);
    table_insert(&a->table, state_hash(state), (uint32_t)a->states.count);
    vector_push(&a->states, own);
    vector_push(&a->values, best);
    state_free(&next);
    vector_free(&legal[0]);
    vector_free(&legal[1]);
    return best;
}

static void atlas_open(Atlas *a) {
    State state = {0};
    *a = (Atlas){.game = game_named("tic_tac_toe", NULL)};
    a->work = game_work(a->game, REASONER_AUTO);
    game_initial(a->work, &state);
    cr_assert_float_eq(value_of(a, &state), 0.5, 1e-9);
    cr_assert_eq(a->states.count, REACHABLE);
    state_free(&state);
}

static void atlas_close(Atlas *a) {
    for (size_t i = 0; i < a->states.count; i++)
        state_free(&a->states.items[i]);
    vector_free(&a->states);
    vector_free(&a->values);
    table_free(&a->table);
    game_work_free(a->work);
    game_free(a->game);
}

/* The square of how far off the mean of ten random matches is. */
static double error_of_playouts(Batch *batch, const State *state, double value) {
    PlayoutStart starts[PLAYOUTS];
    PlayoutResult results[PLAYOUTS];
    int goals[PLAYOUTS][2];
    double mean = 0;
    for (int i = 0; i < PLAYOUTS; i++) {
        starts[i] = (PlayoutStart){state, NULL};
        results[i] = (PlayoutResult){.goals = goals[i]};
    }
    batch_play(batch, starts, PLAYOUTS, 100, results);
    for (int i = 0; i < PLAYOUTS; i++)
        mean += goals[i][0] / 100.0 / PLAYOUTS;
    return (mean - value) * (mean - value);
}

/* Trained on nothing but searches; tried on the reachable states that it never saw. */
Test(worth, beats_ten_play_outs_on_all_of_tictactoe) {
    Atlas a;
    atlas_open(&a);
    Pool *pool = pool_create(1);
    CollectOptions collecting = {.source = COLLECT_UCT,
                                 .states = COLLECT_BEFORE_ENDS,
                                 .matches = 150,
                                 .playouts = 512,
                                 .share_random = 0.5,
                                 .seed = 1,
                                 .value_share = -1};
    DataSet *all = collect(a.game, &collecting, pool), *set = dataset_distinct(all);
    Model *model = apprentice_train(
        a.game, set, &(TrainOptions){.seed = 1, .hidden = 14, .effort = 40, .pool = pool});
    Evaluator *evaluator = evaluator_create(model);
    EvaluatorWork *work = evaluator_work(evaluator, a.game);
    Batch *batch = batch_create(a.game, 1);
    bool *is_seen = memory_zalloc(a.states.count);
    State state = {0};
    for (size_t i = 0; i < dataset_rows(set); i++) {
        for (uint32_t w = 0; w < state.word_count; w++)
            state.words[w] = 0;
        for (uint32_t k = 0; k < dataset_size(set, i); k++)
            state_set(&state, dataset_facts(set, i)[k]);
        uint32_t id = find(&a, &state);
        cr_assert_neq(id, UINT32_MAX);
        is_seen[id] = true;
    }
    double of_model = 0, of_playouts = 0, tried = 0;
    for (size_t i = 0; i < a.states.count; i++) {
        double goals[2], value = a.values.items[i];
        if (is_seen[i] || game_is_terminal(a.work, &a.states.items[i]))
            continue;
        evaluator_judge(work, &a.states.items[i], goals);
        of_model += (goals[0] / 100 - value) * (goals[0] / 100 - value);
        of_playouts += error_of_playouts(batch, &a.states.items[i], value);
        tried++;
    }
    cr_log_info("%g states held out of %d: Brier %.4f, of ten play-outs %.4f", tried,
                REACHABLE - ENDS, of_model / tried, of_playouts / tried);
    cr_assert_gt(tried, 1000);
    cr_assert_lt(of_model, of_playouts);
    free(is_seen);
    state_free(&state);
    batch_free(batch);
    evaluator_work_free(work);
    evaluator_free(evaluator);
    model_free(model);
    dataset_free(set);
    dataset_free(all);
    pool_destroy(pool);
    atlas_close(&a);
}
