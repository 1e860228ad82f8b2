/* Edges are stored by source, in runs of consecutive targets with consecutive weights. The forward
 * pass spreads a value over its runs; the backward pass gathers the deltas of the targets along the
 * same runs. A layer is one run per input, so that its loops are vectorised. */
#include "learn/learners/gradient.h"

#include <string.h>

#include "base/cpu.h"
#include "base/random.h"

static const double DEFAULT_RATE = 0.01; /* initial step size (untuned) */

typedef struct {
    uint32_t first, count; /* range of nodes that the run leads to */
    uint32_t weight;       /* weight of the first edge; the others follow */
} Run;

typedef struct {
    Network *network;
    uint32_t inputs, nodes;
    U32Vector starts; /* by source, which is an input or a node: its first run */
    VECTOR(Run) runs;
    uint32_t *place;   /* by edge of the network: index of its weight */
    size_t parameters; /* number of weights and biases; biases come last */
    float *weights, *gradient, *mean, *variance, *best;
    float *sums, *values, *deltas; /* by node, for the current row */
    uint32_t *order;               /* numbers of rows, shuffled */
    ExampleReader reader;
    uint64_t steps;
} Trainer;

/* ---- from a network and back ---- */

typedef struct {
    uint32_t from, to, edge;
} Link;

