/* Learners by gradient: one squashed sum per role, trained on absolute errors or on cross-entropy;
 * a layer of hidden units; and a cascade that adds one hidden unit at a time (Fahlman and Lebiere
 * 1990), which grows as the networks of NEAT do. */
#include "base/random.h"
#include "learn/learners/gradient.h"
#include "learn/learners/learner.h"

/* Constants of this module. */
enum {
    SMALL_SET = 4000,    /* rows below which steps are larger and passes more (untuned) */
    SMALL_PASSES = 400,  /* passes over a small set (untuned) */
    LARGE_PASSES = 30,   /* passes over a larger set (untuned) */
    DEFAULT_HIDDEN = 16, /* hidden units of the perceptron (untuned) */
    CASCADE_HIDDEN = 8,  /* hidden units of the cascade, at most (untuned) */
    MAX_HIDDEN = 4032,   /* hidden units, at most: with 64 outputs a model has 4096 nodes */
    SMOOTH_STARTS = 2,   /* starts of `linear` from the result of a smooth loss (untuned) */
    STARTS = 6,          /* starts of `linear`, the smooth ones included (untuned) */
    FIRST_STEPS = 2500,  /* gradient steps of the first start (untuned) */
    MIN_STEPS = 300,     /* gradient steps of a later start, at least (untuned) */
    MAX_STEPS = 1500,    /* gradient steps of a later start, at most (untuned) */
    STEPS_PER_ROW = 5, /* gradient steps per row of a later start, within these bounds (untuned) */
    MIN_PASSES = 7     /* passes of any start, at least (untuned) */
};
static const double EXACT = 1e-5;        /* mean absolute error that counts as 0 (untuned) */
static const double MIN_PROGRESS = 1e-3; /* share of the loss that a new unit must save (untuned) */

static GradientOptions gradient_of(const Examples *e, const LearnOptions *o, uint32_t passes) {
    bool is_small = examples_rows(e) < SMALL_SET;
    return (GradientOptions){.loss = LOSS_CROSS_ENTROPY,
                             .rate = is_small ? 0.02 : 0.005,
                             .decay = o->held_out ? 0.05 : 0,
                             .batch = is_small ? 16 : 64,
                             .passes = o->effort ? o->effort : passes,
                             .seed = o->seed,
                             .deadline = o->deadline,
                             .stopped = o->stopped,
                             .held_out = o->held_out};
}

/* Small sets get more passes. */
static uint32_t passes_for(const Examples *e) {
    return examples_rows(e) < SMALL_SET ? SMALL_PASSES : LARGE_PASSES;
}

static void train_logistic(const Examples *e, const LearnOptions *o, Network *n) {
    GradientOptions g = gradient_of(e, o, passes_for(e) / 2);
    network_make_layers(n, e->input_count, 0, e->output_count, false, o->seed);
    gradient_train(n, e, &g);
}

/* The best network so far, by its mean absolute error on `validation`. */
typedef struct {
    const Examples *validation;
    Network *network;
    double error;
} Best;

static void train_and_keep(Network *tried, const Examples *e, const GradientOptions *g,
                           Best *best) {
    gradient_train(tried, e, g);
    double error = gradient_loss(tried, best->validation, LOSS_ABSOLUTE);
    if (error >= best->error)
        return;
    network_copy(best->network, tried);
    best->error = error;
}

/* Returns the number of passes that make `steps` gradient steps, and MIN_PASSES at least. */
static uint32_t passes_of_steps(const Examples *e, const LearnOptions *o, uint32_t batch,
                                size_t steps) {
    size_t passes = steps / (examples_rows(e) / batch + 1) + 1;
    return o->effort ? o->effort : passes < MIN_PASSES ? MIN_PASSES : (uint32_t)passes;
}

/* Absolute errors have plateaus and several minima. Training therefore starts from the result of a
 * smooth loss, once with a clamp and once with a sigmoid, then from random weights, and the best
 * result is kept. Where a clamped sum can be exact, squared errors lead to it. Steps on absolute
 * errors would lead away again, because their length does not depend on the size of the error. */
