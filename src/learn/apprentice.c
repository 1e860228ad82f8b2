/* Every step has its share of the clock; what a step does not need is left to the next. */
#include "learn/apprentice.h"

#include "learn/collect.h"
#include "learn/gate.h"
#include "learn/learner.h"
#include "learn/mining.h"
#include "learn/mirror.h"

enum {
    SUBGOALS = 1000,
    MINED = 500,
    FEW_ROWS = 400, /* too few for some to be held out */
    IMAGES = 4,     /* of a state under symmetries, itself included */
    HIDDEN = 14     /* with two outputs one wide register */
};
static const double HELD_OUT = 0.1, SYMMETRY_SECONDS = 1;
static const double DATA_SHARE = 0.5, TRAIN_SHARE = 0.2;

static void add_features(Game *game, const DataSet *set, unsigned looks, Model *model) {
    features_add_facts(&model->features, set);
    if (looks & LOOK_AT_COUNTS)
        features_add_counts(&model->features, set);
    if (game && (looks & LOOK_AT_RULES))
        features_add_subgoals(&model->features, game, SUBGOALS);
    if (game && (looks & LOOK_AT_MOVES))
        features_add_mobility(&model->features, game, set);
    for (uint32_t r = 0; r < set->role_count && (looks & LOOK_AT_MINED); r++)
        mine_conjunctions(set, r, &model->ranges[r],
                          &(MiningOptions){.most = MINED / set->role_count}, &model->features);
}

static Examples *examples_for(const Model *model, Game *game, const DataSet *set) {
    return examples_of_features(&model->features, game, set, model->ranges,
                                game ? WEIGH_BY_ROOT : WEIGH_BY_COUNT);
}

static void train_on(Model *model, const Learner *learner, const Examples *rows,
                     const Examples *held_out, const TrainOptions *o) {
    LearnOptions learning = {.seed = o->seed,
                             .effort = o->effort,
                             .hidden = o->hidden,
                             .deadline = o->deadline,
                             .stopped = o->stopped,
                             .held_out = held_out,
                             .pool = o->pool};
    learner->train(rows, &learning, &model->network);
}

/* What is not needed any more goes before the next step: with an hour of matches every copy is a
 * matter of gigabytes. */
Model *apprentice_train(Game *game, const DataSet *set, const TrainOptions *o) {
    const Learner *learner = learner_find(o->learner ? o->learner : "mlp");
    DataSet *own = NULL, *test = NULL;
    Examples *held_out = NULL;
    Model *model = model_create(learner->name, set);
    if (dataset_rows(set) >= FEW_ROWS && !o->is_all)
        dataset_split(set, HELD_OUT, o->seed + 1, &own, &test);
    if (game) {
        DataSet *mirrored = mirror_data(game, own ? own : set, IMAGES, SYMMETRY_SECONDS);
        dataset_free(own);
        own = mirrored;
    }
    const DataSet *seen = own ? own : set;
    add_features(game, seen, o->looks, model);
    if (test)
        held_out = examples_for(model, game, test);
    dataset_free(test);
    Examples *rows = examples_for(model, game, seen);
    dataset_free(own);
    train_on(model, learner, rows, held_out, o);
    examples_free(rows);
    examples_free(held_out);
    return model;
}

bool apprentice_suits(const Game *game) {
    return game_has_circuit(game) && !game_hides(game) &&
           game->role_count - game->rules->has_random == 2 &&
           game->role_count <= DATASET_MOST_ROLES;
}

DataSet *apprentice_collect(Game *game, const ApprenticeOptions *o) {
    CollectOptions collecting = {.source = COLLECT_UCT,
                                 .states = COLLECT_BEFORE_ENDS,
                                 .rows = o->rows,
                                 .deadline = deadline_in(DATA_SHARE * o->seconds),
                                 .seed = o->seed,
                                 .stopped = o->stopped,
                                 .value_share = -1};
    DataSet *set = collect(game, &collecting, o->pool);
    DataSet *distinct = set ? dataset_distinct(set) : NULL;
    dataset_free(set);
    return distinct;
}

TrainOptions apprentice_training(const ApprenticeOptions *o) {
    return (TrainOptions){.looks = LOOK_AT_COUNTS,
                          .hidden = HIDDEN,
                          .seed = o->seed,
                          .deadline = deadline_in(TRAIN_SHARE * o->seconds),
                          .stopped = o->stopped,
                          .pool = o->pool};
}

Model *apprentice_learn(Game *game, const ApprenticeOptions *o) {
    Deadline end = deadline_in(o->seconds);
    DataSet *set = apprentice_collect(game, o);
    if (!set)
        return NULL;
    TrainOptions training = apprentice_training(o);
    Model *model = apprentice_train(game, set, &training);
    dataset_free(set);
    GateOptions gate = {.method = o->method,
                        .seconds = o->move_seconds,
                        .matches = o->matches,
                        .deadline = end,
                        .stopped = o->stopped,
                        .seed = o->seed};
    gate_choose_use(game, model, &gate, o->pool);
    return model;
}