static int compare_links(const void *a, const void *b) {
    const Link *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static Link *sorted_links(const Network *n) {
    Link *links = memory_alloc((n->edges.count + 1) * sizeof *links);
    for (uint32_t i = 0; i < n->nodes.count; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        for (uint32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++)
            links[e] = (Link){n->edges.items[e].from, i, e};
    }
    qsort(links, n->edges.count, sizeof *links, compare_links);
    return links;
}

static void make_runs(Trainer *t) {
    const Network *n = t->network;
    Link *links = sorted_links(n);
    size_t at = 0;
    for (uint32_t source = 0; source < t->inputs + t->nodes; source++) {
        bool is_new = true;
        vector_push(&t->starts, (uint32_t)t->runs.count);
        for (; at < n->edges.count && links[at].from == source; at++) {
            t->place[links[at].edge] = (uint32_t)at;
            t->weights[at] = n->edges.items[links[at].edge].weight;
            Run *last = is_new ? NULL : &vector_last(&t->runs);
            if (last && last->first + last->count == links[at].to)
                last->count++;
            else
                vector_push(&t->runs, ((Run){links[at].to, 1, (uint32_t)at}));
            is_new = false;
        }
    }
    vector_push(&t->starts, (uint32_t)t->runs.count);
    free(links);
}

static void open_trainer(Trainer *t, Network *n, size_t rows) {
    *t = (Trainer){.network = n, .inputs = n->input_count, .nodes = (uint32_t)n->nodes.count};
    size_t edges = n->edges.count;
    t->parameters = edges + t->nodes;
    t->place = memory_alloc((edges + 1) * sizeof *t->place);
    t->weights = memory_zalloc(5 * (t->parameters + 1) * sizeof(float));
    t->gradient = t->weights + t->parameters;
    t->mean = t->gradient + t->parameters;
    t->variance = t->mean + t->parameters;
    t->best = t->variance + t->parameters;
    t->sums = memory_zalloc(3 * ((size_t)t->nodes + 1) * sizeof(float));
    t->values = t->sums + t->nodes;
    t->deltas = t->values + t->nodes;
    t->order = memory_alloc((rows + 1) * sizeof *t->order);
    for (size_t i = 0; i < rows; i++)
        t->order[i] = (uint32_t)i;
    make_runs(t);
    for (uint32_t i = 0; i < t->nodes; i++)
        t->weights[edges + i] = n->nodes.items[i].bias;
}

static void close_trainer(Trainer *t) {
    Network *n = t->network;
    for (size_t e = 0; e < n->edges.count; e++)
        n->edges.items[e].weight = t->weights[t->place[e]];
    for (uint32_t i = 0; i < t->nodes; i++)
        n->nodes.items[i].bias = t->weights[n->edges.count + i];
    vectors_free(&t->starts, &t->runs);
    memory_free(t->place, t->weights, t->sums, t->order);
    example_reader_free(&t->reader);
}

/* ---- one row ---- */

ALWAYS_INLINE void spread(const Trainer *t, uint32_t source, float value) {
    for (uint32_t r = t->starts.items[source]; r < t->starts.items[source + 1]; r++) {
        Run run = t->runs.items[r];
        const float *weights = t->weights + run.weight;
        float *sums = t->sums + run.first;
        for (uint32_t k = 0; k < run.count; k++) {
            float product = value * weights[k];
            sums[k] += product;
        }
    }
}

ALWAYS_INLINE void forward(Trainer *t, const ExampleRow *row) {
    const Network *n = t->network;
    memcpy(t->sums, t->weights + n->edges.count, t->nodes * sizeof *t->sums);
    for (uint32_t k = 0; k < row->count; k++)
        spread(t, row->entries[k].input, row->entries[k].value);
    for (uint32_t i = 0; i < t->nodes; i++) {
        t->values[i] = activation_apply(n->nodes.items[i].activation, t->sums[i]);
        spread(t, t->inputs + i, t->values[i]);
    }
}

/* Adds the gradient of the weights that leave the source. Returns the gradient by the value of the
 * source if it is a node; inputs need none. */
ALWAYS_INLINE float gather(Trainer *t, uint32_t source, float value, bool is_node) {
    float blame = 0;
    for (uint32_t r = t->starts.items[source]; r < t->starts.items[source + 1]; r++) {
        Run run = t->runs.items[r];
        const float *weights = t->weights + run.weight, *deltas = t->deltas + run.first;
        float *gradient = t->gradient + run.weight;
        for (uint32_t k = 0; k < run.count; k++) {
            float product = value * deltas[k];
            gradient[k] += product;
        }
        for (uint32_t k = 0; k < run.count && is_node; k++)
            blame += weights[k] * deltas[k];
    }
    return blame;
}

static float slope_of(Activation activation, float value, float blame) {
    switch (activation) {
    case ACTIVATION_SIGMOID:
        return value * (1 - value);
    case ACTIVATION_TANH:
        return 1 - value * value;
    case ACTIVATION_CLAMP: /* flat outside the clamp, except for steps that lead back into it */
        return (value <= 0 && blame > 0) || (value >= 1 && blame < 0) ? 0 : 0.5F;
    case ACTIVATION_IDENTITY:
    case ACTIVATION_COUNT:
        break;
    }
    return 1;
}

/* The derivative of the loss by the sum of an output node. */
static float output_delta(Loss loss, Activation activation, float value, float target) {
    float off = value - target;
    if (loss == LOSS_CROSS_ENTROPY && activation == ACTIVATION_SIGMOID)
        return off;
    float blame = loss == LOSS_ABSOLUTE ? (float)(off > 0) - (float)(off < 0) : 2 * off;
    return blame * slope_of(activation, value, blame);
}

ALWAYS_INLINE void backward(Trainer *t, const ExampleRow *row, Loss loss) {
    const Network *n = t->network;
    memset(t->deltas, 0, t->nodes * sizeof *t->deltas);
    for (uint32_t o = 0; o < n->outputs.count; o++) {
        uint32_t node = n->outputs.items[o];
        t->deltas[node] += row->weight * output_delta(loss, n->nodes.items[node].activation,
                                                      t->values[node], row->targets[o]);
    }
    for (uint32_t i = t->nodes; i-- > 0;) {
        float blame = gather(t, t->inputs + i, t->values[i], true);
        t->deltas[i] += blame * slope_of(n->nodes.items[i].activation, t->values[i], blame);
        t->gradient[n->edges.count + i] += t->deltas[i];
    }
    for (uint32_t k = 0; k < row->count; k++)
        gather(t, row->entries[k].input, row->entries[k].value, false);
}

static double loss_of_row(const Trainer *t, const ExampleRow *row, Loss loss) {
    const Network *n = t->network;
    double sum = 0;
    for (uint32_t o = 0; o < n->outputs.count; o++) {
        double value = (double)t->values[n->outputs.items[o]];
        double target = (double)row->targets[o];
        double off = fabs(value - target);
        value = value < 1e-6 ? 1e-6 : value > 1 - 1e-6 ? 1 - 1e-6 : value;
        sum += loss == LOSS_ABSOLUTE ? off
               : loss == LOSS_SQUARE ? off * off
                                     : -target * log(value) - (1 - target) * log(1 - value);
    }
    return sum * (double)row->weight;
}

/* ---- steps ---- */

ALWAYS_INLINE void adam(Trainer *t, double rate, double decay, double weight) {
    const float keep_mean = 0.9F, keep_variance = 0.999F;
    double corrected =
        rate * sqrt(1 - pow(0.999, (double)t->steps)) / (1 - pow(0.9, (double)t->steps));
    float step = (float)corrected, share = (float)(1 / weight);
    float shrink = (float)(1 - decay * rate);
    size_t edges = t->network->edges.count;
    for (size_t i = 0; i < t->parameters; i++) {
        float g = t->gradient[i] * share;
        float mean = keep_mean * t->mean[i], fresh = (1 - keep_mean) * g;
        mean += fresh;
        float square = g * g, variance = keep_variance * t->variance[i];
        square *= 1 - keep_variance;
        variance += square;
        t->mean[i] = mean;
        t->variance[i] = variance;
        t->weights[i] -= step * mean / (sqrtf(variance) + 1e-8F);
    }
    if (decay > 0)
        for (size_t i = 0; i < edges; i++)
            t->weights[i] *= shrink;
    memset(t->gradient, 0, t->parameters * sizeof *t->gradient);
}

ALWAYS_INLINE double train_pass_generic(Trainer *t, const Examples *e, const GradientOptions *o,
                                        double rate) {
    size_t rows = examples_rows(e), batch = o->batch ? o->batch : rows;
    double loss = 0, all = 0;
    for (size_t first = 0; first < rows; first += batch) {
        double weight = 0;
        for (size_t i = first; i < rows && i < first + batch; i++) {
            ExampleRow row = examples_read(e, t->order[i], &t->reader);
            forward(t, &row);
            loss += loss_of_row(t, &row, o->loss);
            backward(t, &row, o->loss);
            weight += (double)row.weight;
        }
        t->steps++;
        if (weight > 0)
            adam(t, rate, o->decay, weight);
        all += weight;
    }
    return all > 0 ? loss / all : 0;
}

CPU_DISPATCH(double, train_pass,
             (Trainer * t, const Examples *e, const GradientOptions *o, double rate),
             (t, e, o, rate))

static double mean_loss(Trainer *t, const Examples *e, Loss loss) {
    double sum = 0, weight = 0;
    for (size_t i = 0; i < examples_rows(e); i++) {
        ExampleRow row = examples_read(e, i, &t->reader);
        forward(t, &row);
        sum += loss_of_row(t, &row, loss);
        weight += (double)row.weight;
    }
    return weight > 0 ? sum / weight : 0;
}

/* Returns the finished share of training, 0..1: by passes or by time, whichever is larger. */
static double progress_of(const GradientOptions *o, uint32_t pass_number, double allowed) {
    double done = (double)pass_number / (double)o->passes;
    if (o->deadline.at > 0 && allowed > 0) {
        double by_time = 1 - deadline_left(o->deadline) / allowed;
        done = by_time > done ? by_time : done;
    }
    return done < 1 ? done : 1;
}

double gradient_train(Network *network, const Examples *e, const GradientOptions *o) {
    Trainer t;
    Random random;
    double best = INFINITY, last = 0, rate = o->rate > 0 ? o->rate : DEFAULT_RATE;
    double allowed = o->deadline.at > 0 ? deadline_left(o->deadline) : 0;
    assert(network->input_count == e->input_count && network->outputs.count == e->output_count);
    open_trainer(&t, network, examples_rows(e));
    random_seed(&random, o->seed);
    for (uint32_t p = 0; p < o->passes && !work_must_end(o->deadline, o->stopped); p++) {
        if (o->batch)
            random_shuffle(&random, t.order, examples_rows(e));
        last = train_pass(&t, e, o, rate * (1 - progress_of(o, p, allowed)));
        if (!o->held_out && last < o->target_loss)
            break;
        if (!o->held_out)
            continue;
        last = mean_loss(&t, o->held_out, o->loss);
        if (last < best) {
            best = last;
            memcpy(t.best, t.weights, t.parameters * sizeof *t.best);
        }
    }
    if (isfinite(best)) {
        memcpy(t.weights, t.best, t.parameters * sizeof *t.best);
        last = best;
    }
    close_trainer(&t);
    return last;
}

double gradient_loss(Network *network, const Examples *e, Loss loss) {
    Trainer t;
    open_trainer(&t, network, 0);
    double mean = mean_loss(&t, e, loss);
    close_trainer(&t);
    return mean;
}

static float small_weight(Random *random, uint32_t fan) {
    return (float)((2 * random_double(random) - 1) / sqrt((double)fan + 1));
}

void network_make_layers(Network *n, uint32_t inputs, uint32_t hidden, uint32_t outputs, bool skips,
                         uint64_t seed) {
    Random random;
    random_seed(&random, seed);
    network_clear(n, inputs);
    for (uint32_t h = 0; h < hidden; h++) {
        network_add_node(n, ACTIVATION_TANH, 0);
        for (uint32_t i = 0; i < inputs; i++)
            network_add_edge(n, i, small_weight(&random, inputs / 4));
    }
    for (uint32_t o = 0; o < outputs; o++) {
        vector_push(&n->outputs, network_add_node(n, ACTIVATION_SIGMOID, 0));
        for (uint32_t i = 0; i < inputs && (skips || !hidden); i++)
            network_add_edge(n, i, 0);
        for (uint32_t h = 0; h < hidden; h++)
            network_add_edge(n, inputs + h, small_weight(&random, hidden));
    }
}