static void train_linear(const Examples *e, const LearnOptions *o, Network *n) {
    GradientOptions g = gradient_of(e, o, 0);
    Network tried = {0};
    Best best = {o->held_out ? o->held_out : e, n, INFINITY};
    size_t rows = examples_rows(e), most = rows * STEPS_PER_ROW;
    most = most < MIN_STEPS ? MIN_STEPS : most > MAX_STEPS ? MAX_STEPS : most;
    g.rate = 0.1;
    for (uint64_t start = 0; start < STARTS && best.error > EXACT; start++) {
        bool is_clamped = start % 2 == 0;
        Random random;
        if (start > 0 && work_must_end(o->deadline, o->stopped))
            break;
        network_make_layers(&tried, e->input_count, 0, e->output_count, false, o->seed);
        random_seed(&random, o->seed + start);
        for (size_t i = 0; i < tried.edges.count && start >= SMOOTH_STARTS; i++)
            tried.edges.items[i].weight = (float)(4 * random_double(&random) - 2);
        for (size_t i = 0; i < tried.nodes.count && is_clamped; i++)
            tried.nodes.items[i].activation = ACTIVATION_CLAMP;
        g.loss = is_clamped ? LOSS_SQUARE : LOSS_CROSS_ENTROPY;
        g.target_loss = is_clamped ? EXACT * EXACT / 100 : 0;
        g.passes = passes_of_steps(e, o, g.batch, start == 0 ? FIRST_STEPS : most);
        if (start < SMOOTH_STARTS)
            train_and_keep(&tried, e, &g, &best);
        g.loss = LOSS_ABSOLUTE;
        g.target_loss = EXACT;
        g.passes = passes_of_steps(e, o, g.batch, most);
        if (best.error > EXACT)
            train_and_keep(&tried, e, &g, &best);
    }
    network_free(&tried);
}

static void train_mlp(const Examples *e, const LearnOptions *o, Network *n) {
    GradientOptions g = gradient_of(e, o, passes_for(e));
    network_make_layers(n, e->input_count, o->hidden, e->output_count, true, o->seed);
    gradient_train(n, e, &g);
}

/* Makes a copy with one more unit, fed by all inputs and units, with weights 0 to the outputs. */
static void add_unit(const Network *from, Network *to, uint64_t seed) {
    uint32_t hidden = network_hidden(from), inputs = from->input_count;
    Network layer = {0};
    network_make_layers(&layer, inputs + hidden, 1, 1, false, seed);
    network_clear(to, inputs);
    for (uint32_t i = 0; i <= from->nodes.count; i++) {
        if (i == hidden) {
            network_add_node(to, ACTIVATION_TANH, 0);
            for (uint32_t k = 0; k < inputs + hidden; k++)
                network_add_edge(to, k, layer.edges.items[k].weight);
        }
        if (i == from->nodes.count)
            break;
        const NetworkNode *node = &from->nodes.items[i];
        uint32_t added = network_add_node(to, node->activation, node->bias);
        for (uint32_t k = 0; k < node->edge_count; k++) {
            NetworkEdge edge = from->edges.items[node->first_edge + k];
            network_add_edge(to, edge.from, edge.weight);
        }
        if (i >= hidden) {
            network_add_edge(to, inputs + hidden, 0);
            vector_push(&to->outputs, added);
        }
    }
    network_free(&layer);
}

static void train_cascade(const Examples *e, const LearnOptions *o, Network *n) {
    GradientOptions g = gradient_of(e, o, passes_for(e) / 2);
    Network grown = {0};
    network_make_layers(n, e->input_count, 0, e->output_count, false, o->seed);
    double loss = gradient_train(n, e, &g);
    for (uint32_t h = 0; h < o->hidden && !work_must_end(o->deadline, o->stopped); h++) {
        add_unit(n, &grown, o->seed + h);
        double now = gradient_train(&grown, e, &g);
        if (now > (1 - MIN_PROGRESS) * loss)
            continue;
        loss = now;
        network_copy(n, &grown);
    }
    network_free(&grown);
}

#define EFFORT(meaning)                                                                            \
    { "effort", offsetof(LearnOptions, effort), 1, UINT32_MAX, 0, meaning }
#define HIDDEN(standard, meaning)                                                                  \
    { "hidden", offsetof(LearnOptions, hidden), 1, MAX_HIDDEN, standard, meaning }

static const LearnerOption mlp_options[] = {
    EFFORT("passes over the data (default 400; 30 from 4000 rows on)"),
    HIDDEN(DEFAULT_HIDDEN, "units of the hidden layer"),
    {0}};
static const LearnerOption logistic_options[] = {
    EFFORT("passes over the data (default 200; 15 from 4000 rows on)"), {0}};
static const LearnerOption linear_options[] = {
    EFFORT("passes over the data per start (default: 300 to 2500 steps, 7 passes at least)"), {0}};
static const LearnerOption cascade_options[] = {
    EFFORT("passes over the data per unit (default 200; 15 from 4000 rows on)"),
    HIDDEN(CASCADE_HIDDEN, "hidden units that are tried, one after the other"),
    {0}};

const Learner linear_learner = {"linear", "one squashed sum per role, trained on absolute errors",
                                linear_options, train_linear};
const Learner logistic_learner = {"logistic", "one squashed sum per role, trained on cross-entropy",
                                  logistic_options, train_logistic};
const Learner mlp_learner = {"mlp", "one layer of hidden units, trained by gradient", mlp_options,
                             train_mlp};
const Learner cascade_learner = {
    "cascade", "hidden units added one by one, trained by gradient (Fahlman and Lebiere 1990)",
    cascade_options, train_cascade};
