/* Each step has a share of the time and leaves what it does not use to the next steps. */
#include "learn/play/model_training.h"

#include "learn/data/collect.h"
#include "learn/data/mining.h"
#include "learn/learners/learner.h"
#include "learn/play/acceptance.h"

/* Constants of this module. */
enum {
    SUBGOALS = 1000, /* features from the rules, at most (untuned) */
    MINED = 500,     /* mined conjunctions, at most (untuned) */
    FEW_ROWS = 400,  /* rows below which none are held out (untuned) */
    JUDGED = 256,    /* leaves of a search of the second round (untuned) */
    ENOUGH = 8,      /* rows of the first round per row that the second must have (untuned) */
    IMAGES = 4,      /* images of a state under symmetries, itself included (untuned) */
    HIDDEN = 14      /* hidden units: with two outputs they fill one vector of 16 floats */
};
static const double HELD_OUT = 0.1;       /* share of matches for early stopping (untuned) */
static const double SYMMETRY_SECONDS = 1; /* CPU time to find symmetries (untuned) */
static const double DATA_SHARE = 0.4;     /* share of the time for collecting data (untuned) */
static const double TRAIN_SHARE = 0.2;    /* share of the time for training (untuned) */
static const double FIRST_SHARE = 1. / 3; /* share of both for the first round (untuned) */

/* Features that are found in the rows are also looked for in the images of the rows. */
static void add_features(Game *game, const DataSet *set, const Mirror *mirror, unsigned looks,
                         Model *model) {
    DataSet *images = mirror && (looks & (MODEL_FEATURES_MOVES | MODEL_FEATURES_MINED))
                          ? mirror_data(mirror, set)
                          : NULL;
    const DataSet *seen = images ? images : set;
    features_add_facts(&model->features, set, mirror);
    if (looks & MODEL_FEATURES_COUNTS)
        features_add_counts(&model->features, set);
    if (game && (looks & MODEL_FEATURES_RULES))
        features_add_subgoals(&model->features, game, SUBGOALS);
    if (game && (looks & MODEL_FEATURES_MOVES))
        features_add_mobility(&model->features, game, seen);
    for (uint32_t r = 0; r < set->role_count && (looks & MODEL_FEATURES_MINED); r++)
        mine_conjunctions(seen, r, &model->ranges[r],
                          &(MiningOptions){.most = MINED / set->role_count}, &model->features);
    dataset_free(images);
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
    learner_train(learner, rows, &learning, &model->network);
}

Model *model_train(Game *game, const DataSet *set, const TrainOptions *o) {
    const Learner *learner = o->learner ? learner_find(o->learner) : learners[0];
    DataSet *own = NULL, *test = NULL;
    assert(learner);
    Weighing weighing = game ? WEIGH_BY_ROOT : WEIGH_BY_COUNT;
    Mirror *mirror = game ? mirror_create(game, IMAGES, SYMMETRY_SECONDS) : NULL;
    Model *model = model_create(learner->name, set);
    if (dataset_rows(set) >= FEW_ROWS && !o->is_all)
        dataset_split(set, HELD_OUT, o->seed + 1, &own, &test);
    const DataSet *seen = own ? own : set;
    const Features *features = &model->features;
    add_features(game, seen, mirror, o->feature_kinds, model);
    Examples *rows = examples_of_images(features, game, seen, mirror, model->ranges, weighing);
    Examples *held_out =
        test ? examples_of_images(features, game, test, NULL, model->ranges, weighing) : NULL;
    train_on(model, learner, rows, held_out, o);
    examples_free(rows);
    examples_free(held_out);
    dataset_free(own);
    dataset_free(test);
    mirror_free(mirror);
    return model;
}

bool model_can_be_learnt(const Game *game) {
    return game_has_circuit(game) && !game_hides(game) && game_count_players(game) == 2 &&
           game->role_count <= DATASET_MAX_ROLES;
}

static DataSet *collect_data(Game *game, const ModelLearnOptions *o, double seconds,
                             const SearchOptions *search) {
    CollectOptions collecting = {.source = COLLECT_UCT,
                                 .states = COLLECT_BEFORE_ENDS,
                                 .rows = o->rows,
                                 .deadline = deadline_in(seconds),
                                 .seed = o->seed + (search != NULL),
                                 .stopped = o->stopped,
                                 .playouts = search ? JUDGED : 0,
                                 .search = search,
                                 .value_share = -1};
    DataSet *set = collect(game, &collecting, o->pool);
    DataSet *distinct = set ? dataset_distinct(set) : NULL;
    dataset_free(set);
    return distinct;
}

DataSet *model_collect_data(Game *game, const ModelLearnOptions *o) {
    return collect_data(game, o, DATA_SHARE * o->seconds, NULL);
}

TrainOptions model_train_options(const ModelLearnOptions *o) {
    return (TrainOptions){.feature_kinds = MODEL_FEATURES_COUNTS,
                          .hidden = HIDDEN,
                          .seed = o->seed,
                          .deadline = deadline_in(TRAIN_SHARE * o->seconds),
                          .stopped = o->stopped,
                          .pool = o->pool};
}

static void tell_step(const ModelLearnOptions *o, const char *step) {
    if (o->on_step)
        o->on_step(o->context, step);
}

static Model *train_for(Game *game, const ModelLearnOptions *o, double seconds,
                        const DataSet *set) {
    TrainOptions training = model_train_options(o);
    training.deadline = deadline_in(seconds);
    tell_step(o, "training");
    return model_train(game, set, &training);
}

/* States from self-play of a search whose leaves the model judges. Its values see further than
 * those of playouts, since they are those of a tree, with the proofs in it (Veness et al. 2009). */
static DataSet *collect_again(Game *game, const ModelLearnOptions *o, Model *model) {
    acceptance_let_judge(model);
    Evaluator *evaluator = evaluator_create(model);
    SearchEvaluation evaluation = evaluator_interface(evaluator);
    SearchOptions search = {0};
    acceptance_set_options(&evaluation, &search);
    tell_step(o, "data");
    DataSet *set = collect_data(game, o, (1 - FIRST_SHARE) * DATA_SHARE * o->seconds, &search);
    evaluator_free(evaluator);
    return set;
}

/* The first model is kept where the second round brings hardly any states beside its own. */
static Model *learn_in_rounds(Game *game, const ModelLearnOptions *o) {
    tell_step(o, "data");
    DataSet *set = collect_data(game, o, FIRST_SHARE * DATA_SHARE * o->seconds, NULL);
    if (!set)
        return NULL;
    Model *model = train_for(game, o, FIRST_SHARE * TRAIN_SHARE * o->seconds, set);
    DataSet *again = collect_again(game, o, model);
    if (again && dataset_rows(again) >= dataset_rows(set) / ENOUGH) {
        model_free(model);
        model = train_for(game, o, (1 - FIRST_SHARE) * TRAIN_SHARE * o->seconds, again);
    }
    dataset_free(set);
    dataset_free(again);
    return model;
}

Model *model_learn(Game *game, const ModelLearnOptions *o) {
    Deadline end = deadline_in(o->seconds);
    Model *model = learn_in_rounds(game, o);
    if (!model)
        return NULL;
    AcceptanceOptions acceptance = {.method = o->method,
                                    .seconds = o->move_seconds,
                                    .matches = o->matches,
                                    .deadline = end,
                                    .stopped = o->stopped,
                                    .seed = o->seed};
    tell_step(o, "matches");
    acceptance_choose_use(game, model, &acceptance, o->pool);
    return model;
}
