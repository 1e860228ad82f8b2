/* Learns about a game in a few seconds. Random matches give states with scores; one logistic sum
 * per role gives each fact a value; a small network with hidden units shows how much more can be
 * explained. */
#include <math.h>
#include <string.h>

#include "learn/data/collect.h"
#include "learn/learners/learner.h"
#include "learn/play/model.h"
#include "server/json/json.h"
#include "server/page/inside.h"

/* Constants of this look (untuned). */
enum {
    MATCHES = 2000, /* random matches that give the states */
    SEED = 1,
    MANY_ROWS = 400,       /* states from which on some are held out in training */
    HIDDEN = 6,            /* hidden units of the network */
    MAX_INPUTS = 24,       /* inputs of the network that are drawn, at most */
    MAX_FACTS_SHOWN = 2000 /* facts shown with their values, at most */
};
static const double collect_seconds = 2.5, train_seconds = 2;
static const double test_share = 0.2; /* share of the matches for testing, 0..1 */

/* If there are many states, some are held out for early stopping. */
static Model *train(const char *name, const DataSet *all, Pool *pool) {
    const Learner *learner = learner_find(name);
    Model *model = model_create(name, all);
    DataSet *parts[2] = {NULL, NULL};
    if (dataset_rows(all) >= MANY_ROWS)
        dataset_split(all, test_share / 2, SEED + 1, &parts[0], &parts[1]);
    features_add_facts(&model->features, all, NULL);
    Examples *examples = examples_of_features(&model->features, NULL, parts[0] ? parts[0] : all,
                                              model->ranges, WEIGH_BY_ROOT);
    Examples *held_out = parts[1] ? examples_of_features(&model->features, NULL, parts[1],
                                                         model->ranges, WEIGH_BY_ROOT)
                                  : NULL;
    learner_train(learner, examples,
                  &(LearnOptions){.seed = SEED,
                                  .deadline = deadline_in(train_seconds),
                                  .hidden = HIDDEN,
                                  .held_out = held_out,
                                  .pool = pool},
                  &model->network);
    examples_free(examples);
    examples_free(held_out);
    dataset_free(parts[0]);
    dataset_free(parts[1]);
    return model;
}

/* The squared error of predicting the mean of each role. */
static double variance_of(const Matrix *matrix) {
    float *means = memory_zalloc(matrix->output_count * matrix->stride * sizeof *means);
    for (uint32_t o = 0; o < matrix->output_count; o++) {
        float *row = means + o * matrix->stride;
        double sum = 0;
        for (size_t i = 0; i < matrix->rows; i++)
            sum += matrix->weights[i] * matrix->targets[o * matrix->stride + i];
        for (size_t i = 0; i < matrix->rows; i++)
            row[i] = (float)(sum / matrix->weight);
    }
    double variance = errors_of(matrix, means).squared;
    free(means);
    return variance;
}

/* The share of the variance that the model explains on the set; null if there is no variance. */
static json_t *explained_json(const Model *model, const DataSet *set) {
    Examples *examples = model_examples(model, NULL, set, WEIGH_ALIKE);
    Matrix *matrix = matrix_create(examples);
    double variance = variance_of(matrix);
    double error = network_errors(&model->network, matrix).squared;
    matrix_free(matrix);
    examples_free(examples);
    return variance > 0 ? json_real(1 - error / variance) : json_null();
}

static json_t *feature_json(const Model *model, uint32_t feature) {
    Text text = {0};
    features_write(&model->features, feature, &model->facts, &text);
    return take_text_json(&text);
}

/* For each fact, the weight it adds to the sum of each role. */
static json_t *worths_json(const Model *model) {
    const Network *n = &model->network;
    size_t inputs = model->features.items.count;
    double *worth = memory_zalloc((inputs * model->role_count + 1) * sizeof *worth);
    json_t *array = json_array();
    for (uint32_t r = 0; r < model->role_count; r++) {
        const NetworkNode *node = &n->nodes.items[n->outputs.items[r]];
        for (uint32_t e = 0; e < node->edge_count; e++) {
            const NetworkEdge *edge = &n->edges.items[node->first_edge + e];
            if (edge->from < inputs)
                worth[edge->from * model->role_count + r] = edge->weight;
        }
    }
    for (uint32_t i = 0; i < inputs && i < MAX_FACTS_SHOWN; i++) {
        json_t *values = json_array();
        for (uint32_t r = 0; r < model->role_count; r++)
            array_push(values, json_real(worth[i * model->role_count + r]));
        array_push(array, json_pack("[o,o]", feature_json(model, i), values));
    }
    free(worth);
    return array;
}

/* The inputs with the largest sums of absolute weights, largest first. */
static U32Vector heaviest_inputs(const Network *n) {
    double *weight = memory_zalloc((n->input_count + 1) * sizeof *weight);
    U32Vector chosen = {0};
    for (size_t e = 0; e < n->edges.count; e++)
        if (n->edges.items[e].from < n->input_count)
            weight[n->edges.items[e].from] += fabs((double)n->edges.items[e].weight);
    while (chosen.count < MAX_INPUTS) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < n->input_count; i++)
            best = weight[i] > weight[best] ? i : best;
        if (!n->input_count || !(weight[best] > 0))
            break;
        vector_push(&chosen, best);
        weight[best] = 0;
    }
    free(weight);
    return chosen;
}

/* The edges from shown inputs and from nodes. Inputs are numbered first, then nodes. */
static json_t *edges_json(const Network *n, const NetworkNode *node, const U32Vector *inputs) {
    json_t *array = json_array();
    for (uint32_t e = 0; e < node->edge_count; e++) {
        const NetworkEdge *edge = &n->edges.items[node->first_edge + e];
        size_t from = SIZE_MAX;
        if (edge->from >= n->input_count)
            from = inputs->count + edge->from - n->input_count;
        for (size_t i = 0; i < inputs->count; i++)
            if (inputs->items[i] == edge->from)
                from = i;
        if (from != SIZE_MAX)
            array_push(array, json_pack("[I,f]", (json_int_t)from, (double)edge->weight));
    }
    return array;
}

static json_t *network_json(const Model *model) {
    const Network *n = &model->network;
    U32Vector inputs = heaviest_inputs(n);
    json_t *names = json_array(), *nodes = json_array(), *outputs = json_array();
    for (size_t i = 0; i < inputs.count; i++)
        array_push(names, feature_json(model, inputs.items[i]));
    for (size_t i = 0; i < n->nodes.count; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        array_push(nodes,
                   json_pack("{s:s,s:f,s:o}", "activation", activation_name(node->activation),
                             "bias", (double)node->bias, "edges", edges_json(n, node, &inputs)));
    }
    for (size_t r = 0; r < n->outputs.count; r++)
        array_push(outputs, json_integer(n->outputs.items[r]));
    vector_free(&inputs);
    return object_of("inputs", names, "all_inputs", json_integer(n->input_count), "nodes", nodes,
                     "outputs", outputs);
}

static json_t *learnt_json(const DataSet *set, Pool *pool) {
    DataSet *parts[2];
    dataset_split(set, test_share, SEED, &parts[0], &parts[1]);
    DataSet *own = dataset_distinct(parts[0]), *test = dataset_distinct(parts[1]);
    json_t *object = NULL;
    if (dataset_rows(own) < 2 || dataset_rows(test) < 2) {
        object = inside_missing("too few matches came to an end");
    } else {
        Model *sums = train("logistic", own, pool), *network = train("mlp", own, pool);
        object = object_of("states", count_json(dataset_rows(own)), "tested",
                           count_json(dataset_rows(test)), "explained_by_sums",
                           explained_json(sums, test), "explained_by_network",
                           explained_json(network, test), "worths", worths_json(sums), "network",
                           network_json(network));
        model_free(sums);
        model_free(network);
    }
    dataset_free(own);
    dataset_free(test);
    dataset_free(parts[0]);
    dataset_free(parts[1]);
    return object;
}

json_t *inside_network(Game *game) {
    if (!game_has_circuit(game))
        return inside_no_circuit(game);
    Pool *pool = pool_create(1);
    if (!pool)
        return inside_missing("no thread could be started");
    DataSet *set = collect(game,
                           &(CollectOptions){.source = COLLECT_RANDOM,
                                             .states = COLLECT_BEFORE_ENDS,
                                             .matches = MATCHES,
                                             .deadline = deadline_in(collect_seconds),
                                             .value_share = -1,
                                             .seed = SEED},
                           pool);
    json_t *object = set ? learnt_json(set, pool) : inside_missing("no match came to an end");
    dataset_free(set);
    pool_free(pool);
    return object;
}
